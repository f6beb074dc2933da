//! Who gets the points, and the picture of the table.

use super::*;

#[test]
fn the_scoring_sample_of_the_rulebook_ends_34_to_22() {
    let session = default(SAMPLE);
    assert_eq!(result(&session), "0 castle-complete");
    assert_eq!(scores(&session), [34, 22]);
    let view = view(&session);
    let rows: Vec<([u8; 2], i32)> = view.rows.iter().map(|row| (row.counters, row.award.points)).collect();
    assert_eq!(rows, [([4, 1], 7), ([3, 2], 6), ([3, 2], 10), ([2, 2], 0), ([1, 1], 0)]);
    let towers: Vec<(Option<u8>, i32)> =
        view.towers.iter().map(|tower| (tower.award.seat, tower.award.points)).collect();
    assert_eq!(towers, [(Some(0), 4), (Some(1), 5), (Some(0), 7), (Some(1), 12), (Some(1), 5)]);
}

#[test]
fn the_owner_of_the_topmost_counter_gets_the_roofs_points() {
    let award = |plays: &str| view(&default(plays)).towers[2].award.clone();
    assert_eq!((award("O3").seat, award("O3").points), (Some(0), 7));
    assert_eq!((award("O3 O3").seat, award("O3 O3").points), (Some(1), 7));
    assert_eq!((award("O3 O3 O1 R3").seat, award("O3 O3 O1 R3").points), (Some(0), 7));
}

#[test]
fn an_empty_tower_goes_to_nobody_and_one_with_a_free_space_to_its_topmost_counter() {
    let session = played(&two_towers(2, [1, 0, 0, 0, 0, 0]), "+O +O O1 O1");
    assert_eq!(result(&session), "1 out-of-counters");
    let session = played(&two_towers(4, [1, 0, 0, 0, 0, 0]), "+O +O O1 O1");
    let view = view(&session);
    assert_eq!((view.towers[0].award.seat, view.towers[0].award.points), (Some(1), 10));
    assert_eq!((view.towers[1].award.seat, view.towers[1].award.points), (None, 0));
    assert_eq!(scores(&session), [1, 11]);
}

#[test]
fn the_player_with_more_counters_in_a_row_gets_its_points_and_a_tie_gives_nobody_any() {
    let row = |plays: &str| view(&default(plays)).rows[0].award.clone();
    assert_eq!((row("").seat, row("").points), (None, 0));
    assert_eq!((row("O1").seat, row("O1").points), (Some(0), 7));
    assert_eq!((row("O1 O2").seat, row("O1 O2").points), (None, 0));
    assert_eq!((row("O1 C2 O3").seat, row("O1 C2 O3").points), (Some(1), 7));
}

#[test]
fn a_vertical_bonus_of_the_player_who_gets_the_tower_doubles_it_at_any_height() {
    let tower = |plays: &str| view(&default(plays)).towers[2].award.clone();
    assert_eq!((tower("Bv3").doubled, tower("Bv3").points), (true, 14));
    // Under two other counters.
    assert_eq!((tower("Bv3 O3 O3").doubled, tower("Bv3 O3 O3").points), (true, 14));
    // A bonus of the other colour, or with horizontal arrows, does nothing.
    assert_eq!((tower("Bv3 O3").doubled, tower("Bv3 O3").points), (false, 7));
    assert_eq!((tower("Bh3").doubled, tower("Bh3").points), (false, 7));
    // Nor does one in another tower.
    assert_eq!((tower("Bv2 O1 O3").doubled, tower("Bv2 O1 O3").points), (false, 7));
}

