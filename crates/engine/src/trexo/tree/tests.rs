//! Hands that get in each other's way, step by step.

use super::*;

const TILES: [Tile; 3] = [Tile { x: 0, o: 1 }, Tile { x: 2, o: 3 }, Tile { x: 4, o: 5 }];

/// A tree for several hands with one tile at its root and room for so many nodes.
fn tree(nodes: usize) -> Tree {
    let mut tree = Tree::default();
    let mut judged = [Judged { tile: Tile { x: 11, o: 12 }, gain: 0, verdict: Verdict::Open, glance: 0.5 }];
    tree.begin(Task::default(), &mut judged, nodes * size_of::<Node>(), true);
    tree
}

fn candidates(count: usize) -> Vec<Candidate> {
    TILES[..count].iter().zip([0, -1, -2]).map(|(&tile, gain)| Candidate { tile, gain }).collect()
}

fn bare(reached: Reached) -> Bare {
    let Reached::Bare(bare) = reached else { panic!("{reached:?}") };
    bare
}

/// Walks to a new node.
fn walk_to_new(tree: &Tree) -> Path {
    let mut path = Path::default();
    assert_eq!(tree.descend(&mut path), Reached::New);
    path
}

fn lose(tree: &Tree, mut path: Path) {
    tree.prove(&path, Verdict::Lost(1));
    tree.back_up(&mut path, 0.0);
}

#[test]
fn a_list_of_children_that_did_not_do_is_not_taken_again() {
    let tree = tree(1000);
    let [mut first, mut second] = [Path::default(), Path::default()];
    let seen_by_first = bare(tree.descend(&mut first));
    let seen_by_second = bare(tree.descend(&mut second));
    assert!(!seen_by_second.narrowed_before());
    assert_eq!(tree.grow(&mut first, seen_by_first, &candidates(2), true), Reached::New);
    lose(&tree, first);
    lose(&tree, walk_to_new(&tree));
    // Both tiles lose, and the second hand comes with the same two.
    let seen_now = bare(tree.grow(&mut second, seen_by_second, &candidates(2), true));
    assert!(seen_now.narrowed_before(), "it is told to look at all tiles");
    assert_eq!(tree.grow(&mut second, seen_now, &candidates(3), false), Reached::New);
    lose(&tree, second);
    lose(&tree, walk_to_new(&tree));
    assert!(!tree.is_done());
    lose(&tree, walk_to_new(&tree));
    assert_eq!(tree.tried(1)[0].verdict, Verdict::Won(2), "all three lose");
    assert!(tree.is_done());
}

#[test]
fn a_list_of_children_is_not_taken_if_another_hand_was_quicker() {
    let tree = tree(1000);
    let [mut first, mut second] = [Path::default(), Path::default()];
    let seen_by_first = bare(tree.descend(&mut first));
    let seen_by_second = bare(tree.descend(&mut second));
    assert_eq!(tree.grow(&mut first, seen_by_first, &candidates(3), false), Reached::New);
    assert_eq!(tree.grow(&mut second, seen_by_second, &candidates(2), true), Reached::New);
    assert_eq!((first.tiles[1], second.tiles[1]), (TILES[0], TILES[1]), "each hand goes its own way");
    let child = tree.node(first.nodes[1]).status();
    assert_eq!((child.children, child.narrowed), (3, false));
}

#[test]
fn nothing_is_proven_by_a_list_of_children_that_is_gone() {
    // Room for the root, its tile and two more, but not for three.
    let tree = tree(4);
    let mut first = Path::default();
    let seen = bare(tree.descend(&mut first));
    assert_eq!(tree.grow(&mut first, seen, &candidates(2), true), Reached::New);
    let second = walk_to_new(&tree);
    let late = walk_to_new(&tree);
    assert_eq!(late.tiles, first.tiles, "two hands are at one node");
    lose(&tree, first);
    lose(&tree, second);
    // The list is gone, and there is no room for the longer one.
    let mut fourth = Path::default();
    let seen = bare(tree.descend(&mut fourth));
    assert!(seen.narrowed_before());
    let Reached::Value(value) = tree.grow(&mut fourth, seen, &candidates(3), false) else { panic!("there is no room") };
    tree.back_up(&mut fourth, value);
    lose(&tree, late);
    assert_eq!(tree.tried(1)[0].verdict, Verdict::Open);
    assert!(!tree.is_done());
}

#[test]
fn a_hand_that_comes_late_takes_no_proof_back() {
    let tree = tree(1000);
    let mut first = Path::default();
    let seen = bare(tree.descend(&mut first));
    assert_eq!(tree.grow(&mut first, seen, &candidates(1), false), Reached::New);
    let mut late = walk_to_new(&tree);
    lose(&tree, first);
    assert_eq!(tree.tried(1)[0].verdict, Verdict::Won(2));
    tree.prove(&late, Verdict::Open);
    tree.back_up(&mut late, 0.5);
    assert_eq!(tree.tried(1)[0].verdict, Verdict::Won(2));
}

#[test]
fn what_is_kept_in_one_word_comes_out_as_it_went_in() {
    for verdict in
        [Verdict::Open, Verdict::Won(0), Verdict::Won(255), Verdict::Drawn, Verdict::Lost(0), Verdict::Lost(7)]
    {
        for (first_child, children, narrowed) in [(0, 0, false), (0, 0, true), (u32::MAX, 440, true), (1, 1, false)] {
            let status = Status { first_child, children, narrowed, verdict };
            assert_eq!(Status::from_bits(status.to_bits()), status);
        }
    }
    let record = Record { visits: u32::MAX, mean: 0.3 };
    assert_eq!(Record::from_bits(record.to_bits()), record);
}

#[test]
fn tiles_are_sorted_by_their_gain_and_then_by_their_squares() {
    let tile = |x, o| Tile { x, o };
    let mut tiles = [(tile(5, 6), -3), (tile(6, 5), 700), (tile(5, 6), 700), (tile(1, 2), 0)];
    tiles.sort_unstable_by_key(|&(tile, gain)| std::cmp::Reverse(sort_key(tile, gain)));
    assert_eq!(tiles, [(tile(5, 6), 700), (tile(6, 5), 700), (tile(1, 2), 0), (tile(5, 6), -3)]);
}
