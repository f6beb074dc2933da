//! A search that is asked to stop comes back at once: every player, every number of seats, with one hand and with two.

mod common;

use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    thread,
    time::Duration,
};

use common::{Scoped, midgame};
use quincunx_core::{Actor, Game, Turn};
use quincunx_engine::{
    Budget, CastleBuildersPlayer, Clock, Control, FiguresPlayer, Knowledge, Mcts, ModXPlayer, Player, TrexoPlayer,
    XMarksTheSpotPlayer,
};
use quincunx_games::{CastleBuilders, Figures, ModX, Trexo, XMarksTheSpot};

/// Nodes between two looks at the clock and at the stop flag.
const INTERVAL: u64 = 16;

/// No search ever comes to the end of this.
const ENDLESS: Budget = Budget::time(Duration::MAX);

/// A clock that counts how often somebody looks at it, and asks to stop when it was looked at so often.
struct Counting<'a> {
    looks: AtomicU64,
    stop_at: u64,
    stop: &'a AtomicBool,
}

impl Clock for Counting<'_> {
    fn now(&self) -> Duration {
        if self.looks.fetch_add(1, Ordering::SeqCst) + 1 == self.stop_at {
            self.stop.store(true, Ordering::SeqCst);
        }
        Duration::ZERO
    }
}

fn for_every_player(check: &impl Check) {
    check.player::<Trexo, _>(TrexoPlayer::default, 2);
    check.player::<Trexo, _>(Mcts::default, 2);
    check.player::<CastleBuilders, _>(CastleBuildersPlayer::default, 2);
    check.player::<CastleBuilders, _>(Mcts::default, 2);
    for seats in 2..=4 {
        check.player::<ModX, _>(ModXPlayer::default, seats);
        check.player::<ModX, _>(Mcts::default, seats);
        check.player::<XMarksTheSpot, _>(XMarksTheSpotPlayer::default, seats);
        check.player::<XMarksTheSpot, _>(Mcts::default, seats);
    }
    for seats in [2, 4] {
        check.player::<Figures, _>(FiguresPlayer::default, seats);
        check.player::<Figures, _>(Mcts::default, seats);
    }
}

trait Check {
    fn player<G: Game, P: Player<G>>(&self, player: impl Fn() -> P, seats: u8);
}

/// With one hand the number of nodes after the request is known exactly.
struct NoFurtherNodes;

impl Check for NoFurtherNodes {
    fn player<G: Game, P: Player<G>>(&self, player: impl Fn() -> P, seats: u8) {
        for (plies, stop_at) in [(0, 1), (0, 2), (9, 3), (9, 12)] {
            let game: G = midgame(seats, 1, plies);
            let Turn::Seat(seat) = game.turn() else { unreachable!() };
            let stop = AtomicBool::new(false);
            let clock = Counting { looks: AtomicU64::new(0), stop_at, stop: &stop };
            let control = Control::new(ENDLESS, 1, &clock, &stop);
            let thought = player().think(&Knowledge::new(&game, seat), &control);
            assert_eq!(game.check(Actor::Seat(seat), thought.action), Ok(()));
            // The first look is at the beginning; from then on there is one every so many nodes.
            let most = stop_at.saturating_sub(1) * INTERVAL;
            assert!(thought.nodes <= most, "{} of {}: {} nodes, not {most}", G::ID, seats, thought.nodes);
            let looks = clock.looks.load(Ordering::SeqCst);
            assert!(looks <= stop_at, "{} of {seats}: {looks} looks at the clock", G::ID);
        }
    }
}

#[test]
fn after_the_request_no_player_looks_at_more_nodes_than_pass_between_two_looks_at_the_flag() {
    for_every_player(&NoFurtherNodes);
}

/// The request comes from another thread, as soon as the search has begun.
struct ComesBack;

impl Check for ComesBack {
    fn player<G: Game, P: Player<G>>(&self, player: impl Fn() -> P, seats: u8) {
        for hands in [1, 2] {
            let game: G = midgame(seats, 1, 9);
            let Turn::Seat(seat) = game.turn() else { unreachable!() };
            let stop = AtomicBool::new(false);
            let clock = Counting { looks: AtomicU64::new(0), stop_at: u64::MAX, stop: &stop };
            let crew = Scoped(hands);
            let control = Control::new(ENDLESS, 1, &clock, &stop).with_crew(&crew);
            let action = thread::scope(|scope| {
                let mut player = player();
                let (game, control) = (&game, &control);
                let search = scope.spawn(move || player.think(&Knowledge::new(game, seat), control).action);
                while clock.looks.load(Ordering::SeqCst) < 5 && !search.is_finished() {
                    thread::yield_now();
                }
                stop.store(true, Ordering::SeqCst);
                search.join().unwrap()
            });
            assert_eq!(game.check(Actor::Seat(seat), action), Ok(()));
        }
    }
}

#[test]
fn an_endless_search_comes_back_when_another_thread_asks_it_to() {
    for_every_player(&ComesBack);
}
