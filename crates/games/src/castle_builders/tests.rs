//! The rules of Castle Builders, sentence by sentence.

mod hidden;
mod play;
mod properties;
mod reference;
mod scoring;
mod setup;

use std::collections::VecDeque;

use quincunx_core::{ActionError, Game, Session, Turn, Viewer, options_from_json};
use serde_json::{Value, json};

use super::{Action, Arrows, CastleBuilders, CounterView, Kind, Options, View};

type Table = Session<CastleBuilders>;

fn options(json: &Value) -> Options {
    options_from_json(json).unwrap()
}

/// A game after these actions, draws included.
fn played(options_json: &Value, actions: &str) -> Table {
    let mut session = Session::new(2, options(options_json)).unwrap();
    for action in actions.split_whitespace() {
        session.apply(None, action).unwrap_or_else(|error| panic!("{error}"));
    }
    session
}

/// A game after these counters were played; chance always draws what its player will need next, and ordinary counters (or
/// stop counters) when he needs no more.
fn script(options_json: &Value, plays: &str) -> Table {
    let mut needed = [VecDeque::new(), VecDeque::new()];
    let mut seat = 0;
    for play in plays.split_whitespace() {
        let letter = play.chars().next().unwrap();
        needed[seat].push_back(letter);
        if !"CK".contains(letter) {
            seat = 1 - seat;
        }
    }
    let mut session = played(options_json, "");
    let mut plays = plays.split_whitespace();
    let mut next = plays.next();
    loop {
        match (session.game().turn(), next) {
            (Turn::Chance, _) => {
                let drawer = session.game().drawer().unwrap().index();
                let needless = || if listed(&session).contains(&"+O".to_owned()) { 'O' } else { 'S' };
                let letter = needed[drawer].pop_front().unwrap_or_else(needless);
                session.apply(None, &format!("+{letter}")).unwrap_or_else(|error| panic!("{error}"));
            }
            (_, Some(play)) => {
                session.apply(None, play).unwrap_or_else(|error| panic!("{error}"));
                next = plays.next();
            }
            (_, None) => return session,
        }
    }
}

fn default(plays: &str) -> Table {
    script(&json!({}), plays)
}

/// The texts of the legal actions, sorted.
fn listed(session: &Table) -> Vec<String> {
    let mut texts: Vec<String> =
        session.to_json(Viewer::Everything).actions.into_iter().map(|action| action.action).collect();
    texts.sort();
    texts
}

fn view(session: &Table) -> View {
    session.game().view(Viewer::Everything)
}

fn scores(session: &Table) -> Vec<i32> {
    session.to_json(Viewer::Spectator).scores
}

/// A tower from the bottom: `y` or `g`, the kind, and the arrows of a bonus counter.
fn tower(session: &Table, number: usize) -> String {
    let view = view(session);
    let counters = view.towers[number - 1].spaces.iter().flatten().map(|counter| {
        let owner = ['y', 'g'][counter.seat as usize];
        format!("{owner}{}", written(counter))
    });
    counters.collect::<Vec<String>>().join(" ")
}

/// A counter as it is written in actions: its kind, and the arrows of a bonus counter.
fn written(counter: &CounterView) -> String {
    let arrows = match counter.arrows {
        Some(Arrows::Vertical) => "v",
        Some(Arrows::Horizontal) => "h",
        None => "",
    };
    format!("{}{arrows}", counter.kind)
}

/// The winner, or `draw`, and the reason; `*` while the game goes on.
fn result(session: &Table) -> String {
    match session.game().outcome() {
        Some(outcome) => match outcome.winners.iter().next() {
            Some(winner) => format!("{winner} {}", outcome.reason),
            None => format!("draw {}", outcome.reason),
        },
        None => "*".to_owned(),
    }
}

fn why(session: &mut Table, action: &str) -> String {
    match session.apply(None, action) {
        Err(ActionError::Illegal { why, .. }) => why.to_string(),
        other => panic!("{action}: {other:?}"),
    }
}

/// Counters of each kind, in the order of the rules page.
fn counters(numbers: [u8; 6]) -> Value {
    let letters = Kind::ALL.map(|kind| kind.letter().to_string());
    letters.into_iter().zip(numbers.map(Value::from)).collect::<serde_json::Map<_, _>>().into()
}

/// One tower of this height, roof 10, rows 1, 1, ..
fn one_tower(height: usize, numbers: [u8; 6]) -> Value {
    json!({"heights": [height], "roofs": [10], "rows": vec![1; height], "counters": counters(numbers)})
}

/// Two towers of this height, roofs 10 and 20, rows 1, 1, ..
fn two_towers(height: usize, numbers: [u8; 6]) -> Value {
    json!({"heights": [height, height], "roofs": [10, 20], "rows": vec![1; height], "counters": counters(numbers)})
}

/// The game of the rulebook's scoring sample, to its last counter.
const SAMPLE: &str = "
    O2 O5  O4 Bv4  O5 O2  Bv2 O4  O4 O5
    C1 O1 O5  C1 O3 S  C3 Bh3 S  O3 O2  O3 O4";