#[test]
fn a_horizontal_bonus_of_the_player_who_gets_the_row_doubles_it() {
    let row = |plays: &str| view(&default(plays)).rows[0].award.clone();
    assert_eq!((row("Bh3").doubled, row("Bh3").points), (true, 14));
    assert_eq!((row("Bv3").doubled, row("Bv3").points), (false, 7));
    assert_eq!((row("Bh3 C1 O2").seat, row("Bh3 C1 O2").points), (Some(1), 7));
    // A tie stays a tie.
    assert_eq!((row("Bh3 O1").seat, row("Bh3 O1").points), (None, 0));
    // A bonus in the row above does nothing here.
    let session = default("O3 Bh3");
    assert_eq!(view(&session).rows[0].award.points, 7);
    assert_eq!(view(&session).rows[1].award.points, 12);
}

#[test]
fn points_are_doubled_once_however_many_bonus_counters_there_are() {
    let session = default("Bv3 O1 Bv3 O1 Bv3");
    assert_eq!(view(&session).towers[2].award.points, 14);
    let session = default("Bh3 O1 Bh2 O1 Bh4");
    assert_eq!(view(&session).rows[0].award.points, 14);
}

#[test]
fn a_bonus_that_was_removed_doubles_nothing() {
    let session = default("O3 O1 Bv3 R3");
    assert_eq!(view(&session).towers[2].award.points, 7);
    let session = default("Bv3 R3 O3");
    assert_eq!(view(&session).towers[2].award.points, 7);
}

#[test]
fn before_the_end_scores_show_what_each_would_get_now() {
    assert_eq!(scores(&played(&json!({}), "")), [0, 0]);
    assert_eq!(scores(&default("O3")), [14, 0]);
    assert_eq!(scores(&default("O3 O3")), [7, 13]);
    assert_eq!(scores(&default("Bv3 O1")), [14, 4]);
}

#[test]
fn more_points_win_and_equal_points_are_a_draw() {
    assert_eq!(result(&played(&two_towers(1, [1, 0, 0, 0, 0, 0]), "+O +O O1 O2")), "1 castle-complete");
    assert_eq!(result(&played(&two_towers(1, [1, 0, 0, 0, 0, 0]), "+O +O O2 O1")), "0 castle-complete");
    let even = json!({"heights": [1, 1], "roofs": [5, 5], "rows": [3]});
    let session = script(&even, "O1 O2");
    assert_eq!((result(&session).as_str(), scores(&session)), ("draw castle-complete", vec![5, 5]));
}

#[test]
fn the_picture_shows_towers_under_their_roofs_row_values_pennants_and_hands() {
    let session = default("Bv3 O3 C3 O1");
    let picture = session.game().view(Viewer::Seat(quincunx_core::Seat::new(0))).to_string();
    let expected = r"
                  / 7 \ / 6 \
   3        / 5 \ [   ] [   ] / 5 \  -
   4  / 4 \ [   ] [   ] [   ] [   ]  -
   5  [   ] [   ] [YC ] [   ] [   ]  Y5
   6  [   ] [   ] [GO ] [   ] [   ]  G6
   7  [YO ] [   ] [YB|] [   ] [   ]  Y7
       Y4    -     Y14   -     -
tower   1     2     3     4     5
yellow (seat 0)  points 30  hand O O  pile 17  discarded nothing
green  (seat 1)  points 6   hand ? ?  pile 19  discarded nothing
green (seat 1) plays a counter
";
    let lines = |text: &str| text.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
    assert_eq!(lines(&picture), lines(&expected[1..]));
}

#[test]
fn the_picture_says_who_draws_and_how_the_game_ended() {
    let picture = |session: &Table| session.game().view(Viewer::Spectator).to_string();
    assert!(picture(&played(&json!({}), "+O +O")).ends_with("\ngreen (seat 1) draws a counter\n"));
    assert!(picture(&default(SAMPLE)).ends_with("\nyellow (seat 0) wins: castle-complete\n"));
    let even = json!({"heights": [1, 1], "roofs": [5, 5], "rows": [3]});
    assert!(picture(&script(&even, "O1 O2")).ends_with("\ndraw: castle-complete\n"));
}
