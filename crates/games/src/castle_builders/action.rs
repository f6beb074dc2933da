//! What happens in a turn of Castle Builders, and how it is written.

use std::{fmt, str::FromStr};

use schemars::JsonSchema;
use serde::Serialize;

use super::{counters::Kind, refusal::Refusal};

/// A tower, counted from 0 at the left; written from 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, JsonSchema)]
#[serde(into = "u16")]
pub struct Tower(u8);

impl Tower {
    #[inline]
    pub const fn new(index: u8) -> Self {
        Self(index)
    }

    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Tower {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        u16::from(*self).fmt(f)
    }
}

impl From<Tower> for u16 {
    fn from(tower: Tower) -> Self {
        Self::from(tower.0) + 1
    }
}

/// A building counter as it is put into a tower.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Building {
    Ordinary,
    Continuation,
    /// A bonus counter with its arrows vertical: for the tower.
    BonusVertical,
    /// A bonus counter with its arrows horizontal: for the row.
    BonusHorizontal,
}

impl Building {
    pub const ALL: [Self; 4] = [Self::Ordinary, Self::Continuation, Self::BonusVertical, Self::BonusHorizontal];

    #[inline]
    pub const fn kind(self) -> Kind {
        match self {
            Self::Ordinary => Kind::Ordinary,
            Self::Continuation => Kind::Continuation,
            Self::BonusVertical | Self::BonusHorizontal => Kind::Bonus,
        }
    }

    const fn text(self) -> &'static str {
        match self {
            Self::Ordinary => "O",
            Self::Continuation => "C",
            Self::BonusVertical => "Bv",
            Self::BonusHorizontal => "Bh",
        }
    }
}

/// A counter that removes another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Remover {
    Remove,
    RemoveAndContinue,
}

impl Remover {
    pub const ALL: [Self; 2] = [Self::Remove, Self::RemoveAndContinue];

    #[inline]
    pub const fn kind(self) -> Kind {
        match self {
            Self::Remove => Kind::Remove,
            Self::RemoveAndContinue => Kind::RemoveAndContinue,
        }
    }
}

/// One step of Castle Builders: a counter played by a seat, or a counter drawn by chance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Put a counter on the lowest free space of a tower: `O3`, `C3`, `Bv3`, `Bh3`.
    Build { counter: Building, tower: Tower },
    /// Discard the topmost counter of a tower: `R3`, `K3`; no tower if all are empty: `R`, `K`.
    Remove { counter: Remover, tower: Option<Tower> },
    /// Play a stop counter, which does nothing: `S`.
    Stop,
    /// A counter comes from the pile: `+O`.
    Draw(Kind),
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Build { counter, tower } => write!(f, "{}{tower}", counter.text()),
            Self::Remove { counter, tower: Some(tower) } => write!(f, "{}{tower}", counter.kind().letter()),
            Self::Remove { counter, tower: None } => write!(f, "{}", counter.kind().letter()),
            Self::Stop => write!(f, "{}", Kind::Stop.letter()),
            Self::Draw(kind) => write!(f, "+{}", kind.letter()),
        }
    }
}

impl FromStr for Action {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        read(text).ok_or(Refusal::Form)
    }
}

fn read(text: &str) -> Option<Action> {
    if let Some(letter) = text.strip_prefix('+') {
        let mut letters = letter.chars();
        let kind = Kind::from_letter(letters.next()?)?;
        return letters.next().is_none().then_some(Action::Draw(kind));
    }
    if text == "S" {
        return Some(Action::Stop);
    }
    for counter in Building::ALL {
        if let Some(tower) = text.strip_prefix(counter.text()) {
            return Some(Action::Build { counter, tower: read_tower(tower)? });
        }
    }
    for counter in Remover::ALL {
        if let Some(tower) = text.strip_prefix(counter.kind().letter()) {
            let tower = if tower.is_empty() { None } else { Some(read_tower(tower)?) };
            return Some(Action::Remove { counter, tower });
        }
    }
    None
}

/// A number from 1 to 99: whether the castle has such a tower is for the position to say.
fn read_tower(text: &str) -> Option<Tower> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0') && text.len() <= 2;
    plain.then(|| text.parse::<u8>().ok())?.map(|number| Tower(number - 1))
}
