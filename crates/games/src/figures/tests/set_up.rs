//! The display, the bank, texts and the options.

use quincunx_core::{ActionError, SetupError, Turn, Viewer};

use super::{super::Options, *};

#[test]
fn the_display_has_25_markers_five_in_each_of_five_colours_in_stripes() {
    let game = start(2, &json!({}));
    let display: String = Square::all().map(|square| game.colour_of(square).letter()).collect();
    assert_eq!(display, "rygbn".to_owned() + "ygbnr" + "gbnry" + "bnryg" + "nrygb");
    let drawn = layout(
        "
        n r y g b
        b n r y g
        g b n r y
        y g b n r
        r y g b n",
    );
    assert_eq!(drawn, display);
    assert_conserved(&game);
}

#[test]
fn the_bank_holds_one_stone_of_each_colour() {
    let game = start(2, &json!({}));
    assert_eq!(game.view(Viewer::Spectator).bank, Colour::ALL);
    assert_eq!(texts(&game, 0), ["+b", "+g", "+n", "+r", "+y"]);
    assert!(texts(&game, 1).is_empty());
}

#[test]
fn it_is_played_by_two_or_by_four_as_two_teams() {
    for seats in [2, 4] {
        let game = start(seats, &json!({}));
        assert_eq!((game.seats(), game.turn()), (seats, Turn::Seat(Seat::new(0))));
        assert!(Seat::all(seats).map(|seat| game.side(seat)).eq([0, 1, 0, 1].into_iter().take(seats.into())));
    }
    let refused = Session::<Figures>::new(3, Options::default()).unwrap_err();
    assert!(matches!(refused, SetupError::Seats { seats: 3, .. }));
}

#[test]
fn a_text_has_one_form() {
    for good in ["+r", "+y", "+g", "+b", "+n", "-r", "-n", "a1b1", "a1e5", "e1a2", "d5e5"] {
        assert_eq!(good.parse::<Action>().unwrap().to_string(), good);
    }
    for bad in [
        "",
        "+",
        "-",
        "r",
        "+R",
        "+rr",
        "+x",
        "+é",
        "-1",
        "+0",
        "a1",
        "a1a1",
        "b1a1",
        "a2e1",
        "a1f1",
        "a1a6",
        "a01b1",
        "a1b01",
        "a1b1 ",
        " a1b1",
        "a1b1c1",
        "A1b1",
        "a1-b1",
        "a1b",
        "é1a1",
        "a1é1",
        "a1b99999999999",
        "+r ",
        "done",
    ] {
        assert!(bad.parse::<Action>().is_err(), "{bad:?}");
    }
    assert_eq!("c3a1".parse::<Action>().unwrap_err().to_string(), "the lower square comes first: a1c3");
    assert_eq!("a2e1".parse::<Action>().unwrap_err().to_string(), "the lower square comes first: e1a2");
    assert!("a1f1".parse::<Action>().unwrap_err().to_string().contains("columns a to e and rows 1 to 5"));
    let mut session = session(2, &json!({}));
    assert!(matches!(session.apply(None, "+R"), Err(ActionError::Malformed { .. })));
    assert!(matches!(session.apply(None, "-r"), Err(ActionError::Illegal { .. })));
    assert_eq!(session.ply(), 0);
}

#[test]
fn options_have_their_defaults_and_ranges() {
    let printed = json!({
        "target": 61, "turn_limit": 500, "layout": "stripes", "zigzag": "alternating", "diagonal_lines": false
    });
    assert_eq!(serde_json::to_value(Options::default()).unwrap(), printed);
    for bad in [
        json!({"target": 0}),
        json!({"target": 501}),
        json!({"turn_limit": 0}),
        json!({"turn_limit": 10001}),
        json!({"zigzag": "Staircase"}),
        json!({"zigzag": null}),
        json!({"diagonal_lines": 1}),
        json!({"layout": null}),
        json!({"layout": 5}),
        json!({"layout": ""}),
        json!({"layout": "Stripes"}),
        json!({"size": 5}),
    ] {
        assert!(options_from_json::<Options>(&bad).is_err(), "{bad}");
    }
    for good in [json!({"target": 1, "turn_limit": 1}), json!({"target": 500, "turn_limit": 10000})] {
        let view = start(4, &good).view(Viewer::Spectator);
        assert_eq!((json!(view.target), json!(view.turn_limit)), (good["target"].clone(), good["turn_limit"].clone()));
    }
}

#[test]
fn a_layout_is_25_colour_letters_five_of_each() {
    let why = |text: &str| options_from_json::<Options>(&json!({"layout": text})).unwrap_err().to_string();
    assert!(why("rygbn").contains("25 letters"));
    assert!(why(&"rygbx".repeat(5)).contains("'x' is not a colour"));
    assert!(why(&"rygbé".repeat(5)).contains("is not a colour"));
    assert!(why(&("r".to_owned() + &"rygbn".repeat(4) + "rygb")).contains("not 6 of red"));
    let text = "rrrrryyyyygggggbbbbbnnnnn";
    let options: Options = options_from_json(&json!({"layout": text})).unwrap();
    assert_eq!(serde_json::to_value(&options).unwrap()["layout"], json!(text), "and is written as it was given");
    let game = start(2, &json!({"layout": text}));
    let display: String = Square::all().map(|square| game.colour_of(square).letter()).collect();
    assert_eq!(display, text);
}

#[test]
fn the_schema_of_the_options_tells_the_form_of_a_layout() {
    let schema = schemars::schema_for!(Options).to_value();
    let layout = &schema["properties"]["layout"];
    assert_eq!((&layout["type"], &layout["default"]), (&json!("string"), &json!("stripes")));
    assert_eq!(layout["pattern"], json!("^(stripes|[rygbn]{25})$"));
}

#[test]
fn whatever_is_read_is_written_the_same_and_no_text_is_too_odd_to_be_refused() {
    crate::testing::assert_read_as_written::<Action>("abcef01569+-rygbné\u{1F0CF} A", 5);
}
