//! Levels of strength: how far somebody looks, how well they judge, and what they overlook.
//!
//! A level is not another algorithm. It gets the root of the same search that the strongest player has, with fewer nodes, and
//! chooses there as people do: it misjudges positions, always the same way within a game, it does not always take the best
//! of several good ways, and it may overlook a win or a threat. It leaves nothing else to chance.

use std::{
    fmt,
    hash::{Hash, Hasher},
    str::FromStr,
};

use quincunx_core::Game;

use crate::{
    Budget, Control, Knowledge, Line, Player, Thought,
    hasher::FoldHasher,
    math::{ln, logistic, logit},
    player::Sight,
};

/// How strong an engine plays, in words that people understand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    Beginner,
    Novice,
    Casual,
    Club,
    Strong,
    Expert,
    Master,
}

/// What a level is in one game.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Strength {
    nodes: u64,
    /// How far off the value of a position is judged, in logits (the standard deviation).
    noise: f32,
    /// How much worse, as a chance to win, a choice may well be.
    temperature: f32,
}

/// The strengths of the levels in a game, from the lowest one: nodes, noise, temperature.
type Ladder = [(u64, f32, f32); Level::ALL.len()];

/// Tuned by matches between neighbours; see `docs/strength.md`.
const TREXO: Ladder = [
    (10, 2.0, 0.12),
    (20, 0.25, 0.015),
    (40, 0.08, 0.005),
    (120, 0.1, 0.006),
    (600, 0.04, 0.003),
    (3_000, 0.04, 0.003),
    (20_000, 0.0, 0.0),
];
const MOD_X: Ladder = [
    (10, 2.0, 0.12),
    (30, 0.6, 0.036),
    (100, 0.6, 0.036),
    (450, 0.8, 0.045),
    (1_600, 0.35, 0.02),
    (6_000, 0.1, 0.006),
    (25_000, 0.0, 0.0),
];
const FIGURES: Ladder = [
    (40, 1.6, 0.1),
    (70, 0.9, 0.054),
    (120, 0.7, 0.042),
    (250, 0.6, 0.036),
    (800, 0.52, 0.03),
    (4_000, 0.4, 0.02),
    (30_000, 0.0, 0.0),
];
const CASTLE_BUILDERS: Ladder = [
    (30, 1.0, 0.1),
    (60, 0.65, 0.065),
    (150, 0.4, 0.04),
    (500, 0.26, 0.026),
    (3_000, 0.16, 0.016),
    (30_000, 0.1, 0.01),
    (500_000, 0.0, 0.0),
];
const X_MARKS_THE_SPOT: Ladder = [
    (8, 3.0, 0.2),
    (12, 1.0, 0.06),
    (20, 0.42, 0.025),
    (40, 0.27, 0.016),
    (100, 0.14, 0.008),
    (300, 0.05, 0.003),
    (1_000, 0.0, 0.0),
];
/// For a game of which no engine knows more than its rules.
const ANY: Ladder = [
    (50, 1.0, 0.1),
    (100, 0.7, 0.07),
    (300, 0.4, 0.05),
    (1_000, 0.2, 0.03),
    (4_000, 0.1, 0.01),
    (15_000, 0.0, 0.0),
    (50_000, 0.0, 0.0),
];

