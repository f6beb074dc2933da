//! Matches, played for real.

use std::num::NonZeroUsize;

use quincunx_arena::{Contest, Contestant, Repeats, games_at_once, play};
use quincunx_core::{Viewer, find};
use quincunx_games::GAMES;
use serde_json::{Value, json};

struct Setting {
    game: &'static str,
    seats: u64,
    options: Value,
    players: Vec<Contestant>,
    games: u32,
    threads: usize,
}

impl Setting {
    fn new(game: &'static str, seats: u64, players: &[&str], games: u32) -> Self {
        let players = players.iter().map(|player| player.parse().unwrap()).collect();
        Self { game, seats, options: json!({}), players, games, threads: 2 }
    }

    /// The mean score of each player, the records in the order of the rounds and seatings, and the seatings.
    fn play(&self) -> (Vec<f64>, Vec<String>) {
        let table = find(GAMES, self.game).unwrap().start(Some(self.seats), &self.options).unwrap();
        let contest = Contest {
            table: &*table,
            players: &self.players,
            games: self.games,
            opening: 2,
            seed: 7,
            threads: NonZeroUsize::new(self.threads).unwrap(),
        };
        let mut records = Vec::new();
        let scores = play(&contest, &mut |game, _| {
            records.push((game.round, format!("{:?}", game.seating), game.table.record().to_text()));
            true
        });
        records.sort();
        let text = |(round, seating, record): (u32, String, String)| format!("{round} {seating}\n{record}");
        (scores.unwrap().iter().map(quincunx_arena::Score::mean).collect(), records.into_iter().map(text).collect())
    }
}

#[test]
fn a_player_that_looks_ahead_beats_chance() {
    let (scores, records) = Setting::new("mod-x", 2, &["greedy", "random"], 20).play();
    assert_eq!(records.len(), 20);
    assert!(scores[0] > 0.7, "{scores:?}");
    assert!((scores[0] + scores[1] - 1.0).abs() < 1e-9, "every game is one point");
}

#[test]
fn games_are_rounded_up_to_whole_rounds() {
    assert_eq!(Setting::new("trexo", 2, &["random", "random"], 3).play().1.len(), 4);
    assert_eq!(Setting::new("mod-x", 4, &["random", "random"], 7).play().1.len(), 12);
    assert_eq!(Setting::new("x-marks-the-spot", 3, &["random", "random", "random"], 1).play().1.len(), 3);
}

#[test]
fn the_same_seed_gives_the_same_match_on_any_number_of_threads() {
    let setting = |threads| Setting { threads, ..Setting::new("castle-builders", 2, &["mcts@200nodes", "greedy"], 8) };
    assert_eq!(setting(1).play(), setting(2).play());
}

#[test]
fn both_games_of_a_round_begin_alike() {
    let (_, records) = Setting::new("trexo", 2, &["random", "greedy"], 8).play();
    for pair in records.chunks(2) {
        let opening = |record: &str| record.lines().find(|line| line.starts_with("0: ")).unwrap().to_owned();
        assert_eq!(opening(&pair[0]), opening(&pair[1]));
    }
}

#[test]
fn overlooked_patterns_are_claimed_by_engines_out_of_turn() {
    let setting = Setting {
        options: json!({"claims": "manual", "pieces": 30}),
        ..Setting::new("mod-x", 3, &["mcts@150nodes", "random"], 6)
    };
    let (_, records) = setting.play();
    assert!(records.iter().any(|record| record.contains('!')), "somebody has claimed something");
}

#[test]
fn a_match_can_be_ended_early() {
    let table = find(GAMES, "trexo").unwrap().start(None, &json!({})).unwrap();
    let players: Vec<Contestant> = ["random", "random"].map(|player| player.parse().unwrap()).to_vec();
    let threads = NonZeroUsize::new(1).unwrap();
    let contest = Contest { table: &*table, players: &players, games: 1000, opening: 0, seed: 1, threads };
    let mut games = 0;
    let scores = play(&contest, &mut |game, _| {
        games += 1;
        assert!(game.table.position(Viewer::Spectator).outcome.is_some());
        games < 10
    });
    assert_eq!((games, scores.unwrap()[0].rounds()), (10, 5));
}

#[test]
fn games_that_come_up_again_are_counted() {
    let table = find(GAMES, "trexo").unwrap().start(None, &json!({"size": 6})).unwrap();
    let threads = NonZeroUsize::MIN;
    let repeated = |players: &[Contestant], opening| {
        let contest = Contest { table: &*table, players, games: 10, opening, seed: 1, threads };
        let mut repeats = Repeats::default();
        play(&contest, &mut |game, _| {
            repeats.add(game);
            true
        })
        .unwrap();
        repeats.count()
    };
    let bots: Vec<Contestant> = ["cmd:false", "greedy"].map(|player| player.parse().unwrap()).to_vec();
    assert_eq!(repeated(&bots, 0), 0, "who forfeits without a move has not played the same game twice");
    let random: Vec<Contestant> = ["random", "random"].map(|player| player.parse().unwrap()).to_vec();
    assert_eq!(repeated(&random, 6), 5, "the two games of a round are the same: its players share their dice");
    let different: Vec<Contestant> = ["greedy", "random"].map(|player| player.parse().unwrap()).to_vec();
    assert_eq!(repeated(&different, 2), 0);
}

#[test]
fn no_more_games_run_at_once_than_there_are_cores_for_the_threads_of_a_player() {
    let at_once = |cores, players: &[&str], threads| {
        let machine =
            |player: &&str| player.parse::<Contestant>().unwrap().on_machine(NonZeroUsize::new(threads).unwrap(), 1);
        let players: Vec<Contestant> = players.iter().map(machine).collect();
        games_at_once(NonZeroUsize::new(cores).unwrap(), &players).get()
    };
    assert_eq!(at_once(2, &["master@100ms,2threads", "master@100ms"], 1), 1);
    assert_eq!(at_once(8, &["master@100ms", "master@100ms,3threads"], 1), 2);
    assert_eq!(at_once(8, &["master", "mcts"], 1), 8);
    assert_eq!(at_once(8, &["master", "mcts"], 4), 2);
    assert_eq!(at_once(2, &["master@16threads", "mcts"], 1), 1);
}
