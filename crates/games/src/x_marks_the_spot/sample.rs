//! Positions that a viewer cannot tell from the true one, drawn at random.

use quincunx_core::{Seat, Viewer};
use rand::{Rng, RngExt};

use super::{
    XMarksTheSpot,
    action::Gift,
    card::{Cards, Pirate},
    phase::Phase,
};

impl XMarksTheSpot {
    /// A position in which all that this viewer has seen is the same, and the rest is dealt anew: flags evenly among
    /// the ways that the scoring so far leaves open, cards evenly among those that the viewer does not see, except
    /// that cards stay where he knows them to be.
    pub(super) fn sampled<R: Rng + ?Sized>(&self, viewer: Viewer, rng: &mut R) -> Self {
        let mut world = self.clone();
        if viewer == Viewer::Everything {
            return world;
        }
        world.flags = self.sampled_flags(viewer, rng);
        loop {
            self.deal_hidden(&mut world, viewer, rng);
            if world.redraw_secret(viewer, rng) {
                break;
            }
        }
        self.sample_memories(&mut world, viewer, rng);
        world
    }

    fn sampled_flags<R: Rng + ?Sized>(&self, viewer: Viewer, rng: &mut R) -> [Option<Pirate>; Seat::MAX as usize] {
        let mut ways = Vec::new();
        self.assign_flags(viewer, Seat::all(self.seats), [None; Seat::MAX as usize], &mut ways);
        ways[rng.random_range(0..ways.len())]
    }

    /// Collects the ways to give a flag to each seat that was dealt one, the viewer's own and revealed ones as they are.
    fn assign_flags(
        &self,
        viewer: Viewer,
        mut seats: impl Iterator<Item = Seat> + Clone,
        flags: [Option<Pirate>; Seat::MAX as usize],
        ways: &mut Vec<[Option<Pirate>; Seat::MAX as usize]>,
    ) {
        let Some((seat, truth)) = seats.find_map(|seat| Some((seat, self.flags[seat.index()]?))) else {
            ways.push(flags);
            return;
        };
        let fixed = viewer.sees_hand_of(seat) || self.revealed.contains(seat);
        for pirate in Pirate::ALL {
            let possible = if fixed { pirate == truth } else { self.memory.may_have_flag(seat, pirate) };
            if possible && !flags.contains(&Some(pirate)) {
                let mut flags = flags;
                flags[seat.index()] = Some(pirate);
                self.assign_flags(viewer, seats.clone(), flags, ways);
            }
        }
    }

    /// Deals all cards anew whose place the viewer does not know.
    fn deal_hidden<R: Rng + ?Sized>(&self, world: &mut Self, viewer: Viewer, rng: &mut R) {
        let mut unseen = Cards::EMPTY;
        let hidden_hands = || Seat::all(self.seats).filter(|&seat| !viewer.sees_hand_of(seat));
        for seat in hidden_hands() {
            let known = self.memory.holds(viewer, seat);
            unseen.extend(self.hand(seat).iter());
            known.iter().for_each(|card| unseen.remove(card));
            world.hands[seat.index()] = *known;
        }
        let hidden = |known_to: Option<Seat>| !known_to.is_some_and(|seat| viewer.sees_hand_of(seat));
        for segment in self.pile.segments().filter(|segment| hidden(segment.known_to)) {
            unseen.extend(segment.cards.iter());
        }
        for seat in hidden_hands() {
            let missing = self.hand(seat).total() - world.hand(seat).total();
            deal(&mut unseen, &mut world.hands[seat.index()], missing, rng);
        }
        // The first one is most often the largest: as the last it takes whatever is left.
        for segment in world.pile.segments_mut().rev().filter(|segment| hidden(segment.known_to)) {
            let size = segment.cards.total();
            segment.cards = Cards::EMPTY;
            deal(&mut unseen, &mut segment.cards, size, rng);
        }
    }

    /// Draws anew what somebody has chosen in secret and the others have not seen yet. False if the hands as they are
    /// dealt leave no such choice.
    fn redraw_secret<R: Rng + ?Sized>(&mut self, viewer: Viewer, rng: &mut R) -> bool {
        match self.phase {
            Phase::PlayerGives(talk, deal_made, _) if !viewer.sees_hand_of(deal_made.partner) => {
                let mut hand = *self.hand(deal_made.partner);
                let mut given = Cards::EMPTY;
                deal(&mut hand, &mut given, u16::from(deal_made.cards), rng);
                let gift: Gift = given.iter().collect();
                self.phase = Phase::PlayerGives(talk, deal_made, gift);
                true
            }
            // The card has to be played, so it is one that can be.
            Phase::Plundered(_, Some(victim)) if !viewer.sees_hand_of(victim) && !viewer.sees_hand_of(self.player) => {
                let playable: Cards = self.own_hand().iter().filter(|&card| self.is_playable(card)).collect();
                if playable.is_empty() {
                    return false;
                }
                let stolen = playable.nth(rng.random_range(0..playable.total()));
                self.phase = Phase::Plundered(stolen, Some(victim));
                true
            }
            Phase::Plundered(card, _) => self.is_playable(card),
            _ => true,
        }
    }

    /// What others remember of hands that the viewer does not see must be true of the hands as they are dealt now.
    fn sample_memories<R: Rng + ?Sized>(&self, world: &mut Self, viewer: Viewer, rng: &mut R) {
        let observers = Seat::all(self.seats).map(Viewer::Seat).chain([Viewer::Spectator]);
        for observer in observers.filter(|&observer| observer != viewer) {
            for holder in Seat::all(self.seats).filter(|&seat| !viewer.sees_hand_of(seat)) {
                if observer.sees_hand_of(holder) {
                    continue;
                }
                let remembered = self.memory.holds(observer, holder);
                let mut known = remembered.common(self.memory.holds(viewer, holder));
                let mut hand = *world.hand(holder);
                known.iter().for_each(|card| hand.remove(card));
                let more = remembered.total() - known.total();
                deal(&mut hand, &mut known, more, rng);
                world.memory.set_holds(observer, holder, known);
            }
        }
    }
}

/// Moves so many cards, each left one equally likely, from one multiset to another.
fn deal<R: Rng + ?Sized>(from: &mut Cards, to: &mut Cards, cards: u16, rng: &mut R) {
    if cards == from.total() {
        to.extend(std::mem::replace(from, Cards::EMPTY).iter());
        return;
    }
    for _ in 0..cards {
        let card = from.nth(rng.random_range(0..from.total()));
        from.remove(card);
        to.add(card);
    }
}
