//! The rules of Trexo, sentence by sentence.

mod properties;
mod reference;

use quincunx_core::{ActionError, Game, Session, Turn, Viewer, options_from_json};
use serde_json::{Value, json};

use super::{Action, Options, Trexo};

fn options(json: &Value) -> Options {
    options_from_json(json).unwrap()
}

/// A game after these actions.
fn played(options_json: &Value, actions: &str) -> Session<Trexo> {
    let mut session = Session::new(2, options(options_json)).unwrap();
    for action in actions.split_whitespace() {
        session.apply(None, action).unwrap();
    }
    session
}

fn default(actions: &str) -> Session<Trexo> {
    played(&json!({}), actions)
}

/// The texts of the legal actions.
fn listed(session: &Session<Trexo>) -> Vec<String> {
    session.to_json(Viewer::Everything).actions.into_iter().map(|action| action.action).collect()
}

fn lists(session: &Session<Trexo>, action: &str) -> bool {
    listed(session).iter().any(|listed| listed == action)
}

/// The winner, or `draw`, and the reason; `*` while the game goes on.
fn result(session: &Session<Trexo>) -> String {
    match session.game().outcome() {
        Some(outcome) => match outcome.winners.iter().next() {
            Some(winner) => format!("{winner} {}", outcome.reason),
            None => format!("draw {}", outcome.reason),
        },
        None => "*".to_owned(),
    }
}

fn why(session: &mut Session<Trexo>, action: &str) -> String {
    match session.apply(None, action) {
        Err(ActionError::Illegal { why, .. }) => why.to_string(),
        other => panic!("{action}: {other:?}"),
    }
}

// Players and board

#[test]
fn two_play_seat_0_has_x_and_starts_then_they_take_turns() {
    let mut session = default("");
    assert!(Session::<Trexo>::new(1, Options::default()).is_err());
    assert!(Session::<Trexo>::new(3, Options::default()).is_err());
    for (action, seat) in [("e5f5", 0), ("a1a2", 1), ("j9j10", 0)] {
        let view = session.game().view(Viewer::Spectator);
        assert_eq!((view.to_move, view.x_seat, view.o_seat), (Some(seat), 0, 1));
        assert_eq!(session.apply(Some(u64::from(1 - seat)), action).map_err(|error| error.to_string()), {
            Err(format!("{action:?} is not legal: it is the turn of seat {seat}"))
        });
        session.apply(Some(u64::from(seat)), action).unwrap();
    }
}

#[test]
fn the_board_is_10_by_10_from_a1_to_j10_and_there_are_60_tiles() {
    let session = default("");
    let view = session.game().view(Viewer::Spectator);
    assert_eq!((view.size, view.tiles_left), (10, 60));
    assert!(view.rows.len() == 10 && view.rows.iter().all(|row| row.len() == 10));
    assert!(lists(&session, "a1b1") && lists(&session, "j10j9"));
}

#[test]
fn the_empty_board_has_360_actions() {
    assert_eq!(listed(&default("")).len(), 360);
}

#[test]
fn a_tile_shows_x_on_the_first_square_and_o_on_the_second_whoever_lays_it() {
    let view = default("e5f5 c3c2").game().view(Viewer::Spectator);
    let seen = |col: usize, row: usize| view.rows[row][col].as_ref().map(|square| (square.symbol, square.level));
    assert_eq!((seen(4, 4), seen(5, 4)), (Some(('X', 1)), Some(('O', 1))));
    assert_eq!((seen(2, 2), seen(2, 1)), (Some(('X', 1)), Some(('O', 1))));
    assert_eq!(view.rows.iter().flatten().flatten().count(), 4);
}

#[test]
fn either_player_chooses_which_square_gets_which_symbol() {
    for session in [default(""), default("a1b1")] {
        for action in ["e5f5", "f5e5", "e5e6", "e6e5"] {
            assert!(lists(&session, action), "{action}");
        }
    }
}

#[test]
fn the_whole_tile_is_on_the_board() {
    let mut session = default("");
    assert_eq!(why(&mut session, "j3k3"), "square k3: the board has columns a to j and rows 1 to 10");
    assert_eq!(why(&mut session, "a11a10"), "square a11: the board has columns a to j and rows 1 to 10");
    assert_eq!(why(&mut session, "z99y99"), "square z99: the board has columns a to j and rows 1 to 10");
}