impl Level {
    pub const ALL: [Self; 7] =
        [Self::Beginner, Self::Novice, Self::Casual, Self::Club, Self::Strong, Self::Expert, Self::Master];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Beginner => "beginner",
            Self::Novice => "novice",
            Self::Casual => "casual",
            Self::Club => "club",
            Self::Strong => "strong",
            Self::Expert => "expert",
            Self::Master => "master",
        }
    }

    /// What somebody can expect who plays against it.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Beginner => "Has just learnt the rules: misses wins and threats, and lets you try things out.",
            Self::Novice => "Sees most wins and many threats, but plans no further than the next turn.",
            Self::Casual => "Takes every win, misses a threat now and then, and can be outplayed.",
            Self::Club => "Meets every threat and makes small mistakes: a good game for who plays often.",
            Self::Strong => "Looks some turns ahead and seldom errs: you need a plan.",
            Self::Expert => "Punishes mistakes and judges well: hard to beat.",
            Self::Master => "The best play there is here: it overlooks nothing.",
        }
    }

    fn strength(self, game: &str) -> Strength {
        use quincunx_games::{CastleBuilders, Figures, ModX, Trexo, XMarksTheSpot};
        let ladder = match game {
            Trexo::ID => &TREXO,
            ModX::ID => &MOD_X,
            Figures::ID => &FIGURES,
            CastleBuilders::ID => &CASTLE_BUILDERS,
            XMarksTheSpot::ID => &X_MARKS_THE_SPOT,
            _ => &ANY,
        };
        let (nodes, noise, temperature) = ladder[self as usize];
        Strength { nodes, noise, temperature }
    }

    /// What the level may use for a move in this game if nothing else is said: nodes, so that it plays as well on a phone as on
    /// a server.
    pub fn budget(self, game: &str) -> Budget {
        Budget::nodes(self.strength(game).nodes)
    }

    /// How likely the level sees that it can win at once.
    pub const fn wins_seen(self) -> f32 {
        match self {
            Self::Beginner => 0.7,
            Self::Novice => 0.85,
            _ => 1.0,
        }
    }

    /// How likely the level sees that another side can win at once if nothing is done about it.
    pub const fn threats_seen(self) -> f32 {
        match self {
            Self::Beginner => 0.4,
            Self::Novice => 0.6,
            Self::Casual => 0.85,
            _ => 1.0,
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let level = Self::ALL.into_iter().find(|level| level.name() == text);
        level.ok_or_else(|| format!("the levels are {}", Self::ALL.map(Self::name).join(", ")))
    }
}

/// A player that chooses among the lines of a search as its level does.
#[derive(Clone, Copy, Debug)]
pub struct AtLevel<P> {
    pub level: Level,
    pub player: P,
}

impl<G: Game, P: Player<G>> Player<G> for AtLevel<P> {
    fn think(&mut self, known: &Knowledge<'_, G>, control: &Control<'_>) -> Thought<G::Action> {
        let strength = self.level.strength(G::ID);
        if strength.noise <= 0.0 && strength.temperature <= 0.0 {
            // It sees all there is to see, and plays the best of it.
            return self.player.think(known, control);
        }
        let mut thought = self.player.think(known, &control.with_lines(usize::MAX));
        let own = known.seat().index();
        let luck = Luck { game_seed: control.game_seed(), position: known.key() };
        let chosen = choose(self.level, strength, &thought.lines, own, luck, P::is_procedural);
        if let Some(Line { steps, expected, .. }) = chosen.map(|chosen| thought.lines[chosen].clone()) {
            (thought.action, thought.expected, thought.line) = (steps[0].action, expected, steps);
        }
        let mut place = 0;
        thought.lines.retain(|line| {
            place += 1;
            place <= control.lines() || Some(line.action()) == known.asked()
        });
        thought
    }

    fn interject(&mut self, known: &Knowledge<'_, G>, control: &Control<'_>) -> Option<Thought<G::Action>> {
        let luck = Luck { game_seed: control.game_seed(), position: known.key() };
        let notices = luck.draw("claim") < self.level.threats_seen();
        if notices { self.player.interject(known, control) } else { None }
    }

    fn is_procedural(action: G::Action) -> bool {
        P::is_procedural(action)
    }
}

/// Far ahead nothing but the best will do: nobody likes to be toyed with.
const FAR_AHEAD: f32 = 0.95;

/// A line was looked at if it had one visit for so many of the line that had most.
const LOOKED_AT: u64 = 6;

