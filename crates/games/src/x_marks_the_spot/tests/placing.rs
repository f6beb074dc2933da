//! The table: where tile cards may lie.

use quincunx_core::Game;

use super::{FILL, Table, two};

#[test]
fn the_very_first_card_lies_with_its_first_icon_on_0_0() {
    let mut table = two();
    table.turn("cr cc", "place cr 0,0 s");
    let mut table = two();
    table.does("draw").draws("cr cc");
    let first = ["place cr 0,0 e", "place cr 0,0 n", "place cr 0,0 s", "place cr 0,0 w"];
    assert_eq!(table.legal_with("place cr"), first);
    assert!(table.refuses("place cr 1,0 w").contains("the first card lies with its first icon on 0,0"));
}

#[test]
fn a_card_with_two_equal_icons_is_only_written_with_n_or_e() {
    let mut table = two();
    table.does("draw").draws("cr cc");
    assert_eq!(table.legal_with("place cc"), ["place cc 0,0 e", "place cc 0,0 n"]);
    assert!(table.refuses("place cc 0,0 s").contains("is written with n or e"));
    table.does("place cr 0,0 e");
    assert!(table.legal_with("place cc").iter().all(|text| text.ends_with('n') || text.ends_with('e')));
    assert!(table.refuses("place cc 0,3 s").contains("is written with n or e"));
    for double in ["rr", "aa", "ww", "gg", "kk", "oo"] {
        let mut table = two();
        table.does("draw").draws(&format!("cr {double}"));
        let place = format!("place {double}");
        assert_eq!(table.legal_with(&place), [format!("{place} 0,0 e"), format!("{place} 0,0 n")]);
        table.does("place cr 0,0 e");
        assert!(table.legal_with(&place).iter().all(|text| text.ends_with('n') || text.ends_with('e')));
        assert!(table.refuses(&format!("{place} 0,3 s")).contains("is written with n or e"));
    }
}

#[test]
fn the_first_written_icon_lies_on_the_square_and_the_second_one_in_the_direction() {
    for (direction, x, y) in [("n", 0, 1), ("e", 1, 0), ("s", 0, -1), ("w", -1, 0)] {
        let mut table = two();
        table.turn("cr cr", &format!("place cr 0,0 {direction}"));
        let halves = &table.everything()["chart"][0]["halves"];
        assert_eq!((&halves[0]["icon"], &halves[0]["x"], &halves[0]["y"]), (&"c".into(), &0.into(), &0.into()));
        assert_eq!((&halves[1]["icon"], &halves[1]["x"], &halves[1]["y"]), (&"r".into(), &x.into(), &y.into()));
    }
}

#[test]
fn every_other_card_must_touch_a_card_at_least_at_a_corner() {
    let mut table = two();
    table.turn("cr aw", "place cr 0,0 e");
    for touching in ["place aw 2,1 e", "place aw 2,1 n", "place aw 3,0 w", "place aw -1,-2 n", "place aw 0,2 s"] {
        assert!(table.legal().contains(&touching.to_owned()), "{touching}");
    }
    for apart in ["place aw 3,0 e", "place aw 2,2 n", "place aw -2,0 w", "place aw 0,2 n", "place aw 5,5 n"] {
        assert!(table.refuses(apart).contains("a card must lie on another one or touch one"), "{apart}");
    }
}

#[test]
fn squares_at_the_ends_of_the_numbers_are_refused_like_others() {
    let mut table = two();
    table.turn("cr aw", "place cr 0,0 e");
    for (x, y) in [(i32::MAX, 0), (i32::MIN, i32::MAX), (0, i32::MIN), (i32::MAX, i32::MAX)] {
        for direction in ["n", "e", "s", "w"] {
            assert!(table.refuses(&format!("place aw {x},{y} {direction}")).contains("touch"));
        }
        assert!(table.refuses(&format!("place aw {x}1,{y} n")).contains("two whole numbers"));
    }
}

/// Whether this icon may be laid on that one, tried on a table.
fn may_lie(upper: char, lower: char) -> bool {
    let card = |icon: char| match icon {
        'g' => ("gk", 0),
        'k' => ("ko", 0),
        'o' => ("ko", 1),
        'c' => ("cc", 0),
        'r' => ("rr", 0),
        'a' => ("aa", 0),
        _ => ("ww", 0),
    };
    let ((below, y), (above, half)) = (card(lower), card(upper));
    let mut table = two();
    table.turn(&format!("{below} {above}"), &format!("place {below} 0,0 n"));
    let double = "crawa".contains(upper);
    // The other half lies on the bare table to the west.
    let text = match half {
        0 if !double => format!("place {above} 0,{y} w"),
        _ => format!("place {above} -1,{y} e"),
    };
    table.legal().contains(&text)
}

