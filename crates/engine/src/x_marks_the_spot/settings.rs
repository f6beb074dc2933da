//! The numbers that the player of X Marks the Spot goes by.

/// What can be set about the player. Gains are measured in X's of one's own: one that lacks a single card is worth `step`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// What a doubloon is worth.
    pub worth_of_whole: f32,
    /// Which share of its worth an X loses with each card that it lacks.
    pub step: f32,
    /// How much of what a card is good for counts against playing it.
    pub keep: f32,
    /// How much the others' X's matter, against one's own.
    pub caution: f32,
    /// What it brings to steal a card and play it.
    pub plunder: f32,
    /// How much of what a better hand is good for counts.
    pub refresh: f32,
    /// What a card out of the pile is good for, on average.
    pub usual_card: f32,
    /// What a card is good for that somebody gave away.
    pub traded_card: f32,
    /// What it costs to lose a turn, and what to spend an action on talk.
    pub turn: f32,
    pub parlay: f32,
    /// How much it matters what a card is good for in the hands of the partner.
    pub partner: f32,
    /// How much an action tells about the flag of who made it.
    pub inference: f32,
    /// The most that the actions of a seat speak for or against a flag, as a logarithm of odds.
    pub certainty: f32,
    /// What it costs, as a chance to win, if the others come to know the own flag for certain who had no idea of it. With
    /// 0.1 it won 62 % of 60 games against 0, at 4 ms an action (95 %: 49 to 74).
    pub concealment: f32,
    /// How many actions are looked at more closely.
    pub candidates: usize,
    /// How many turns a game is played on from there at least: with more seats, until each had a turn.
    pub horizon: u32,
    /// How many doubloons the X's in the making are worth at most, and how much makes half of that.
    pub making: f32,
    pub half_made: f32,
    /// How sharply a lead in doubloons decides the game.
    pub decisive: f32,
    /// How many simulated games the first glance counts for.
    pub first_glance: f32,
    /// How much chance to win a gain is worth at first glance.
    pub glance: f32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            worth_of_whole: 3.0,
            step: 0.4,
            keep: 0.3,
            caution: 1.2,
            plunder: 0.25,
            refresh: 0.5,
            usual_card: 0.08,
            traded_card: 0.05,
            turn: 0.25,
            parlay: 0.1,
            partner: 0.5,
            inference: 4.0,
            certainty: 4.0,
            concealment: 0.1,
            candidates: 16,
            horizon: 2,
            making: 0.9,
            half_made: 0.8,
            decisive: 2.0,
            first_glance: 4.0,
            glance: 0.3,
        }
    }
}

impl Settings {
    /// With few simulations, few actions get as many as it takes to compare them.
    const FEW: usize = 4;

    /// How many actions are looked at more closely with so many simulations.
    pub(super) fn candidates_for(&self, simulations: Option<u64>) -> usize {
        let affordable = simulations.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX) / Self::FEW);
        self.candidates.min(affordable.max(Self::FEW))
    }

    /// How many turns games are played on with so many seats.
    pub(super) fn turns_ahead(&self, seats: u8) -> u32 {
        self.horizon.max(seats.into())
    }

    /// How a gain against the best action looks at first glance, as a chance to win.
    pub(super) fn glance_at(&self, gain: f32) -> f32 {
        self.glance * gain.max(-1.0)
    }
}
