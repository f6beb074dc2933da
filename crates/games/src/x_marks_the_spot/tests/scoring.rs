//! Scoring an X, and winning.

use quincunx_core::Viewer;
use serde_json::json;

use super::{FILL, Table, seat, two};

#[test]
fn a_square_with_its_four_orthogonal_neighbours_is_an_x_and_gets_a_doubloon_on_its_centre() {
    let mut table = two();
    table.turn("cc cr", "place cc 0,0 n; place cr -1,0 w").turn("cr cr", "place cr 1,0 e");
    assert_eq!(table.doubloons(), []);
    table.does("place cr 0,-1 s");
    assert_eq!(table.doubloons(), [(0, 0, 0)]);
    assert_eq!(table.scores(), [1, 0]);
}

#[test]
fn a_square_with_its_four_diagonal_neighbours_is_an_x() {
    let mut table = two();
    table.turn("cr cr", "place cr 0,0 n; place cr 1,1 e").turn("cr cr", "place cr -1,1 w; place cr 1,-1 e");
    assert_eq!(table.doubloons(), []);
    table.turn("cr cr", "place cr -1,-1 w");
    assert_eq!(table.doubloons(), [(0, 0, 0)]);
}

#[test]
fn a_ghost_ship_serves_for_every_pirate_and_other_icons_for_none() {
    let mut table = two();
    table.turn("cc cr", "place cc 0,0 n; place cr -1,0 w").turn("cr go", "place cr 1,0 e; place go 0,-1 s");
    assert_eq!(table.doubloons(), [(0, 0, 0)]);
    for other in ["ra", "ko", "ww"] {
        let mut table = two();
        table.turn("cc cr", "place cc 0,0 n; place cr -1,0 w");
        let direction = if other == "ww" { "e" } else { "s" };
        table.turn(&format!("cr {other}"), &format!("place cr 1,0 e; place {other} 0,-1 {direction}"));
        assert_eq!(table.doubloons(), [], "{other}");
    }
}

#[test]
fn an_x_made_by_anybody_counts_for_the_owner_of_the_flag_which_is_thereby_known_to_all() {
    let mut table = two();
    table.turn("cc cr", "place cc 0,0 n; place cr -1,0 w").turn("cr cr", "place cr 1,0 e");
    assert_eq!(table.view(seat(1))["players"][0]["flag"], json!(null));
    table.does("place cr 0,-1 s");
    for viewer in [seat(0), seat(1), Viewer::Spectator] {
        let player = &table.view(viewer)["players"][0];
        assert_eq!((&player["flag"], &player["revealed"]), (&json!("c"), &json!(true)));
    }
    assert_eq!(table.view(seat(0))["players"][1]["flag"], json!(null));
}

#[test]
fn an_x_of_a_pirate_that_nobody_sails_for_is_nothing() {
    let mut table = Table::dealt("aw", &[FILL, FILL]);
    table.turn("cc cr", "place cc 0,0 n; place cr -1,0 w").turn("cr cr", "place cr 1,0 e; place cr 0,-1 s");
    assert_eq!(table.scores(), [0, 0]);
    assert_eq!(table.view(Viewer::Spectator)["players"][0]["revealed"], false);
}

#[test]
fn a_destroyed_card_can_uncover_an_x() {
    let mut table = two();
    // Open water hides Condent at 0,1; the ghost ship at 0,0 serves as well as he.
    table.lays("cc 0,0 n; go 0,0 n; cr -1,0 w; cr 1,0 e");
    table.turn("cr cannon", "place cr 0,-1 s");
    assert_eq!(table.doubloons(), []);
    table.does("cannon 0,0");
    assert_eq!(table.doubloons(), [(0, 0, 0)]);
}

#[test]
fn an_exchanged_card_can_make_an_x() {
    let mut table = two();
    table.turn("ck cr", "place ck 0,0 n; place cr -1,0 w").turn("cr cr", "place cr 1,0 e; place cr 0,-1 s");
    assert_eq!(table.doubloons(), []);
    table.turn("heading cc", "heading 0,0 cc n");
    assert_eq!(table.doubloons(), [(0, 0, 0)]);
}