#[test]
fn a_tile_covers_two_squares_side_by_side_never_diagonally() {
    let mut session = default("");
    assert_eq!(why(&mut session, "e5f6"), "e5 and f6 are not neighbours");
    assert_eq!(why(&mut session, "e5g5"), "e5 and g5 are not neighbours");
    assert_eq!(why(&mut session, "j1a2"), "j1 and a2 are not neighbours");
    assert_eq!(why(&mut session, "e5e5"), "a tile covers two squares, not e5 twice");
}

// Support

#[test]
fn a_tile_may_be_laid_if_both_squares_have_the_same_height() {
    // Two tiles end to end: the next may lie across them, but not half on the table.
    let mut session = default("e5f5 g5h5");
    assert!(lists(&session, "f5g5") && lists(&session, "g5f5"));
    assert_eq!(why(&mut session, "h5i5"), "h5 is at level 1 and i5 at level 0");
    assert_eq!(why(&mut session, "e5e6"), "e5 is at level 1 and e6 at level 0");
    session.apply(None, "f5g5").unwrap();
    assert_eq!(why(&mut session, "e5f5"), "e5 is at level 1 and f5 at level 2");
    let view = session.game().view(Viewer::Spectator);
    let levels: Vec<u8> = (4..8).map(|col| view.rows[4][col].as_ref().unwrap().level).collect();
    assert_eq!(levels, [1, 2, 2, 1]);
}

#[test]
fn a_tile_may_not_cover_another_tile_completely() {
    let mut session = default("e5f5");
    assert_eq!(why(&mut session, "e5f5"), "e5 and f5 are the two halves of one tile");
    assert_eq!(why(&mut session, "f5e5"), "f5 and e5 are the two halves of one tile");
    assert_eq!(session.ply(), 1);
    // Side by side, two upright tiles may be bridged, also a second time at the next level.
    let mut session = default("a1a2 b1b2 a1b1 a2b2");
    assert_eq!(why(&mut session, "a1b1"), "a1 and b1 are the two halves of one tile");
    assert!(lists(&session, "a1a2") && lists(&session, "b2b1"));
}

#[test]
fn two_halves_of_different_tiles_support_a_tile_whatever_lies_below_them() {
    // a1 and b1 once belonged together at level 1; their tops at level 2 do not.
    let session = default("a1b1 a2b2 a2a1 b1b2");
    assert!(lists(&session, "a1b1") && lists(&session, "a2b2"));
    assert!(!lists(&session, "a1a2") && !lists(&session, "b2b1"));
}

#[test]
fn a_square_as_high_as_500_tiles_can_make_it() {
    // Four squares, two tiles a level, lengthwise and crosswise in turn.
    let levels = ["a1b1 b2a2 ", "a1a2 b2b1 "].concat().repeat(125);
    let session = played(&json!({"size": 5, "tiles": 500}), &levels);
    assert_eq!(session.game().view(Viewer::Spectator).rows[0][0].as_ref().unwrap().level, 250);
    assert_eq!(result(&session), "draw no-tiles");
    assert_eq!(session.game().key(), session.game().key_from_scratch());
}

// Win

/// Four X in row 5 from a5 to d5, the O apart from each other; X is to move.
const FOUR: &str = "a5a6 b5b4 c5c6 d5d4";

#[test]
fn five_of_a_symbol_in_a_row_win() {
    let session = default(&format!("{FOUR} e5e6"));
    assert_eq!(result(&session), "0 five-in-a-row");
    assert_eq!(session.game().turn(), Turn::Over);
    assert_eq!(session.game().view(Viewer::Spectator).line, ["a5", "b5", "c5", "d5", "e5"]);
    assert!(listed(&session).is_empty());
    assert_eq!(default(FOUR).game().outcome(), None);
    assert!(default(FOUR).game().view(Viewer::Spectator).line.is_empty());
}

