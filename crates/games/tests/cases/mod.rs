//! The option sets and numbers of seats that the property tests go through.

use quincunx_core::{Game, Session, options_from_json};
use serde_json::{Value, json};

/// One way to set a game up.
pub struct Case {
    pub seats: u8,
    pub options: Value,
    /// How many random games a property is tried on.
    pub games: u64,
    /// So little is hidden that the sampler must come upon the true position soon.
    pub few_hidden: bool,
}

impl Case {
    pub fn new(seats: u8, options: Value) -> Self {
        Self { seats, options, games: 6, few_hidden: false }
    }

    fn games(self, games: u64) -> Self {
        Self { games, ..self }
    }

    fn few_hidden(self) -> Self {
        Self { few_hidden: true, ..self }
    }

    pub fn session<G: Game>(&self) -> Session<G> {
        Session::new(self.seats, options_from_json(&self.options).unwrap()).unwrap()
    }
}

pub fn trexo() -> Vec<Case> {
    let mut cases: Vec<Case> = (5..=11).map(|size| Case::new(2, json!({"size": size}))).collect();
    cases.extend([
        Case::new(2, json!({})).games(12),
        Case::new(2, json!({"swap": true})),
        Case::new(2, json!({"swap": true, "size": 5, "tiles": 2})),
        Case::new(2, json!({"tiles": 1})),
        Case::new(2, json!({"tiles": 45})),
        Case::new(2, json!({"tiles": 500, "size": 5})),
        Case::new(2, json!({"tiles": 500, "size": 11})).games(3),
    ]);
    cases
}

pub fn mod_x() -> Vec<Case> {
    let mut cases = Vec::new();
    for claims in ["auto", "manual"] {
        for seats in 2..=4 {
            cases.extend([
                Case::new(seats, json!({"claims": claims})).games(10),
                Case::new(seats, json!({"claims": claims, "pieces": 5, "markers": 5})),
                Case::new(seats, json!({"claims": claims, "pieces": 30, "markers": 64, "target": 64})).games(10),
                Case::new(seats, json!({"claims": claims, "target": 1, "pieces": 30, "joker_win": false})),
            ]);
        }
        cases.extend([
            Case::new(4, json!({"claims": claims, "teams": true})),
            Case::new(4, json!({"claims": claims, "teams": true, "pieces": 30, "markers": 6})),
        ]);
    }
    cases
}

pub fn figures() -> Vec<Case> {
    let mut cases = Vec::new();
    for seats in [2, 4] {
        cases.extend([
            Case::new(seats, json!({"turn_limit": 60})),
            Case::new(seats, json!({"zigzag": "staircase", "turn_limit": 60})),
            Case::new(seats, json!({"diagonal_lines": true, "turn_limit": 60})),
            Case::new(seats, json!({"target": 1})).games(3),
            Case::new(seats, json!({"turn_limit": 1})),
            Case::new(seats, json!({"layout": "rrrrryyyyygggggbbbbbnnnnn", "target": 5, "turn_limit": 60})),
            Case::new(seats, json!({"layout": "rgbnyrgbnyrgbnyrgbnyrgbny", "zigzag": "staircase", "turn_limit": 80})),
        ]);
    }
    cases
}

pub fn castle_builders() -> Vec<Case> {
    let counters = |o: u8, c: u8, b: u8, r: u8, k: u8, s: u8| json!({"O": o, "C": c, "B": b, "R": r, "K": k, "S": s});
    vec![
        Case::new(2, json!({})).games(20).few_hidden(),
        Case::new(2, json!({"heights": [1], "roofs": [0], "rows": [99]})).few_hidden(),
        Case::new(
            2,
            json!({"heights": [8, 8, 8, 8, 8, 8, 8, 8], "roofs": [1, 2, 3, 4, 5, 6, 7, 8],
                            "rows": [8, 7, 6, 5, 4, 3, 2, 1], "counters": counters(30, 30, 30, 30, 30, 30)}),
        ),
        Case::new(2, json!({"counters": counters(1, 0, 0, 0, 0, 0)})).few_hidden(),
        Case::new(2, json!({"counters": counters(0, 1, 0, 2, 2, 2)})).few_hidden(),
        Case::new(2, json!({"counters": counters(0, 0, 1, 1, 1, 0)})).few_hidden(),
        Case::new(
            2,
            json!({"heights": [1, 3, 2], "roofs": [9, 9, 9], "rows": [1, 2, 3],
                            "counters": counters(2, 2, 3, 3, 3, 3)}),
        )
        .games(20)
        .few_hidden(),
    ]
}

pub fn x_marks_the_spot() -> Vec<Case> {
    let mut cases = Vec::new();
    for seats in 2..=4 {
        cases.extend([
            Case::new(seats, json!({"turn_limit": 30})).games(3),
            Case::new(seats, json!({"turn_limit": 1})),
            Case::new(seats, json!({"turn_limit": 40, "doubloons": 1,
                "deck": {"cg": 20, "rg": 20, "ag": 10, "wg": 10, "gk": 4, "go": 10, "cannon": 4, "heading": 4}})).games(4),
            Case::new(seats, json!({"turn_limit": 30, "deck": {"parlay": 20, "plunder": 20, "cr": 6, "ko": 4, "heading": 8, "cannon": 8}})).games(6),
            Case::new(seats, json!({"turn_limit": 60, "deck": {"cannon": 13, "heading": 13, "parlay": 3, "plunder": 3}})).games(6),
            Case::new(seats, json!({"turn_limit": 60, "deck": {"cannon": 30}})),
            Case::new(seats, json!({"turn_limit": 30, "deck": {"gg": 8, "kk": 5, "oo": 5, "cr": 8, "cannon": 4, "heading": 4, "parlay": 3, "plunder": 3}})).games(4),
        ]);
    }
    // All that is hidden is a flag or two and where a few cards are.
    for seats in 2..=4 {
        for kind in ["parlay", "plunder", "cannon"] {
            let deck = |tiles: u8, others: u8| json!({"turn_limit": 12, "deck": {"cc": tiles, kind: others}});
            cases.extend([deck(24, 2), deck(2, 24)].map(|options| Case::new(seats, options).few_hidden().games(3)));
        }
    }
    cases
}

/// Makes, for each property, a test of each game that goes through all its cases.
macro_rules! for_every_game {
    ($($property:ident),* $(,)?) => {
        $(mod $property {
            use quincunx_core::Game;

            use crate::cases::{self, Case};

            fn hold<G: Game>(cases: Vec<Case>) {
                for case in &cases {
                    super::$property::<G>(case);
                }
            }

            #[test]
            fn trexo() {
                hold::<quincunx_games::Trexo>(cases::trexo());
            }

            #[test]
            fn mod_x() {
                hold::<quincunx_games::ModX>(cases::mod_x());
            }

            #[test]
            fn figures() {
                hold::<quincunx_games::Figures>(cases::figures());
            }

            #[test]
            fn castle_builders() {
                hold::<quincunx_games::CastleBuilders>(cases::castle_builders());
            }

            #[test]
            fn x_marks_the_spot() {
                hold::<quincunx_games::XMarksTheSpot>(cases::x_marks_the_spot());
            }
        })*
    };
}
pub(crate) use for_every_game;