/// The number of the line that the level takes; nothing if the first one is to be taken as it is.
fn choose<A: Copy>(
    level: Level,
    strength: Strength,
    lines: &[Line<A>],
    own: usize,
    luck: Luck,
    is_procedural: impl Fn(A) -> bool,
) -> Option<usize> {
    let best = lines.first()?;
    if is_procedural(best.action()) {
        return None;
    }
    let all = || (0..lines.len()).filter(|&number| !is_procedural(lines[number].action()));
    let any = |sight: Sight| lines.iter().any(|line| line.sight == sight);
    if any(Sight::Wins) && luck.draw("win") < level.wins_seen() {
        return all().find(|&number| lines[number].sight == Sight::Wins);
    }
    let blind = any(Sight::Loses) && any(Sight::Quiet) && luck.draw("threat") >= level.threats_seen();
    // Who does not see what is at stake judges by the look of things.
    let value = |line: &Line<A>| if blind { Some(line.glance) } else { line.expected.get(own).copied() };
    let seen = |number: &usize| match lines[*number].sight {
        Sight::Wins => false,
        Sight::Loses => blind || !any(Sight::Quiet),
        Sight::Quiet => true,
    };
    // What was hardly looked at is chosen only if there is nothing else: it may look good for want of a second look.
    let most_visits = lines.iter().map(|line| line.visits).max().unwrap_or(0);
    let looked_at = |number: &usize| {
        let Line { visits, depth, ref expected, .. } = lines[*number];
        // What is proven was not looked at again.
        let proven = expected.get(own).is_some_and(|&share| share <= 0.0 || share >= 1.0);
        blind || proven || (visits * LOOKED_AT >= most_visits && (visits > 0 || depth > 0))
    };
    let mut open: Vec<usize> = all().filter(seen).filter(looked_at).collect();
    if open.is_empty() {
        open = all().filter(seen).collect();
    }
    let most = open.iter().filter_map(|&number| value(&lines[number])).fold(0.0, f32::max);
    if !blind && most >= 1.0 {
        // Of several ways to win the shortest.
        let won = open.into_iter().filter(|&number| value(&lines[number]).is_some_and(|share| share >= 1.0));
        return won.min_by_key(|&number| lines[number].depth);
    }
    // Where all is lost the first line holds out longest.
    if !blind && (most >= FAR_AHEAD || most <= 0.0) {
        return open.first().copied();
    }
    let worth = |number: usize| {
        let line = &lines[number];
        let judged = logistic(logit(value(line).unwrap_or(line.glance)) + strength.noise * luck.normal(line.key));
        judged + strength.temperature * luck.gumbel(line.key)
    };
    open.into_iter()
        .map(|number| (worth(number), number))
        .reduce(|best, next| if next.0 > best.0 { next } else { best })
        .map(|(_, number)| number)
}

/// What chance decides for a level: always the same in one position of one game.
#[derive(Clone, Copy)]
struct Luck {
    game_seed: u64,
    position: u64,
}

impl Luck {
    /// A number from 0 to 1 for one matter in this position.
    fn draw(self, matter: &str) -> f32 {
        unit((self.game_seed, self.position, matter))
    }

    /// A number of the normal distribution for what a line leads to: the sum of twelve draws is near enough.
    fn normal(self, key: u64) -> f32 {
        (0_u8..12).map(|part| unit((self.game_seed, key, part))).sum::<f32>() - 6.0
    }

    /// A number of Gumbel's distribution: the greatest sum of a value and such a number is each choice as often as the
    /// softmax of the values says.
    fn gumbel(self, key: u64) -> f32 {
        let draw = unit((self.game_seed, key, "choice")).clamp(1e-6, 1.0 - 1e-6);
        -ln(-ln(draw))
    }
}

/// A number from 0 to 1 that looks like chance.
fn unit(of: impl Hash) -> f32 {
    let mut hasher = FoldHasher::default();
    of.hash(&mut hasher);
    (hasher.finish() >> 40) as f32 / (1 << 24) as f32
}