#[test]
fn each_half_that_lies_on_an_icon_must_be_allowed_to() {
    let allowed =
        [('c', "cgo"), ('r', "rgo"), ('a', "ago"), ('w', "wgo"), ('g', "crawgko"), ('o', "crawgo"), ('k', "gko")];
    for (upper, on) in allowed {
        for lower in "crawgko".chars() {
            assert_eq!(may_lie(upper, lower), on.contains(lower), "{upper} on {lower}");
        }
    }
}

#[test]
fn so_it_is_for_both_halves_of_a_card_with_two_equal_icons() {
    for upper in "crawgko".chars() {
        for lower in "crawgko".chars() {
            let [below, above] = [lower, upper].map(|icon| format!("{icon}{icon}"));
            let mut table = two();
            table.turn(&format!("{below} {above}"), &format!("place {below} 0,0 n"));
            let legal = table.legal_with(&format!("place {above}"));
            for place in ["0,0 n", "0,-1 n", "0,1 n", "0,0 e", "-1,1 e"] {
                let text = format!("place {above} {place}");
                assert_eq!(legal.contains(&text), may_lie(upper, lower), "{text} on {below}");
            }
        }
    }
}

#[test]
fn a_refused_covering_says_what_cannot_lie_on_what() {
    let mut table = two();
    table.turn("ck rr", "place ck 0,0 e");
    assert!(table.refuses("place rr 0,0 n").contains("Rackham cannot lie on Condent at 0,0"));
    assert!(table.refuses("place rr 1,0 n").contains("Rackham cannot lie on a kraken at 1,0"));
}

#[test]
fn the_halves_may_lie_at_different_levels_and_half_on_the_bare_table() {
    let mut table = two();
    table.turn("cr cg", "place cr 0,0 e; place cg 0,0 w");
    table.turn("gk cg", "place gk 0,0 n; place cg -1,0 e");
    // From bottom to top: c and r on the table; c on c and g on the table; g on c on c ..
    let view = table.everything();
    let levels: Vec<(u64, u64)> = view["chart"]
        .as_array()
        .unwrap()
        .iter()
        .map(|card| (card["halves"][0]["level"].as_u64().unwrap(), card["halves"][1]["level"].as_u64().unwrap()))
        .collect();
    assert_eq!(levels, [(0, 0), (1, 0), (2, 0), (1, 3)]);
    let top = |number: usize, half: usize| view["chart"][number]["halves"][half]["top"].as_bool().unwrap();
    assert_eq!((top(0, 0), top(0, 1)), (false, true));
    assert_eq!((top(2, 0), top(2, 1)), (false, true));
    assert_eq!((top(3, 0), top(3, 1)), (true, true));
}

#[test]
fn a_card_is_covered_if_another_one_lies_on_at_least_one_of_its_squares() {
    let mut table = two();
    table.turn("cr cg", "place cr 0,0 e; place cg 0,0 w");
    let view = table.everything();
    assert_eq!(view["chart"][0]["covered"], true);
    assert_eq!(view["chart"][1]["covered"], false);
}

#[test]
fn when_the_table_is_empty_again_the_next_card_is_placed_as_the_first_one() {
    let mut table = two();
    table.turn("cr cannon", "place cr 0,0 e; cannon 0,0");
    table.does("draw").draws("cr aa");
    assert_eq!(table.legal_with("place cr").len(), 4);
    assert!(table.legal_with("place").iter().all(|text| text.contains(" 0,0 ")));
    assert!(table.refuses("place cr 0,1 n").contains("first icon on 0,0"));
    table.does("place cr 0,0 w");
    assert!(table.legal_with("place aa").len() > 2);
}

#[test]
fn the_same_cards_laid_in_another_order_are_the_same_position() {
    let started = |order: &str| {
        let mut table = Table::dealt("cr", &[FILL, "gk gk ko ko"]);
        table.turn("cr aw", "place cr 0,0 e; place aw 1,1 n").turn("gk rr", order);
        table
    };
    let one = started("place gk -1,1 n; place rr 2,-1 n");
    let other = started("place rr 2,-1 n; place gk -1,1 n");
    assert!(one.game() == other.game());
    assert_eq!(one.game().key(), other.game().key());
    // On each other the order counts.
    let below = started("place gk -1,1 n; place gk -1,1 n");
    let apart = started("place gk -1,1 n; place gk -1,1 s");
    assert!(below.game() != apart.game());
    assert_ne!(below.game().key(), apart.game().key());
}
