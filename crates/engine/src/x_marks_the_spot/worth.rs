//! What an X lacks for each pirate, and how much it is worth to him like that.

use quincunx_games::x_marks_the_spot::{Icon, Surface};

use crate::math::{exp, ln};

/// What an X lacks, for the four pirates in one word, a byte each: sums of [`lacks`] over its five squares.
pub(super) type Lack = u32;

/// A square that takes the pirate's icon lacks one card: the bare table, open water.
pub(super) const EASY: u32 = 4;
/// A square with another pirate or a kraken takes only a ghost ship, or has to be flooded or shot first.
pub(super) const HARD: u32 = 11;
/// A spent square never serves again. Five of them still fit into a byte.
const SPENT: u32 = 50;

/// The three kinds of lack.
pub(super) const KINDS_OF_LACK: usize = 3;

const fn lacks(surface: usize) -> Lack {
    const BARE: usize = Surface::Bare.index();
    const WATER: usize = Icon::OpenWater as usize;
    const GHOST: usize = Icon::GhostShip as usize;
    const DOUBLOON: usize = Surface::Spent.index();
    let mut word = 0;
    let mut pirate = 0;
    while pirate < 4 {
        let lack = match surface {
            GHOST => 0,
            BARE | WATER => EASY,
            DOUBLOON => SPENT,
            _ if surface == pirate => 0,
            _ => HARD,
        };
        word |= lack << (8 * pirate);
        pirate += 1;
    }
    word
}

pub(super) const LACKS: [Lack; Surface::COUNT] = {
    let mut table = [0; Surface::COUNT];
    let mut surface = 0;
    while surface < Surface::COUNT {
        table[surface] = lacks(surface);
        surface += 1;
    }
    table
};

/// For each surface and pirate which of the three kinds of lack it is. A doubloon is never asked for.
pub(super) const KIND_OF_LACK: [[usize; 4]; Surface::COUNT] = {
    let mut table = [[0; 4]; Surface::COUNT];
    let mut surface = 0;
    while surface < Surface::COUNT {
        let lacks = LACKS[surface].to_le_bytes();
        let mut pirate = 0;
        while pirate < 4 {
            table[surface][pirate] = match lacks[pirate] as u32 {
                0 => 0,
                EASY => 1,
                _ => 2,
            };
            pirate += 1;
        }
        surface += 1;
    }
    table
};

/// How much X's are worth.
#[derive(Clone, Debug)]
pub(super) struct Worth {
    /// What an X is worth, by what it lacks.
    of_lack: [f32; LACKING],
    /// By what the centre of an orthogonal X lacks and by what the X lacks: how much less or more it may bring to change
    /// the centre and an arm together than to change one and the other.
    together: [[Span; LACKING]; KINDS_OF_LACK],
}

/// How many numbers the lack of an X for one pirate may be.
const LACKING: usize = 256;

/// From the least, which is at most 0, to the most, which is at least 0.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    least: f32,
    most: f32,
}

impl Worth {
    /// Each missing card leaves the share `step` of the worth; a whole X has the worth `whole`. Five bare squares are
    /// everywhere and count for nothing.
    pub(super) fn new(whole: f32, step: f32) -> Self {
        let mut of_lack = [0.0; LACKING];
        of_lack[0] = whole;
        for (lack, worth) in of_lack.iter_mut().enumerate().take(SPENT as usize).skip(1) {
            *worth = exp(ln(step) * lack as f32 / EASY as f32);
        }
        of_lack[5 * EASY as usize] = 0.0;
        let together = std::array::from_fn(|centre| together(&of_lack, centre));
        Self { of_lack, together }
    }

    #[inline]
    pub(super) fn of(&self, lack: Lack) -> [f32; 4] {
        lack.to_le_bytes().map(|byte| self.of_lack[usize::from(byte)])
    }

    /// For one pirate.
    #[inline]
    pub(super) fn of_one(&self, lack: usize) -> f32 {
        self.of_lack[lack]
    }

    /// The most that it may bring to somebody with this wish for the pirate's X's if the centre of an orthogonal X, which
    /// lacks so much, is changed together with an arm, beyond what the two bring one by one.
    #[inline]
    pub(super) fn most_together(&self, kind_of_centre: usize, lack: u8, wish: f32) -> f32 {
        let Span { least, most } = self.together[kind_of_centre][usize::from(lack)];
        wish * if wish < 0.0 { least } else { most }
    }
}

/// Goes through all X's with such a centre, and through all changes of the centre and of an arm. With a doubloon an X is
/// worth nothing before and after.
fn together(of_lack: &[f32; LACKING], kind_of_centre: usize) -> [Span; LACKING] {
    const LACK_OF: [usize; KINDS_OF_LACK] = [0, EASY as usize, HARD as usize];
    let mut spans = [Span::default(); LACKING];
    let centre = LACK_OF[kind_of_centre];
    for arm in LACK_OF {
        for (easy, hard) in (0..=3).flat_map(|easy| (0..=3 - easy).map(move |hard| (easy, hard))) {
            let rest = easy * EASY as usize + hard * HARD as usize;
            let span = &mut spans[rest + centre + arm];
            for (new_centre, new_arm) in LACK_OF.into_iter().flat_map(|a| LACK_OF.map(|b| (a, b))) {
                let worth = |centre: usize, arm: usize| of_lack[rest + centre + arm];
                let more =
                    worth(new_centre, new_arm) - worth(new_centre, arm) - worth(centre, new_arm) + worth(centre, arm);
                span.least = span.least.min(more);
                span.most = span.most.max(more);
            }
        }
    }
    spans
}