#[test]
fn five_of_a_symbol_in_a_column_win() {
    assert_eq!(result(&default("c6d6 c7b7 c8d8 c9b9 c10d10")), "0 five-in-a-row");
}

#[test]
fn five_of_a_symbol_in_either_diagonal_win() {
    assert_eq!(result(&default("a1b1 b2b3 c3c4 d4d5 e5e6")), "0 five-in-a-row");
    assert_eq!(result(&default("a5a6 b4b5 c3c4 d2d3 e1f1")), "0 five-in-a-row");
}

#[test]
fn o_wins_with_five_noughts() {
    assert_eq!(result(&default("a6a5 b4b5 c6c5 d4d5 j1j2 e6e5")), "1 five-in-a-row");
}

#[test]
fn six_or_more_in_a_row_also_win() {
    let session = default("a5a6 b5b4 c5c6 e5e4 f5f6 d5d4");
    assert_eq!(result(&session), "0 five-in-a-row");
    assert_eq!(session.game().view(Viewer::Spectator).line, ["a5", "b5", "c5", "d5", "e5", "f5"]);
    let nine = "a5a6 b5b4 c5c6 d5d4 f5f6 g5g4 h5h6 i5i4 e5e6";
    assert_eq!(result(&default(nine)), "0 five-in-a-row");
}

#[test]
fn a_line_does_not_go_on_at_the_other_edge_of_the_board() {
    for size in [10, 11] {
        let [g, h, i, j] = if size == 10 { ['g', 'h', 'i', 'j'] } else { ['h', 'i', 'j', 'k'] };
        let across = format!("{g}5{g}6 {h}5{h}4 {i}5{i}6 {j}5{j}4 a6a7 a5b5 a4b4");
        let rising = format!("{g}4{g}3 {h}5{h}6 {i}6{i}5 {j}7{j}8 a8b8 a9b9 a7b7");
        let falling = "d4d5 c5c6 b6b5 a7a8".to_owned() + &format!(" {j}8{j}9 {j}7{i}7 {j}10{i}10");
        for actions in [across, rising, falling] {
            assert_eq!(result(&played(&json!({"size": size}), &actions)), "*", "{actions}");
        }
    }
}

#[test]
fn a_line_may_run_over_different_levels() {
    // e5 shows O at level 1; a tile across e5 and f5 puts X there at level 2.
    let session = default(&format!("e6e5 f6f5 {FOUR} e5f5"));
    assert_eq!(result(&session), "0 five-in-a-row");
    assert_eq!(session.game().view(Viewer::Spectator).rows[4][4].as_ref().unwrap().level, 2);
}

#[test]
fn only_the_topmost_symbols_count() {
    // Before the fifth X comes to e5, an O at level 2 covers the one at b5.
    let session = default(&format!("{FOUR} c5b5 e5e6"));
    assert_eq!(result(&session), "*");
    let view = session.game().view(Viewer::Spectator);
    assert_eq!(view.rows[4][1].as_ref().map(|square| (square.symbol, square.level)), Some(('O', 2)));
}

#[test]
fn the_owner_of_the_only_five_wins_even_if_the_other_player_laid_the_tile() {
    let session = default(&format!("j9j10 {FOUR} e5e6"));
    assert_eq!(session.log(Viewer::Spectator).len(), 6);
    assert_eq!(result(&session), "0 five-in-a-row");
    assert_eq!(result(&default("a6a5 b4b5 c6c5 d4d5 e6e5")), "1 five-in-a-row");
}

#[test]
fn with_five_of_both_the_opponent_of_the_player_who_laid_the_tile_wins() {
    let both = "a1a2 b1b2 c1c2 d1d2 e1e2";
    let session = default(both);
    assert_eq!(result(&session), "1 five-in-a-row");
    assert_eq!(session.game().view(Viewer::Spectator).line.len(), 10);
    assert_eq!(result(&default(&format!("j9j10 {both}"))), "0 five-in-a-row");
}

#[test]
fn five_in_a_row_with_the_last_tile_win() {
    let session = played(&json!({"tiles": 5}), &format!("{FOUR} e5e6"));
    assert_eq!(session.game().view(Viewer::Spectator).tiles_left, 0);
    assert_eq!(result(&session), "0 five-in-a-row");
}

