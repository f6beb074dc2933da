//! How likely each seat is to win, without looking ahead: a weighted sum of what each side has, turned into chances.

use quincunx_core::Seat;

use super::table::{Gain, Table};
use crate::math::exp;

pub(super) type Values = [f32; Seat::MAX as usize];

/// How many things are counted for a side.
pub(super) const FEATURES: usize = 15;

/// What is counted for a side, or what each of it is worth, in this order:
///
/// - 0: points, as a share of the target; 1: the same squared; 2: the same, the more the nearer somebody is to running
///   out of X-pieces, when the most points win;
/// - 3: the points that open placements with two squares filled would bring; 4: with three squares; 5: how many of
///   these points another side has now;
/// - 6: for who is to place: the points of the best completion; 7: how many of them another side has now;
/// - 8: for who is to wait: the points of the best completion, those taken counted twice; 9: of the second best, which
///   cannot be prevented with the same piece; 10: whether the best one wins; 11: whether the second one wins;
/// - 12: X-pieces left; 13: markers left; 14: to be the one who is to place.
pub type Features = [f32; FEATURES];

/// With two seats: fitted by logistic regression to 400 games of the search, with other weights, against itself. It won 72 %
/// of 60 games against weights set by hand; more for placements not yet threatening (0.015 and 0.06) won only 19 %.
pub(super) const TWO: Features =
    [4.68, 2.799, 5.564, 0.001, 0.008, 0.046, 0.043, 0.528, 0.032, 0.145, 0.461, 0.816, -0.303, 0.051, 0.245];
/// Fitted to 500 games in which each seat was this search or the generic one. Weights from games against itself alone did
/// worse against the generic search (43 % to 64 % of 36 games): where everybody prevents everything, building seems useless.
pub(super) const THREE: Features =
    [2.356, 0.255, 9.108, 0.008, 0.017, 0.019, 0.113, 0.265, 0.051, 0.078, 0.657, 0.896, 0.073, 0.104, 0.086];
/// Fitted to 700 games with random seats for this search and the generic one, at 400 nodes each. A fifth of the games, held out,
/// had a log loss of 1.31 with them, 1.82 with weights set by hand.
pub(super) const FOUR: Features =
    [1.873, 1.723, 8.119, 0.008, 0.019, 0.011, 0.136, 0.419, 0.074, 0.073, 0.113, 0.9, -0.092, 0.004, 0.145];
/// Fitted like those for two seats; 75 % of 24 games against weights set by hand.
pub(super) const TEAMS: Features =
    [-1.703, 0.331, 74.787, 0.004, 0.025, 0.153, 0.24, 0.998, 0.104, 0.154, -0.106, 0.469, 0.05, 0.019, 0.079];

/// What a point is worth at the last placement, in logits.
const END: f32 = 4.0;
/// From how many placements before the end on points count more.
const END_NEAR: f32 = 8.0;

/// The chances of each seat by the given position. Partners have the same.
pub(super) fn evaluate(table: &Table, weights: &[Features; 4]) -> Values {
    let mut scores = [f32::NEG_INFINITY; Seat::MAX as usize];
    let sides = features(table);
    let weights = &weights[kind(table)];
    let point = if table.is_free_for_all() { 0.0 } else { worth_of_a_point_at_the_end(table) };
    for seat in 0..table.seats {
        let side = table.sides[seat] as usize;
        scores[side] = point * f32::from(table.points[side])
            + sides[side].iter().zip(weights).map(|(feature, weight)| feature * weight).sum::<f32>();
    }
    let best = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let shares = scores.map(|score| exp(score - best));
    let total: f32 = shares.iter().sum();
    let mut values = Values::default();
    for seat in 0..table.seats {
        values[seat] = shares[table.sides[seat] as usize] / total;
    }
    values
}

/// What a point is worth beyond its weight, in logits, where somebody is about to run out of X-pieces: then the most points
/// win, be they few. With one placement to go a lead of one point is all but a win. Four single players are better judged
/// without it (the log loss above is 1.34 with it): most of them can still overtake.
fn worth_of_a_point_at_the_end(table: &Table) -> f32 {
    let left = f32::from(table.placements_left().max(1));
    END * (1.0 / left - 1.0 / END_NEAR).max(0.0)
}

