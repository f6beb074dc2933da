//! How games of a match begin: with random turns, so that engines without chance in them do not play one game again and again.

use quincunx_core::{DynSession, Seat, Turn};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

/// The position after so many random turns, at a decision of a seat. No opening ends the game: one that would is thrown
/// again, and where nearly all would, there are fewer turns. What chance brings is drawn from `draws`.
pub(crate) fn open(
    start: &dyn DynSession,
    turns: u32,
    seed: u64,
    draws: &mut Xoshiro256PlusPlus,
) -> Box<dyn DynSession> {
    const TRIES: u32 = 20;
    let mut actions = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut turns = turns;
    while turns > 0 {
        let mut longest = 0;
        for _ in 0..TRIES {
            match random_turns(start, turns, &mut actions, draws) {
                Ok(table) => return table,
                Err(over) => longest = longest.max(over),
            }
        }
        turns = longest;
    }
    start.boxed_clone()
}

/// If the game is over before that, the error is the number of turns that were over then.
fn random_turns(
    start: &dyn DynSession,
    turns: u32,
    actions: &mut Xoshiro256PlusPlus,
    draws: &mut Xoshiro256PlusPlus,
) -> Result<Box<dyn DynSession>, u32> {
    let mut table = start.boxed_clone();
    let (mut over, mut acting): (u32, Option<Seat>) = (0, None);
    loop {
        match table.turn() {
            Turn::Over => return Err(over),
            Turn::Chance => drop(table.draw(draws).expect("it is a chance turn")),
            Turn::Seat(seat) => {
                // A turn may be many actions, with draws between them: it is over when another seat is on turn.
                over += u32::from(acting.is_some_and(|acting| acting != seat));
                if over == turns {
                    return Ok(table);
                }
                acting = Some(seat);
                let offers = table.offers(seat);
                table.apply(None, &offers[actions.random_range(0..offers.len())]).expect("an offer is legal");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use quincunx_core::{Actor, Viewer, find};
    use quincunx_games::GAMES;
    use serde_json::{Value, json};

    use super::*;

    fn opened(game: &str, seats: u64, options: &Value, turns: u32, seed: u64) -> Box<dyn DynSession> {
        let start = find(GAMES, game).unwrap().start(Some(seats), options).unwrap();
        open(&*start, turns, seed, &mut Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// The seats in the order in which they acted, each once a turn.
    fn turns(table: &dyn DynSession) -> Vec<u8> {
        let by = |by: Actor| by.seat().map(Seat::number);
        let mut seats: Vec<u8> = table.log(Viewer::Everything).iter().filter_map(|step| by(step.by)).collect();
        seats.dedup();
        seats
    }

    #[test]
    fn an_opening_is_whole_turns_whatever_their_number_of_actions() {
        for (game, seats) in
            [("trexo", 2), ("figures", 2), ("figures", 4), ("castle-builders", 2), ("x-marks-the-spot", 4)]
        {
            for seed in 0..20 {
                let table = opened(game, seats, &json!({}), 3, seed);
                let acted = turns(&*table);
                assert_eq!(acted.len(), 3, "{game} {seats}: {acted:?}");
                let Turn::Seat(next) = table.turn() else { panic!("{game}: {:?}", table.turn()) };
                assert_ne!(Some(&next.number()), acted.last(), "{game}: the third turn is over");
            }
        }
        assert!(opened("figures", 2, &json!({}), 3, 1).ply() > 3, "a turn of Figures is several actions");
    }

    #[test]
    fn an_opening_does_not_end_the_game() {
        // So many turns last nearly as long as many random games do.
        for seed in 0..30 {
            let table = opened("trexo", 2, &json!({"size": 5}), 9, seed);
            assert!(table.outcome().is_none());
        }
        // No game lasts that long: the opening is shorter.
        let table = opened("castle-builders", 2, &json!({}), u32::MAX, 1);
        assert!(table.outcome().is_none() && turns(&*table).len() > 10);
    }

    #[test]
    fn the_same_seed_opens_alike() {
        let text = |seed| opened("mod-x", 3, &json!({}), 4, seed).record().to_text();
        assert_eq!(text(5), text(5));
        assert_ne!(text(5), text(6));
    }
}
