//! The simple player.

use quincunx_core::{Game, Turn};

use super::{super::XMarksTheSpotGreedy, FILL, Table, seat};

#[test]
fn it_takes_any_x() {
    // Of an X of Condent around 0,0 only 0,-1 is missing; whatever else the hand could do.
    for seed in 0..5 {
        let mut table = Table::dealt("cr", &["gk plunder heading cannon", FILL]);
        table.does("draw").draws("cc ck").does("place cc 0,0 e; place ck -1,0 w");
        table.does("draw").draws("ck ck").does("place ck 0,1 n; place ko 2,0 e");
        table.does("draw").draws("cr aw");
        assert_eq!(table.game().score(seat(0)), 0);
        table.does(&table.answer(&mut XMarksTheSpotGreedy::default(), 1, seed));
        assert_eq!(table.game().score(seat(0)), 1);
    }
}

#[test]
fn else_it_extends_its_own_icons() {
    for seed in 0..5 {
        let mut table = Table::dealt("cr", &["rk rk rk rk", FILL]);
        table.lays("ck 0,0 w; ck 1,1 e; ko 3,1 e; ko 3,0 e");
        table.does("draw").draws("cc aw");
        let answer = table.answer(&mut XMarksTheSpotGreedy::default(), 1, seed);
        assert!(answer.starts_with("place cc"), "{answer}");
        assert!(matches!(table.game().turn(), Turn::Seat(_)));
    }
}