/// What each side has.
pub(super) fn features(table: &Table) -> [Features; Seat::MAX as usize] {
    let mut sides = [[0.0; FEATURES]; Seat::MAX as usize];
    let turns_left = (0..table.seats).map(|seat| table.colours[seat].supply).min().unwrap_or(0);
    for seat in 0..table.seats {
        let colour = &table.colours[seat];
        let side = &mut sides[table.sides[seat] as usize];
        let share = f32::from(table.target - colour.needed.min(table.target)) / f32::from(table.target);
        // Of the whole side, so not to be added up.
        side[0] = share;
        side[1] = share * share;
        side[2] = share / (1.0 + f32::from(turns_left));
        for (count, place) in [(2, 3), (3, 4)] {
            for placement in colour.filled.placements(count) {
                let gain = table.gain(seat, placement);
                side[place] += f32::from(gain.points);
                if count == 3 {
                    side[5] += f32::from(gain.taken);
                }
            }
        }
        let [best, second] = best_two(table, seat);
        if seat == table.next.index() {
            side[6] += f32::from(best.points);
            side[7] += f32::from(best.taken);
            side[14] += 1.0;
        } else {
            side[8] += f32::from(best.points + best.taken);
            side[9] += f32::from(second.points + second.taken);
            side[10] += f32::from(u8::from(best.points >= colour.needed));
            side[11] += f32::from(u8::from(second.points >= colour.needed));
        }
        side[12] += f32::from(colour.supply);
        side[13] += f32::from(colour.markers);
    }
    sides
}

/// What the two best squares would bring.
fn best_two(table: &Table, seat: usize) -> [Gain; 2] {
    let mut best = [Gain::default(); 2];
    for gap in super::shapes::bits(table.colours[seat].gaps) {
        let gain = table.prospect(seat, 1 << gap);
        if gain > best[0] {
            best = [gain, best[0]];
        } else if gain > best[1] {
            best[1] = gain;
        }
    }
    best
}

/// Which weights are for this table: two, three or four seats, or two teams.
fn kind(table: &Table) -> usize {
    if table.seats == 4 && !table.is_free_for_all() { 3 } else { table.seats - 2 }
}

#[cfg(test)]
mod tests {
    use quincunx_core::{Actor, Game, Scratch, Turn, options_from_json};
    use quincunx_games::{
        ModX,
        mod_x::{Action, Square},
    };
    use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};
    use serde_json::json;

    use super::{super::shapes::bits, *};

    /// Where the last X-piece is about to be placed and nobody can complete anything, a side three points ahead has as good
    /// as won, and its lead is worth more than it would be with X-pieces left.
    #[test]
    fn with_few_placements_to_go_and_nothing_to_complete_the_points_decide() {
        let weights = [TWO, THREE, FOUR, TEAMS];
        let mut seen = 0;
        for round in 0..2000 {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(round);
            let seats = 2 + (round % 2) as u8;
            let options = json!({"markers": 60, "target": 40});
            let mut game = ModX::new(seats, &options_from_json(&options).unwrap()).unwrap();
            while let Turn::Seat(seat) = game.turn() {
                let table = Table::of(&game);
                let quiet = table.colours[..table.seats].iter().all(|colour| colour.gaps == 0);
                let mut ahead = table;
                ahead.points.iter_mut().for_each(|points| *points += 2);
                let leader = (0..table.seats).find(|&seat| {
                    ahead.points[seat] -= 2;
                    let leads = ahead.leads(seat as u8);
                    ahead.points[seat] += 2;
                    leads
                });
                if let Some(leader) = leader.filter(|_| game.is_placing() && quiet && table.placements_left() <= 2) {
                    let near = evaluate(&table, &weights)[leader];
                    assert!(near > 0.8, "{near} with {} to go: {:?}", table.placements_left(), table.points);
                    let mut far = table;
                    far.colours.iter_mut().for_each(|colour| colour.supply += 9);
                    let far = evaluate(&far, &weights)[leader];
                    assert!(far < near, "{far} with many to go, {near} with few");
                    seen += 1;
                }
                let mut action = game.random(Actor::Seat(seat), &mut rng, &mut Scratch::default());
                if let Some(gap) = bits(table.colours[seat.index()].gaps).next().filter(|_| game.is_placing()) {
                    action = Action::Place(Square::from_index(gap));
                }
                game.play(Actor::Seat(seat), action);
            }
        }
        assert!(seen > 50, "{seen}");
    }
}
