//! The rules page, sentence by sentence, and comparisons with slow and obvious code.

mod accessors;
mod deal;
mod hidden;
mod placing;
mod plunder;
mod random_games;
mod reference;
mod removing;
mod scoring;
mod texts;
mod trading;
mod turns;

use quincunx_core::{Actor, Game, Seat, Session, Turn, Viewer, options_from_json};
use serde_json::Value;

use super::XMarksTheSpot;

/// A deck in which whatever a test wants to draw is there.
const PLENTY: &str = r#"{"cc":40,"rr":40,"aa":40,"ww":40,"cr":40,"ca":40,"cw":40,"ra":40,"rw":40,"aw":40,"cg":40,"rg":40,
    "ag":40,"wg":40,"co":40,"ro":40,"ao":40,"wo":40,"ck":40,"rk":40,"ak":40,"wk":40,"gk":40,"go":40,"ko":40,
    "gg":40,"kk":40,"oo":40,"cannon":40,"heading":40,"parlay":40,"plunder":40}"#;

fn options(json: &str) -> super::Options {
    options_from_json(&serde_json::from_str(json).unwrap()).unwrap()
}

/// A hand that a test has no use for.
const FILL: &str = "ko ko ko ko";

/// Two players, Condent and Rackham, who hold nothing of interest.
fn two() -> Table {
    Table::dealt("cr", &[FILL, FILL])
}

/// Makes an action in a position that a test has changed by hand.
#[track_caller]
fn play(game: &mut XMarksTheSpot, text: &str) {
    let actor = game.turn().actor().unwrap();
    game.try_play(actor, text.parse().unwrap()).unwrap();
}

/// A game driven by texts.
struct Table(Session<XMarksTheSpot>);

impl Table {
    fn with_options(seats: u8, json: &str) -> Self {
        Self(Session::new(seats, options(json)).unwrap())
    }

    /// A table with plenty of all cards, after these flags (`"cr"`) and hands of four were dealt.
    fn dealt(flags: &str, hands: &[&str]) -> Self {
        Self::dealt_with(flags, hands, "")
    }

    /// The same with more options, such as `"doubloons": 1`.
    fn dealt_with(flags: &str, hands: &[&str], more: &str) -> Self {
        let comma = if more.is_empty() { "" } else { "," };
        Self::with_options(hands.len() as u8, &format!(r#"{{"deck":{PLENTY}{comma}{more}}}"#)).deal(flags, hands)
    }

    fn deal(mut self, flags: &str, hands: &[&str]) -> Self {
        for flag in flags.chars() {
            self.does(&format!("flag:{flag}"));
        }
        for hand in hands {
            self.draws(hand);
        }
        self
    }

    /// Makes actions, separated by semicolons, each by whoever is on turn.
    #[track_caller]
    fn does(&mut self, actions: &str) -> &mut Self {
        for action in actions.split(';').map(str::trim) {
            if let Err(error) = self.0.apply(None, action) {
                panic!("{error}\n{}", self.0.game().view(Viewer::Everything));
            }
        }
        self
    }

    /// Draws these cards.
    #[track_caller]
    fn draws(&mut self, cards: &str) -> &mut Self {
        for card in cards.split_whitespace() {
            self.does(&format!("+{card}"));
        }
        self
    }

    /// A turn: draws these cards, then plays.
    #[track_caller]
    fn turn(&mut self, draws: &str, actions: &str) -> &mut Self {
        self.does("draw").draws(draws).does(actions)
    }

    /// Lays cards such as `"cr 0,0 e; aw 0,1 n"`, two in a turn, each drawn just before.
    #[track_caller]
    fn lays(&mut self, places: &str) -> &mut Self {
        let places: Vec<&str> = places.split(';').map(str::trim).collect();
        for pair in places.chunks(2) {
            let card = |place: &str| place.split(' ').next().unwrap().to_owned();
            let second = pair.get(1).map_or("ko".to_owned(), |place| card(place));
            self.does("draw").draws(&card(pair[0])).draws(&second);
            for place in pair {
                self.does(&format!("place {place}"));
            }
        }
        self
    }

    /// Why an action of whoever is on turn is refused.
    #[track_caller]
    fn refuses(&mut self, action: &str) -> String {
        let before = self.0.game().clone();
        let error = self.0.apply(None, action).expect_err(action).to_string();
        assert!(*self.0.game() == before, "{action} has changed the position");
        error
    }

    fn game(&self) -> &XMarksTheSpot {
        self.0.game()
    }

    /// The texts of all legal actions, or of all chance outcomes, in order.
    fn legal(&self) -> Vec<String> {
        texts(self.game())
    }

    /// The legal actions that begin so.
    fn legal_with(&self, start: &str) -> Vec<String> {
        self.legal().into_iter().filter(|text| text.starts_with(start)).collect()
    }

    fn on_turn(&self) -> Option<u8> {
        match self.game().turn() {
            Turn::Seat(seat) => Some(seat.number()),
            Turn::Chance | Turn::Over => None,
        }
    }

    fn is_chance(&self) -> bool {
        self.game().turn() == Turn::Chance
    }

    /// The winners and the reason.
    fn result(&self) -> Option<(Vec<u8>, &'static str)> {
        let outcome = self.game().outcome()?;
        Some((outcome.winners.iter().map(Seat::number).collect(), outcome.reason))
    }

    fn scores(&self) -> Vec<i32> {
        Seat::all(self.game().seats()).map(|seat| self.game().score(seat)).collect()
    }

    fn view(&self, viewer: Viewer) -> Value {
        serde_json::to_value(self.game().view(viewer)).unwrap()
    }

    fn everything(&self) -> Value {
        self.view(Viewer::Everything)
    }

    /// The hand of a seat, such as `"cr cannon"`.
    fn hand(&self, seat: usize) -> String {
        let view = self.everything();
        let cards = view["players"][seat]["hand"].as_array().unwrap();
        cards.iter().map(|card| card.as_str().unwrap()).collect::<Vec<_>>().join(" ")
    }

    /// The discard pile, such as `"cr 2*cannon"`.
    fn discard(&self) -> String {
        let view = self.everything();
        let text = |stack: &Value| match stack["copies"].as_u64().unwrap() {
            1 => stack["card"].as_str().unwrap().to_owned(),
            copies => format!("{copies}*{}", stack["card"].as_str().unwrap()),
        };
        view["discard"].as_array().unwrap().iter().map(text).collect::<Vec<_>>().join(" ")
    }

    /// The squares with doubloons and whose they are.
    fn doubloons(&self) -> Vec<(i64, i64, u64)> {
        let view = self.everything();
        let number = |value: &Value| value.as_i64().unwrap();
        let square = |coin: &Value| (number(&coin["x"]), number(&coin["y"]), coin["seat"].as_u64().unwrap());
        view["doubloons"].as_array().unwrap().iter().map(square).collect()
    }
}

fn texts(game: &XMarksTheSpot) -> Vec<String> {
    let mut texts: Vec<String> = match game.turn().actor() {
        None => Vec::new(),
        Some(Actor::Seat(seat)) => {
            let mut actions = Vec::new();
            game.actions(seat, &mut actions);
            actions.iter().map(ToString::to_string).collect()
        }
        Some(Actor::Chance) => {
            let mut chances = Vec::new();
            game.chances(&mut chances);
            chances.iter().map(|(action, weight)| format!("{action} x{weight}")).collect()
        }
    };
    texts.sort();
    texts
}

fn seat(number: u8) -> Viewer {
    Viewer::Seat(Seat::new(number))
}