// Draw

/// Fourteen tiles on a board of side 5 after which there is no place for another.
const NO_PLACE: &str = "b2b3 c2c3 d5e5 b5c5 d2d1 b3c3 a1b1 a4a3 e2e3 e2d2 b2b1 d5c5 c4d4 b3b2";

#[test]
fn the_last_tile_without_five_in_a_row_makes_a_draw() {
    let session = played(&json!({"tiles": 2}), "a1a2 e5f5");
    assert_eq!(result(&session), "draw no-tiles");
    assert!(listed(&session).is_empty());
    assert_eq!(result(&played(&json!({"tiles": 1}), "a1a2")), "draw no-tiles");
}

#[test]
fn a_player_without_a_legal_place_makes_a_draw() {
    let session = played(&json!({"size": 5, "tiles": 15}), NO_PLACE);
    assert_eq!(session.game().view(Viewer::Spectator).tiles_left, 1);
    assert_eq!(result(&session), "draw no-place");
    assert!(listed(&session).is_empty());
}

#[test]
fn the_reason_is_no_tiles_also_if_no_place_is_left() {
    assert_eq!(result(&played(&json!({"size": 5, "tiles": 14}), NO_PLACE)), "draw no-tiles");
}

#[test]
fn passing_is_not_allowed() {
    let mut session = default("");
    for text in ["pass", "", "-", "swap"] {
        assert!(session.apply(None, text).is_err(), "{text}");
    }
    assert!(listed(&session).iter().all(|action| matches!(action.parse(), Ok(Action::Lay { .. }))));
}

#[test]
fn there_are_no_points() {
    assert_eq!(default(&format!("{FOUR} e5e6")).to_json(Viewer::Everything).scores, [0, 0]);
    assert_eq!(default("").to_json(Viewer::Everything).scores, [0, 0]);
}

// Swap

#[test]
fn the_swap_is_an_option_that_is_off_by_default() {
    assert_eq!(why(&mut default("e5f5"), "swap"), "this table plays without the swap");
    assert!(!lists(&default("e5f5"), "swap"));
}

#[test]
fn after_the_first_tile_seat_1_may_swap_and_seat_0_moves_next_with_o() {
    let swap = json!({"swap": true});
    let mut session = played(&swap, "e5f5");
    assert!(lists(&session, "swap") && session.game().view(Viewer::Spectator).may_swap);
    assert!(session.apply(Some(0), "swap").is_err());
    session.apply(Some(1), "swap").unwrap();
    let view = session.game().view(Viewer::Spectator);
    assert_eq!((view.x_seat, view.o_seat, view.to_move, view.tiles_left), (1, 0, Some(0), 59));
    assert!(!view.may_swap);
    // From now on five crosses win for seat 1, whoever lays them.
    assert_eq!(result(&played(&swap, &format!("a5a6 swap {} e5e6", &FOUR[5..]))), "1 five-in-a-row");
    assert_eq!(result(&played(&swap, "a6a5 swap b4b5 c6c5 d4d5 e6e5")), "0 five-in-a-row");
}

#[test]
fn the_swap_is_only_the_reply_to_the_first_tile() {
    let late = "a swap is only possible as the reply to the first tile";
    let swap = json!({"swap": true});
    for actions in ["", "e5f5 swap", "e5f5 a1b1", "e5f5 swap a1b1", "e5f5 a1b1 c1d1"] {
        let mut session = played(&swap, actions);
        assert!(!lists(&session, "swap"));
        assert_eq!(why(&mut session, "swap"), late);
    }
}

#[test]
fn instead_of_swapping_seat_1_may_lay_a_tile() {
    let session = played(&json!({"swap": true}), "e5f5 a1b1");
    assert_eq!(session.game().view(Viewer::Spectator).x_seat, 0);
    assert_eq!(listed(&played(&json!({"swap": true}), "e5f5")).len(), listed(&default("e5f5")).len() + 1);
}

#[test]
fn with_a_single_tile_there_is_no_time_for_a_swap() {
    let session = played(&json!({"swap": true, "tiles": 1}), "e5f5");
    assert_eq!(result(&session), "draw no-tiles");
    assert!(!session.game().view(Viewer::Spectator).may_swap);
}