/// Eight squares of Condent around 0,0.
fn ring(flags: &str, more: &str) -> Table {
    let mut table = Table::dealt_with(flags, &[FILL, FILL], more);
    table.turn("cc cc", "place cc 0,0 e; place cc 2,0 n");
    table.turn("cc cc", "place cc 1,2 e; place cc 0,1 n");
    table
}

#[test]
fn both_forms_around_one_centre_count_as_two() {
    let mut table = ring("cr", "");
    table.turn("cc cr", "place cc 1,1 n");
    assert_eq!(table.doubloons(), [(1, 1, 0), (1, 1, 0)]);
    assert_eq!(table.scores(), [2, 0]);
    assert_eq!(table.result(), None);
}

#[test]
fn nobody_lays_more_doubloons_than_he_has() {
    let mut table = ring("cr", r#""doubloons":1"#);
    table.turn("cc cr", "place cc 1,1 n");
    assert_eq!(table.doubloons(), [(1, 1, 0)]);
    assert_eq!(table.result(), Some((vec![0], "three-doubloons")));
}

/// Diagonal X's around 0,0 and 2,0 that share 1,1 and 1,-1, before 1,1 is laid.
const ALMOST_TWO: &str = "cr 0,0 n; cr -1,1 w; cr -1,-1 w; cr 1,-1 s; cr 2,0 e; cr 3,1 e; cr 3,-1 e";

#[test]
fn one_card_can_complete_several_xs_and_each_counts() {
    let mut table = two();
    table.lays(ALMOST_TWO);
    assert_eq!(table.doubloons(), []);
    table.does("place ko 0,-2 s").lays("cr 1,1 n");
    assert_eq!(table.doubloons(), [(0, 0, 0), (2, 0, 0)]);
    assert_eq!(table.scores(), [2, 0]);
}

#[test]
fn with_too_few_doubloons_left_the_lower_centres_get_them() {
    let mut table = Table::dealt_with("cr", &[FILL, FILL], r#""doubloons":1"#);
    table.lays(ALMOST_TWO).does("place ko 0,-2 s").lays("cr 1,1 n");
    assert_eq!(table.doubloons(), [(0, 0, 0)]);
    assert_eq!(table.result(), Some((vec![0], "three-doubloons")));
}

#[test]
fn a_spent_square_counts_for_no_further_x_but_the_other_squares_of_an_x_do() {
    let mut table = two();
    table.lays("cc 0,0 n; cr -1,0 w; cc 1,0 e; cr 0,-1 s");
    assert_eq!(table.doubloons(), [(0, 0, 0)]);
    // Around 1,0 only the spent 0,0 is missing.
    table.lays("cc 1,1 n; cr 1,-1 s");
    assert_eq!(table.doubloons(), [(0, 0, 0)]);
    // Around 1,1: 0,1 and 1,0 are arms of the first X too.
    table.lays("cr 2,1 e");
    assert_eq!(table.doubloons(), [(0, 0, 0), (1, 1, 0)]);
}

/// Around the ghost ship on 0,0 the last card, `ca 1,0 n`, makes an orthogonal X of Condent and a diagonal one of Avery.
pub(super) const ALMOST_SHARED: &str = "go 0,0 n; ca 0,1 w; ca -1,0 s; ca 0,-1 e";

/// A diagonal X of five ghost ships, whose last card is laid by seat 1.
fn ghosts(seats: usize, more: &str) -> Table {
    let mut table = Table::dealt_with(&"craw"[..seats], &[FILL; 4][..seats], more);
    table.turn("go go", "place go 0,0 n; place go 1,1 e");
    for _ in 2..=seats {
        table.does("scuttle").draws(FILL);
    }
    table.turn("go go", "place go -1,1 w; place go 1,-1 e");
    table.turn("go go", "place go -1,-1 w");
    table
}

#[test]
fn five_ghost_ships_are_an_x_of_every_flag_and_the_player_on_turn_has_it() {
    for seats in [2, 3, 4] {
        let table = ghosts(seats, "");
        assert_eq!(table.doubloons(), [(0, 0, 1)]);
        let mut scores = vec![0; seats];
        scores[1] = 1;
        assert_eq!(table.scores(), scores);
    }
}

#[test]
fn both_ghost_ships_of_a_card_serve() {
    let mut table = two();
    table.lays("gg 0,0 n; gg 0,-2 n; gg -2,0 e; kk 0,2 n");
    assert_eq!(table.doubloons(), []);
    table.lays("gg 1,0 e");
    assert_eq!(table.doubloons(), [(0, 0, 0)]);
}

#[test]
fn the_players_are_looked_at_clockwise_after_the_one_on_turn() {
    for (scuttles, first) in [(2, 2), (1, 0), (0, 2)] {
        let mut table = Table::dealt("cra", &[FILL, FILL, FILL]);
        table.lays(ALMOST_SHARED);
        for _ in 0..scuttles {
            table.does("scuttle").draws(FILL);
        }
        // Seat 2, 0 or 1 is on turn; after seat 1, who sails for Rackham, seat 2 comes before seat 0.
        table.lays("ca 1,0 n");
        assert_eq!(table.doubloons(), [(0, 0, first)]);
    }
}

#[test]
fn a_doubloon_just_laid_is_spent_for_the_next_players() {
    // All ghosts: the X of the player on turn takes the centre from the others, who keep their own flags secret.
    let table = ghosts(3, "");
    let view = table.view(Viewer::Spectator);
    let revealed: Vec<bool> = (0..3).map(|seat| view["players"][seat]["revealed"].as_bool().unwrap()).collect();
    assert_eq!(revealed, [false, true, false]);
}

/// The last card, `cr 1,1 e` by seat 1, makes an X of Condent around 0,0 and one of Rackham around 3,0.
const TWO_PIRATES: &str = "cr 0,0 n; cr -1,1 w; cr -1,-1 w; cr 1,-1 e; ra 3,0 n; ra 4,1 n; ra 4,-1 s; cr 1,1 e";

#[test]
fn players_can_score_at_the_same_moment_one_after_another() {
    let mut table = two();
    table.lays(TWO_PIRATES);
    assert_eq!(table.doubloons(), [(0, 0, 0), (3, 0, 1)]);
}

#[test]
fn three_doubloons_win_at_once() {
    let mut table = ring("cr", "");
    table.lays("cc 1,1 n; ra 3,0 n");
    assert_eq!((table.scores(), table.result()), (vec![2, 0], None));
    table.lays("cr 0,3 w; ra 3,2 e").lays("cr 2,3 e");
    assert_eq!(table.doubloons(), [(1, 1, 0), (1, 1, 0), (1, 2, 0)]);
    assert_eq!(table.result(), Some((vec![0], "three-doubloons")));
    assert!(table.legal().is_empty());
}

#[test]
fn the_winner_is_found_before_later_players_are_looked_at() {
    let mut table = Table::dealt_with("cr", &[FILL, FILL], r#""doubloons":1"#);
    table.lays(TWO_PIRATES);
    assert_eq!(table.scores(), [0, 1]);
    assert_eq!(table.result(), Some((vec![1], "three-doubloons")));
    assert_eq!(table.view(seat(1))["players"][0]["flag"], json!(null));
}

#[test]
fn a_game_that_is_won_in_the_middle_of_a_turn_stops_there() {
    let table = ghosts(2, r#""doubloons":1"#);
    assert_eq!(table.everything()["actions_left"], 0);
    assert_eq!(table.everything()["phase"], "over");
    assert!(!table.is_chance());
    assert_eq!(table.everything()["outcome"], json!({"winners": [1], "reason": "three-doubloons"}));
}
