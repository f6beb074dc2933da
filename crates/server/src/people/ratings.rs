//! What a finished game does to the ratings of those who played it: Glicko-2 between two, Weng-Lin among three, four or
//! teams. Both write ratings on the scale of Glicko-2, so that a game that is played by two or by four has one rating.

use std::collections::{BTreeMap, BTreeSet};

use quincunx_core::Seat;
use quincunx_games::GAMES;
use quincunx_table::{Millis, State, Status, TableId, UserId};
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2};
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};
use skillratings::{MultiTeamOutcome, Outcomes};

use crate::model::{CountedGame, Rating, RatingOf, Standing};
use crate::store::{LATELY, Store, StoreError};

/// A newcomer on the two scales, which makes them one: 1500 ± 350 is 25 ± 25/3.
const MIDDLE: f64 = 1500.0;
const WENG_LIN_MIDDLE: f64 = 25.0;
const POINTS: f64 = 350.0 / (25.0 / 3.0);

/// Nobody is known better than this: people change, and a rating that is quite sure would not follow them.
const LEAST_DEVIATION: f64 = 45.0;

/// A newcomer's rating.
impl Default for Rating {
    fn default() -> Self {
        let Glicko2Rating { rating, deviation, volatility } = Glicko2Rating::new();
        Self { value: rating, deviation, volatility, games: 0 }
    }
}

/// How far somebody came; the better place comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Place {
    /// Won, or drew where nobody won.
    First,
    Lost,
    /// Left, and the engine took over: whatever it made of the game is not this player's.
    Left,
}

/// One who played.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Contestant {
    /// Those with the same side are a team.
    pub side: u8,
    pub place: Place,
}

/// The ratings after a game, in the order of those before it. A game without two sides changes nothing.
pub fn rate_game(contestants: &[Contestant], before: &[Rating]) -> Vec<Rating> {
    if let (&[one, other], &[rating, other_rating]) = (contestants, before)
        && one.side != other.side
    {
        return rate_two([one.place, other.place], [rating, other_rating]).to_vec();
    }
    rate_many(contestants, before)
}

fn rate_two(places: [Place; 2], before: [Rating; 2]) -> [Rating; 2] {
    let outcome = match places[0].cmp(&places[1]) {
        std::cmp::Ordering::Less => Outcomes::WIN,
        std::cmp::Ordering::Equal => Outcomes::DRAW,
        std::cmp::Ordering::Greater => Outcomes::LOSS,
    };
    let [one, other] = before.map(|Rating { value: rating, deviation, volatility, .. }| Glicko2Rating {
        rating,
        deviation,
        volatility,
    });
    let (one, other) = glicko2(&one, &other, &outcome, &Glicko2Config::new());
    let after = |before: Rating, new: Glicko2Rating| {
        played(Rating { value: new.rating, deviation: new.deviation, volatility: new.volatility, ..before })
    };
    [after(before[0], one), after(before[1], other)]
}

fn rate_many(contestants: &[Contestant], before: &[Rating]) -> Vec<Rating> {
    let mut sides: Vec<u8> = contestants.iter().map(|contestant| contestant.side).collect();
    sides.sort_unstable();
    sides.dedup();
    if sides.len() < 2 {
        return before.to_vec();
    }
    let members = |side: u8| contestants.iter().zip(before).enumerate().filter(move |(_, (one, _))| one.side == side);
    let teams = sides.iter().map(|&side| {
        let ratings: Vec<WengLinRating> = members(side).map(|(_, (_, &rating))| to_weng_lin(rating)).collect();
        // A team has come as far as the best of it.
        let place = members(side).map(|(_, (one, _))| one.place).min().unwrap_or(Place::Left);
        (ratings, MultiTeamOutcome::new(place as usize))
    });
    let teams: Vec<(Vec<WengLinRating>, MultiTeamOutcome)> = teams.collect();
    let teams: Vec<(&[WengLinRating], MultiTeamOutcome)> =
        teams.iter().map(|(ratings, place)| (ratings.as_slice(), *place)).collect();
    let rated = weng_lin_multi_team(&teams, &WengLinConfig::new());
    let mut after = before.to_vec();
    for (&side, team) in sides.iter().zip(rated) {
        for ((at, (_, &old)), new) in members(side).zip(team) {
            after[at] = played(from_weng_lin(new, old));
        }
    }
    after
}