// Options

#[test]
fn options_out_of_range_or_unknown_are_refused() {
    for (json, name) in [
        (json!({"tiles": 0}), "tiles"),
        (json!({"tiles": 501}), "tiles"),
        (json!({"tiles": "60"}), "tiles"),
        (json!({"size": 4}), "size"),
        (json!({"size": 12}), "size"),
        (json!({"size": null}), "size"),
        (json!({"swap": 1}), "swap"),
        (json!({"pie": true}), "pie"),
    ] {
        let error = options_from_json::<Options>(&json).unwrap_err().to_string();
        assert!(error.starts_with(&format!("option {name:?}")), "{error}");
    }
}

#[test]
fn boards_have_5_to_11_rows_and_columns() {
    for size in 5..=11 {
        let session = played(&json!({"size": size}), "");
        assert_eq!(listed(&session).len(), 4 * size * (size - 1));
    }
    assert_eq!(
        why(&mut played(&json!({"size": 5}), ""), "f1e1"),
        "square f1: the board has columns a to e and rows 1 to 5"
    );
    played(&json!({"size": 11}), "k11k10");
}

#[test]
fn early_boxes_held_45_tiles() {
    assert_eq!(played(&json!({"tiles": 45}), "").game().view(Viewer::Spectator).tiles_left, 45);
}

// Texts and pictures

#[test]
fn an_action_is_read_as_it_is_written() {
    for text in ["e5f5", "e5e6", "a10a9", "j10i10", "swap"] {
        assert_eq!(text.parse::<Action>().unwrap().to_string(), text);
    }
    let bad = [
        "", "e5", "e5 f5", "E5F5", "e5f5g5", "e05f5", "e5f+5", "e0f0", "5e5f", "Swap", "swap ", "é5f5", "e5é5",
        "e100f5",
    ];
    for text in bad {
        let error = text.parse::<Action>().unwrap_err();
        assert_eq!(error.to_string(), "a tile is two squares, first the one that gets X, such as e5f5", "{text}");
    }
}

#[test]
fn the_picture_shows_symbols_levels_and_which_halves_belong_together() {
    let session = played(&json!({"size": 5}), "a1b1 c1d1 e1e2 b1c1 a4a5");
    let picture = "
 5 O1 .  .  .  .
   |
 4 X1 .  .  .  .

 3 .  .  .  .  .

 2 .  .  .  .  O1
               |
 1 X1 X2-O2 O1 X1
   a  b  c  d  e
X: seat 0  O: seat 1  tiles left: 55  last tile: a4a5
seat 1 (O) lays a tile
";
    assert_eq!(session.game().view(Viewer::Spectator).to_string(), picture[1..]);
}

#[test]
fn the_picture_says_how_the_game_ended() {
    let lines = |session: &Session<Trexo>| session.game().view(Viewer::Everything).to_string();
    assert!(lines(&default(&format!("{FOUR} e5e6"))).ends_with("\nseat 0 (X) wins: five-in-a-row\n"));
    assert!(lines(&played(&json!({"tiles": 1}), "a1a2")).ends_with("\ndraw: no-tiles\n"));
    assert!(lines(&played(&json!({"swap": true}), "a1a2")).ends_with("\nseat 1 (O) lays a tile, or swap\n"));
}

#[test]
fn the_view_is_the_same_for_everybody() {
    let game = default("a1b1 c1d1 b1c1");
    let json = |viewer| serde_json::to_value(game.game().view(viewer)).unwrap();
    let seat = |number| Viewer::Seat(quincunx_core::Seat::new(number));
    let view = json(Viewer::Everything);
    for viewer in [Viewer::Spectator, seat(0), seat(1)] {
        assert_eq!(json(viewer), view);
    }
    assert_eq!(view["rows"][0][1], json!({"symbol": "X", "level": 2, "partner": "c1", "whole": true}));
    assert_eq!(view["rows"][0][0], json!({"symbol": "X", "level": 1, "partner": "b1", "whole": false}));
    assert_eq!(view["last"], json!({"x": "b1", "o": "c1"}));
}
