//! Playing does not touch the heap in the four games whose position is plain data.

use quincunx_core::{Game, Scratch, playout};
use quincunx_games::{castle_builders::CastleBuilders, figures::Figures, mod_x::ModX, trexo::Trexo};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};

fn allocations_of_random_games<G: Game>(seats: u8) -> u64 {
    let start = G::new(seats, &G::Options::default()).unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut scratch = Scratch::default();
    let mut position = start.clone();
    // The caller's buffers grow to their size in the first games, and stay.
    let mut play = |games: u32| {
        for _ in 0..games {
            position.clone_from(&start);
            playout(&mut position, &mut rng, &mut scratch);
        }
    };
    play(50);
    allocation_counter::measure(|| play(100)).count_total
}

#[test]
fn no_heap_allocation_per_action() {
    assert_eq!(allocations_of_random_games::<Trexo>(2), 0);
    assert_eq!(allocations_of_random_games::<CastleBuilders>(2), 0);
    for seats in [2, 4] {
        assert_eq!(allocations_of_random_games::<ModX>(seats), 0);
        assert_eq!(allocations_of_random_games::<Figures>(seats), 0);
    }
}

/// Listing into a caller's buffer that is large enough does not allocate either.
#[test]
fn no_heap_allocation_for_lists_of_actions() {
    fn listed<G: Game>(seats: u8) -> u64 {
        let mut position = G::new(seats, &G::Options::default()).unwrap();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut scratch = Scratch::default();
        scratch.actions.reserve(1000);
        scratch.chances.reserve(100);
        let walk = || {
            while let Some(actor) = position.turn().actor() {
                for seat in quincunx_core::Seat::all(seats) {
                    scratch.actions.clear();
                    position.actions(seat, &mut scratch.actions);
                }
                scratch.chances.clear();
                position.chances(&mut scratch.chances);
                let action = position.random(actor, &mut rng, &mut scratch);
                position.play(actor, action);
            }
        };
        allocation_counter::measure(walk).count_total
    }
    assert_eq!(listed::<Trexo>(2), 0);
    assert_eq!(listed::<CastleBuilders>(2), 0);
    assert_eq!(listed::<ModX>(3), 0);
    assert_eq!(listed::<Figures>(2), 0);
}