fn to_weng_lin(rating: Rating) -> WengLinRating {
    WengLinRating { rating: (rating.value - MIDDLE) / POINTS + WENG_LIN_MIDDLE, uncertainty: rating.deviation / POINTS }
}

fn from_weng_lin(new: WengLinRating, old: Rating) -> Rating {
    Rating { value: (new.rating - WENG_LIN_MIDDLE) * POINTS + MIDDLE, deviation: new.uncertainty * POINTS, ..old }
}

fn played(rating: Rating) -> Rating {
    Rating { deviation: rating.deviation.max(LEAST_DEVIATION), games: rating.games.saturating_add(1), ..rating }
}

/// How much a game counts for each who played it. The games of the same two people within a day count less and less: the first
/// in full, the fifth half, the thirteenth a quarter. Among more than two, the mean over one's opponents counts.
pub fn weights(contestants: &[Contestant], met: &[Vec<u32>]) -> Vec<f64> {
    let weight = |one: usize| {
        let opponents = (0..contestants.len()).filter(|&other| contestants[other].side != contestants[one].side);
        let each: Vec<f64> = opponents.map(|other| 4.0 / (4.0 + f64::from(met[one][other]))).collect();
        if each.is_empty() { 1.0 } else { each.iter().sum::<f64>() / each.len() as f64 }
    };
    (0..contestants.len()).map(weight).collect()
}

/// The new ratings of those who played a game.
pub fn new_ratings(contestants: &[Contestant], standing: &Standing) -> Vec<Rating> {
    let before: Vec<Rating> = standing.ratings.iter().map(|rating| rating.unwrap_or_default()).collect();
    let full = rate_game(contestants, &before);
    let weighed = before.iter().zip(full).zip(weights(contestants, &standing.met)).map(|((before, full), weight)| {
        let part = |before: f64, full: f64| if weight < 1.0 { before + weight * (full - before) } else { full };
        Rating {
            value: part(before.value, full.value),
            deviation: part(before.deviation, full.deviation),
            volatility: part(before.volatility, full.volatility),
            games: full.games,
        }
    });
    weighed.collect()
}

/// Who is rated for a table: everybody at a finished, rated one where no seat was the engine's from the start, and where each
/// side has made a move.
pub fn contestants(state: &State) -> Option<(Vec<UserId>, Vec<Contestant>)> {
    if state.status != Status::Finished || !state.setup.rated {
        return None;
    }
    let sides = |moved: bool| -> BTreeSet<u8> {
        let seats = Seat::all(state.game.seats()).filter(|&seat| !moved || state.has_moved(seat));
        seats.map(|seat| state.game.side(seat)).collect()
    };
    if sides(true) != sides(false) {
        return None;
    }
    let winners = &state.ending.as_ref()?.winners;
    let rated = state.seats.iter().zip(Seat::all(state.game.seats())).map(|(seated, seat)| {
        let place = if seated.taken_over {
            Place::Left
        } else if winners.is_empty() || winners.contains(&seat.number()) {
            Place::First
        } else {
            Place::Lost
        };
        Some((seated.user?, Contestant { side: state.game.side(seat), place }))
    });
    rated.collect::<Option<Vec<_>>>().map(|rated| rated.into_iter().unzip())
}

/// Counts the result of a table for the ratings of its game and class of clock: gives whether this call did it. It is done
/// at most once, whoever asks how often. A game that changes no rating is counted as well, so that those after it need not wait.
pub async fn rate_table(store: &Store, state: &State) -> Result<bool, StoreError> {
    let (users, contestants) = contestants(state).unwrap_or_default();
    let (game, class) = (&state.setup.game, state.setup.clock.class());
    let at = state.ended.unwrap_or(state.created);
    store.rate(&state.id, game, class, at, &users, move |standing| new_ratings(&contestants, standing)).await
}

/// A rating that is not the one that follows from the logs.
#[derive(Clone, PartialEq, Debug)]
pub struct Difference {
    pub user: UserId,
    pub game: String,
    pub class: String,
    /// As it is kept, and as it follows from the logs.
    pub kept: Option<Rating>,
    pub recomputed: Option<Rating>,
}

/// Ratings by user, game and class of clock.
pub(super) type Ratings = BTreeMap<(UserId, String, String), Rating>;

fn keyed(ratings: Vec<RatingOf>) -> Ratings {
    ratings.into_iter().map(|RatingOf { user, at }| ((user, at.game, at.class), at.rating)).collect()
}

