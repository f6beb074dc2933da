//! Who has which flag: what everybody can conclude from what was done on the chart.

use quincunx_core::{Actor, Game, Seat};
use quincunx_games::x_marks_the_spot::{Action, Pirate, XMarksTheSpot};
use rand::{Rng, RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

use super::{
    policy::{Mind, Policy},
    settings::Settings,
};
use crate::{Knowledge, math::exp};

const SEATS: usize = Seat::MAX as usize;
const FLAGS: usize = Pirate::ALL.len();

/// The flag of each seat. Seats that do not play have any.
type Flags = [Pirate; SEATS];

/// How likely each seat has each flag.
pub(super) type Likely = [[f32; FLAGS]; SEATS];

/// How much the actions of each seat speak for each flag, as logarithms of likelihoods up to a constant.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Leanings([[f32; FLAGS]; SEATS]);

impl Leanings {
    /// A seat has done something that brings each pirate so much.
    pub(super) fn observe(&mut self, seat: Seat, brings: [f32; FLAGS], settings: &Settings) {
        let leanings = &mut self.0[seat.index()];
        for (leaning, gain) in leanings.iter_mut().zip(brings) {
            // A whole X says no more than the last card before it: what it is worth is another matter.
            *leaning += settings.inference * gain.clamp(-1.0, 1.0);
        }
        // Only differences mean anything, and nobody is ever quite sure.
        let most = leanings.iter().copied().fold(f32::MIN, f32::max);
        for leaning in leanings {
            *leaning = (*leaning - most).max(-settings.certainty);
        }
    }

    /// All ways to give flags to the seats that the table does not rule out, with how likely they are against each other.
    fn ways(&self, game: &XMarksTheSpot) -> Vec<(Flags, f32)> {
        let mut ways = vec![([Pirate::Condent; SEATS], 1.0_f32)];
        for seat in Seat::all(game.seats()) {
            let extended = ways.iter().flat_map(|&(flags, weight)| {
                let taken = flags;
                Pirate::ALL.into_iter().filter_map(move |pirate| {
                    let free = !taken[..seat.index()].contains(&pirate) && game.may_have_flag(seat, pirate);
                    let mut flags = taken;
                    flags[seat.index()] = pirate;
                    free.then(|| (flags, weight * exp(self.0[seat.index()][pirate as usize])))
                })
            });
            ways = extended.collect();
        }
        ways
    }
}

/// What is known of the flags at one moment.
#[derive(Clone, Debug)]
pub(super) struct Beliefs {
    seats: u8,
    ways: Vec<(Flags, f32)>,
}

impl Beliefs {
    pub(super) fn new(game: &XMarksTheSpot, leanings: &Leanings) -> Self {
        Self { seats: game.seats(), ways: leanings.ways(game) }
    }

    /// How likely each seat has each flag, for somebody who knows one of them.
    pub(super) fn likely(&self, seat: Seat, flag: Pirate) -> Likely {
        let mut likely = Likely::default();
        let mut total = 0.0;
        for (flags, weight) in self.ways.iter().filter(|(flags, _)| flags[seat.index()] == flag) {
            total += weight;
            for other in Seat::all(self.seats) {
                likely[other.index()][flags[other.index()] as usize] += weight;
            }
        }
        if total > 0.0 {
            likely.iter_mut().flatten().for_each(|share| *share /= total);
        }
        likely
    }

    /// How likely a seat has this flag, for somebody who knows none.
    pub(super) fn suspicion(&self, seat: Seat, flag: Pirate) -> f32 {
        let total: f32 = self.ways.iter().map(|(_, weight)| weight).sum();
        let with_flag = self.ways.iter().filter(|(flags, _)| flags[seat.index()] == flag);
        with_flag.map(|(_, weight)| weight).sum::<f32>() / total
    }

    /// What a seat with this flag is after: it cares for its own X's, and against those of flags that others likely have.
    pub(super) fn mind(&self, seat: Seat, flag: Pirate, settings: &Settings) -> Mind {
        let likely = self.likely(seat, flag);
        // An X of one of many others takes less from the own chances, and somebody else may see to it. Together all others
        // still weigh less the more there are.
        let others = f32::from(self.seats - 1);
        let share_of_one = others * others.sqrt();
        let mut wishes = [0.0; FLAGS];
        for other in Seat::all(self.seats).filter(|&other| other != seat) {
            for (wish, share) in wishes.iter_mut().zip(likely[other.index()]) {
                *wish -= settings.caution * share / share_of_one;
            }
        }
        wishes[flag as usize] = 1.0;
        Mind { flag, wishes }
    }

    /// Draws a position that the thinking seat cannot tell from the true one: flags by how likely they are.
    pub(super) fn imagine<R: Rng>(&self, known: &Knowledge<'_, XMarksTheSpot>, rng: &mut R) -> XMarksTheSpot {
        /// The chance that more draws are needed is small, and then the last one will do.
        const DRAWS: u32 = 50;
        let mut world = known.imagine(rng);
        let own = world.flag(known.seat());
        let fits = |flags: &Flags| own.is_none_or(|own| flags[known.seat().index()] == own);
        let most = self.ways.iter().filter(|(flags, _)| fits(flags)).map(|&(_, weight)| weight).fold(0.0, f32::max);
        for _ in 0..DRAWS {
            let same = |flags: &Flags| Seat::all(self.seats).all(|seat| world.flag(seat) == Some(flags[seat.index()]));
            let weight = self.ways.iter().find(|(flags, _)| same(flags)).map_or(most, |&(_, weight)| weight);
            if weight >= most * rng.random::<f32>() {
                break;
            }
            world = known.imagine(rng);
        }
        world
    }
}

/// What a player remembers of a game: how far it has watched, and what it made of that.
#[derive(Clone, Debug, Default)]
pub(super) struct Watched {
    seen: Vec<(Actor, Option<Action>)>,
    pub(super) leanings: Leanings,
}

impl Watched {
    /// Watches what has happened since the last time; if it was another game, from its beginning.
    pub(super) fn catch_up(&mut self, known: &Knowledge<'_, XMarksTheSpot>, policy: &mut Policy, settings: &Settings) {
        let mut past = known.seen();
        if !self.seen.iter().all(|&step| past.next() == Some(step)) {
            *self = Self::default();
        }
        let Self { seen, leanings } = self;
        // Any position will do, for the chart is the same in all that this seat can imagine.
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(0);
        known.recall(seen.len(), |before, by, action| {
            seen.push((by, action));
            if let (Actor::Seat(seat), Some(action)) = (by, action)
                && let Some(brings) = policy.brings(&before.imagine(&mut rng), action)
            {
                leanings.observe(seat, brings, settings);
            }
        });
    }
}