/// Counts all numbered games again, from their logs, and gives how many there are and the ratings that follow. Ratings that are
/// made from games without numbers, which were counted by an earlier version, are where it begins.
pub(super) async fn count_again(store: &Store) -> Result<(u64, Ratings), StoreError> {
    const PAGE: usize = 100;
    type Played = Vec<(Millis, Vec<UserId>)>;
    let mut ratings = keyed(store.base_ratings().await?);
    // For each game and class who played when.
    let mut played: BTreeMap<(String, String), Played> = BTreeMap::new();
    let (mut games, mut after) = (0, 0);
    loop {
        let page = store.counted(after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after = last.number;
        for CountedGame { table, gone, .. } in page {
            games += 1;
            let Some(state) = read(store, &table).await? else { continue };
            let Some((users, contestants)) = contestants(&state) else { continue };
            let key = (state.setup.game.clone(), state.setup.clock.class().to_owned());
            let at = state.ended.unwrap_or(state.created);
            let before = played.entry(key.clone()).or_default();
            let met = |one: UserId, other: UserId| {
                let lately = before.iter().filter(|(then, _)| *then > at - LATELY);
                if one == other {
                    return 0;
                }
                lately.filter(|(_, users)| users.contains(&one) && users.contains(&other)).count() as u32
            };
            let key = |user: UserId| (user, key.0.clone(), key.1.clone());
            let known = |user: UserId| ratings.get(&key(user)).copied().filter(|_| !gone.contains(&user));
            let standing = Standing {
                ratings: users.iter().map(|&user| known(user)).collect(),
                met: users.iter().map(|&one| users.iter().map(|&other| met(one, other)).collect()).collect(),
            };
            for (&user, new) in users.iter().zip(new_ratings(&contestants, &standing)) {
                if !gone.contains(&user) {
                    ratings.insert(key(user), new);
                }
            }
            before.push((at, users));
        }
    }
    Ok((games, ratings))
}

/// Counts all numbered games again, from their logs, and gives how many there are and which ratings differ.
pub async fn recompute(store: &Store) -> Result<(u64, Vec<Difference>), StoreError> {
    let (games, ratings) = count_again(store).await?;
    let kept = keyed(store.all_ratings().await?);
    let mut differences = Vec::new();
    for (key, &rating) in &kept {
        let recomputed = ratings.get(key).copied();
        if recomputed != Some(rating) {
            let (user, game, class) = key.clone();
            differences.push(Difference { user, game, class, kept: Some(rating), recomputed });
        }
    }
    for (key, &rating) in ratings.iter().filter(|(key, _)| !kept.contains_key(key)) {
        // Deleted people have no rating any more.
        if store.user(key.0).await?.is_some() {
            let (user, game, class) = key.clone();
            differences.push(Difference { user, game, class, kept: None, recomputed: Some(rating) });
        }
    }
    Ok((games, differences))
}

/// A table out of its log; none if it cannot be read.
async fn read(store: &Store, table: &TableId) -> Result<Option<State>, StoreError> {
    const PAGE: usize = 1000;
    let mut log = Vec::new();
    loop {
        let page = store.entries(table, log.len() as u64, PAGE).await?;
        let last = page.len() < PAGE;
        log.extend(page);
        if last {
            return Ok(State::replay(GAMES, table.clone(), &log).ok());
        }
    }
}

#[cfg(test)]
mod tests {
    use quincunx_core::{Seat, Turn};
    use quincunx_games::GAMES;
    use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};
    use serde_json::json;

    use super::{Contestant, Place, contestants, new_ratings, rate_game, rate_table, weights};
    use crate::model::{Rating, Standing};
    use crate::store::{NewUser, Store};
    use quincunx_table::Person;
    use quincunx_table::{Command, Ending, Request, State};
    use quincunx_table::{Status, TableId, UserId, UserKind};

    use Place::{First, Left, Lost};

    fn game(players: &[(u8, Place)]) -> Vec<Contestant> {
        players.iter().map(|&(side, place)| Contestant { side, place }).collect()
    }

    fn rating(value: f64, deviation: f64) -> Rating {
        Rating { value, deviation, ..Rating::default() }
    }

    fn is_about(number: f64, expected: f64, within: f64) -> bool {
        (number - expected).abs() <= within
    }

    /// The first example in the documentation of the crate.
    #[test]
    fn a_newcomer_who_beats_a_newcomer_gains_what_glicko_2_says() {
        let after = rate_game(&game(&[(0, First), (1, Lost)]), &[Rating::default(); 2]);
        assert!(is_about(after[0].value, 1662.0, 0.5) && is_about(after[1].value, 1338.0, 0.5), "{after:?}");
        for rating in after {
            assert!(is_about(rating.deviation, 290.0, 0.5), "{rating:?}");
            assert!(is_about(rating.volatility, 0.059_999_675, 1e-9), "{rating:?}");
            assert_eq!(rating.games, 1);
        }
    }

    /// Worked by hand from the formulas of Glickman's paper, with the player and the first opponent of its example.
    #[test]
    fn the_first_game_of_glickmans_example() {
        let after = rate_game(&game(&[(0, First), (1, Lost)]), &[rating(1500.0, 200.0), rating(1400.0, 30.0)]);
        // g = 0.9955 and E = 0.639 are in the paper; v = 1 / (g² E (1 - E)), φ' = 1 / √(1/(φ² + σ²) + 1/v).
        let (g, e, phi, sigma) = (0.9955_f64, 0.639, 200.0 / 173.7178, 0.06);
        let v = 1.0 / (g * g * e * (1.0 - e));
        let new_phi = (1.0_f64 / (1.0 / (phi * phi + sigma * sigma) + 1.0 / v)).sqrt();
        assert!(is_about(after[0].deviation, new_phi * 173.7178, 0.1), "{after:?}");
        assert!(is_about(after[0].value, 1500.0 + 173.7178 * new_phi * new_phi * g * (1.0 - e), 0.2), "{after:?}");
    }

    #[test]
    fn a_draw_changes_equals_alike_and_brings_others_together() {
        for players in [&[(0, First), (1, First)][..], &[(0, First), (1, First), (2, First)]] {
            let after = rate_game(&game(players), &vec![Rating::default(); players.len()]);
            for rating in after {
                assert!(is_about(rating.value, 1500.0, 1e-9) && rating.deviation < 350.0, "{rating:?}");
            }
        }
        let after = rate_game(&game(&[(0, First), (1, First)]), &[rating(1700.0, 100.0), rating(1500.0, 100.0)]);
        assert!(after[0].value < 1700.0 && after[1].value > 1500.0, "{after:?}");
    }

    /// The example of Weng-Lin for three teams in the documentation of the crate, on our scale.
    #[test]
    fn teams_gain_and_lose_what_weng_lin_says() {
        let ours = |value: f64, uncertainty: f64| rating(1500.0 + (value - 25.0) * 42.0, uncertainty * 42.0);
        let unknown = Rating::default();
        let before = [
            [unknown, ours(30.0, 1.2), ours(21.0, 6.5)],
            [unknown, ours(41.0, 1.4), ours(19.2, 4.3)],
            [unknown, ours(29.4, 1.6), ours(17.2, 2.1)],
        ];
        let expected = [[25.38, 30.01, 21.23], [27.96, 41.08, 19.99], [21.66, 29.28, 16.99]];
        // Teams sit alternately, as people do.
        let places = [Lost, First, Left];
        let seats: Vec<(usize, usize)> = (0..3).flat_map(|at| (0..3).map(move |team| (team, at))).collect();
        let players: Vec<(u8, Place)> = seats.iter().map(|&(team, _)| (team as u8, places[team])).collect();
        let ratings: Vec<Rating> = seats.iter().map(|&(team, at)| before[team][at]).collect();
        let after = rate_game(&game(&players), &ratings);
        for (&(team, at), rating) in seats.iter().zip(after) {
            let value = (rating.value - 1500.0) / 42.0 + 25.0;
            assert!(is_about(value, expected[team][at], 0.005_001), "{team} {at}: {value}");
        }
    }

    #[test]
    fn partners_share_and_the_better_known_moves_less() {
        let before = [Rating::default(), Rating::default(), Rating::default(), rating(1500.0, 60.0)];
        let after = rate_game(&game(&[(0, First), (1, Lost), (0, First), (1, Lost)]), &before);
        assert!(after[0].value > 1500.0 && is_about(after[0].value, after[2].value, 1e-9), "{after:?}");
        assert!(after[1].value < after[3].value && after[3].value < 1500.0, "{after:?}");
        assert!(after.iter().all(|rating| rating.games == 1));
    }

    #[test]
    fn among_three_the_winner_gains_and_who_left_loses_most() {
        let after = rate_game(&game(&[(0, Lost), (1, First), (2, Left)]), &[Rating::default(); 3]);
        assert!(is_about(after[0].value, 1500.0, 1e-9), "{after:?}");
        assert!(after[1].value > 1500.0 && after[2].value < 1500.0, "{after:?}");
    }

    #[test]
    fn a_rating_stays_open_to_change() {
        let (mut two, mut three) = (vec![Rating::default(); 2], vec![Rating::default(); 3]);
        for _ in 0..1_000 {
            two = rate_game(&game(&[(0, First), (1, First)]), &two);
            three = rate_game(&game(&[(0, First), (1, First), (2, First)]), &three);
        }
        assert!(
            two.iter().chain(&three).all(|rating| rating.deviation >= 45.0 && rating.games == 1_000),
            "{two:?} {three:?}"
        );
    }

    #[test]
    fn a_game_without_two_sides_changes_nothing() {
        let before = [rating(1600.0, 80.0), rating(1400.0, 90.0)];
        assert_eq!(rate_game(&game(&[(0, First), (0, First)]), &before), before);
        assert_eq!(rate_game(&[], &[]), []);
    }

    fn somebody(id: UserId) -> Person {
        Person { id, name: "somebody".to_owned(), kind: UserKind::Account }
    }

    /// A table whose seats are all taken, by these users in order.
    fn table(name: &str, game: &str, rated: bool, users: &[UserId]) -> State {
        let clock = json!({"kind": "correspondence", "days": 1});
        let setup =
            json!({"game": game, "rated": rated, "clock": clock, "seats": vec![json!({"kind": "open"}); users.len()]});
        let setup = serde_json::from_value(setup).expect("a set-up");
        let host = somebody(users[0]);
        let request = Request { person: &host, seat: None, command: None, at: 0 };
        let (mut state, _) = State::create(
            GAMES,
            TableId(name.to_owned()),
            setup,
            "key".to_owned(),
            request,
            &mut Xoshiro256PlusPlus::seed_from_u64(1),
        )
        .expect("a table");
        for (seat, &user) in users.iter().enumerate() {
            say(&mut state, user, json!({"type": "sit", "seat": seat}));
        }
        state
    }

    fn say(state: &mut State, user: UserId, command: serde_json::Value) {
        let command: Command = serde_json::from_value(command).expect("a command");
        let person = somebody(user);
        let request = Request { person: &person, seat: None, command: None, at: 0 };
        state.decide(&command, request, &mut Xoshiro256PlusPlus::seed_from_u64(1)).expect("it is done");
    }

    /// So many whole turns are played, one after the other.
    fn play(state: &mut State, users: &[UserId], turns: usize) {
        for _ in 0..turns {
            let Turn::Seat(seat) = state.game.turn() else { panic!("somebody is on turn") };
            while state.game.turn() == Turn::Seat(seat) {
                let action = state.game.actions(seat)[0].clone();
                say(state, users[seat.index()], json!({"type": "act", "action": action}));
            }
        }
    }

    #[test]
    fn a_game_without_a_move_of_each_side_does_not_count() {
        let users = [UserId(1), UserId(2)];
        for moves in 0..3 {
            let mut state = table("early", "trexo", true, &users);
            play(&mut state, &users, moves);
            say(&mut state, users[1], json!({"type": "resign"}));
            assert_eq!(contestants(&state).is_some(), moves == 2, "{moves} moves");
        }
        // The moves of an engine for somebody who has left are not this one's.
        let users = [UserId(1), UserId(2), UserId(3)];
        let mut state = table("left", "mod-x", true, &users);
        play(&mut state, &users, 1);
        say(&mut state, users[1], json!({"type": "resign"}));
        while state.game.turn() == Turn::Seat(Seat::new(1)) {
            let action = state.game.actions(Seat::new(1))[0].clone();
            let rng = &mut Xoshiro256PlusPlus::seed_from_u64(1);
            state.engine_acts(Seat::new(1), &action, 0, rng).expect("it acts");
        }
        play(&mut state, &users, 1);
        for user in [users[0], users[2]] {
            say(&mut state, user, json!({"type": "resign"}));
        }
        assert_eq!((state.status, contestants(&state)), (Status::Finished, None));
    }

    #[test]
    fn games_of_the_same_two_count_less_and_less() {
        let two = game(&[(0, First), (1, Lost)]);
        let gain = |met: u32| {
            let standing = Standing { ratings: vec![None; 2], met: vec![vec![0, met], vec![met, 0]] };
            let [won, lost] = new_ratings(&two, &standing)[..] else { panic!("two ratings") };
            assert_eq!((won.games, lost.games), (1, 1));
            assert!(is_about(won.value - 1500.0, 1500.0 - lost.value, 1e-9));
            (won.value - 1500.0, 350.0 - won.deviation)
        };
        let full = rate_game(&two, &[Rating::default(); 2])[0];
        for (met, weight) in [(0, 1.0), (1, 0.8), (4, 0.5), (12, 0.25)] {
            let (value, deviation) = gain(met);
            assert!(is_about(value, weight * (full.value - 1500.0), 1e-9), "{met}: {value}");
            assert!(is_about(deviation, weight * (350.0 - full.deviation), 1e-9), "{met}: {deviation}");
        }
        // Among three it is the mean over those against whom one played; partners do not count.
        let three = game(&[(0, First), (1, Lost), (2, Lost)]);
        assert_eq!(weights(&three, &[vec![0, 4, 0], vec![4, 0, 0], vec![0, 0, 0]]), [0.75, 0.75, 1.0]);
        let teams = game(&[(0, First), (1, Lost), (0, First), (1, Lost)]);
        let partners = vec![vec![0, 0, 9, 0], vec![0, 0, 0, 9], vec![9, 0, 0, 0], vec![0, 9, 0, 0]];
        assert_eq!(weights(&teams, &partners), [1.0; 4]);
    }

    #[test]
    fn only_finished_rated_games_count() {
        let users = [UserId(1), UserId(2)];
        let mut rated = table("rated", "trexo", true, &users);
        assert_eq!(rated.status, Status::Playing);
        assert_eq!(contestants(&rated), None);
        play(&mut rated, &users, 2);
        say(&mut rated, users[0], json!({"type": "resign"}));
        assert_eq!(contestants(&rated), Some((users.to_vec(), game(&[(0, Lost), (1, First)]))));
        let mut friendly = table("friendly", "trexo", false, &users);
        say(&mut friendly, users[0], json!({"type": "resign"}));
        assert_eq!((friendly.status, contestants(&friendly)), (Status::Finished, None));
        // A seat without a user is the engine's.
        std::sync::Arc::make_mut(&mut rated.seats)[1].user = None;
        assert_eq!(contestants(&rated), None);
    }

    #[test]
    fn what_the_engine_wins_for_who_left_is_not_theirs() {
        let users = [UserId(1), UserId(2), UserId(3)];
        let mut state = table("three", "mod-x", true, &users);
        play(&mut state, &users, 3);
        say(&mut state, users[1], json!({"type": "resign"}));
        assert!(state.is_engine(Seat::new(1)) && state.status == Status::Playing);
        state.status = Status::Finished;
        state.ending = Some(Ending { winners: vec![1], reason: "points".to_owned() });
        assert_eq!(contestants(&state), Some((users.to_vec(), game(&[(0, Lost), (1, Left), (2, Lost)]))));
    }

    #[tokio::test]
    async fn a_table_is_counted_once_for_its_game_and_class_of_clock() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let sqlite = Store::sqlite(folder.path().join("quincunx.db")).await.expect("SQLite opens");
        for store in [Store::memory(), sqlite] {
            let mut users = Vec::new();
            for name in ["Ada", "Bo"] {
                let new =
                    NewUser { name: name.to_owned(), kind: UserKind::Account, owner: None, password: None, at: 0 };
                users.push(store.add_user(new).await.expect("a user").id);
            }
            let mut state = table("t", "trexo", true, &users);
            play(&mut state, &users, 2);
            say(&mut state, users[0], json!({"type": "resign"}));
            assert_eq!(rate_table(&store, &state).await, Ok(true));
            assert_eq!(rate_table(&store, &state).await, Ok(false));
            let expected = rate_game(&game(&[(0, Lost), (1, First)]), &[Rating::default(); 2]);
            for (&user, expected) in users.iter().zip(expected) {
                assert_eq!(store.rating(user, "trexo", "correspondence").await, Ok(Some(expected)));
                assert_eq!(store.rating(user, "trexo", "blitz").await, Ok(None));
            }
            store.close().await;
        }
    }
}
