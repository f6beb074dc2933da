//! What a seat would do at a glance: one action ahead, by what it wishes for the chart and what its cards are good for.

use quincunx_core::{Game, Seat, Turn};
use quincunx_games::x_marks_the_spot::{Action, Card, Direction, Icon, Pirate, Square, Surface, XMarksTheSpot};

use super::{
    sea::{Sea, Wishes, Worth},
    settings::Settings,
};

/// What a seat is after.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Mind {
    pub(super) flag: Pirate,
    /// How much it likes each pirate's X's to grow: its own, and by how likely they are somebody's, the others' not.
    pub(super) wishes: Wishes,
}

impl Mind {
    /// What a card is good for in this seat's hand, in the measure of gains on the chart.
    pub(super) fn worth(&self, card: Card) -> f32 {
        let Some(icons) = card.icons() else {
            return match card {
                Card::CANNON => 0.07,
                Card::HEADING | Card::PLUNDER => 0.15,
                _ => 0.03,
            };
        };
        icons.into_iter().map(|icon| self.worth_of_icon(icon)).sum()
    }

    fn worth_of_icon(&self, icon: Icon) -> f32 {
        match icon {
            Icon::GhostShip => 0.12,
            Icon::OpenWater => 0.03,
            Icon::Kraken => 0.01,
            pirate if pirate as usize == self.flag as usize => 0.10,
            _ => 0.0,
        }
    }
}

/// A card that is good for something: with an icon of one's own or a ghost ship, or a strong action card.
const GOOD_CARD: f32 = 0.1;

/// Picks actions at a glance.
#[derive(Clone, Debug)]
pub(super) struct Policy {
    settings: Settings,
    sea: Sea,
    actions: Vec<Action>,
    targets: Vec<quincunx_games::x_marks_the_spot::Target>,
}

impl Policy {
    pub(super) fn new(settings: Settings) -> Self {
        let sea = Sea::new(Worth::new(settings.worth_of_whole, settings.step));
        Self { settings, sea, actions: Vec::new(), targets: Vec::new() }
    }

    /// The worth of all X's on the chart for each pirate.
    pub(super) fn values(&mut self, game: &XMarksTheSpot) -> [f32; 4] {
        self.sea.chart(game, [0.0; 4]);
        self.sea.values()
    }

    /// What an action brings each pirate on the chart of this position. `None` if it does not change the chart.
    pub(super) fn brings(&mut self, game: &XMarksTheSpot, action: Action) -> Option<[f32; 4]> {
        let target = |at: Square| game.targets().find(|target| target.squares[0] == at);
        let (squares, surfaces) = match action {
            Action::Place { card, at, direction } => ([at, at.step(direction)], card.icons()?.map(Surface::Icon)),
            Action::Cannon(at) => target(at).map(|target| (target.squares, target.below))?,
            Action::Heading { at, card, direction } => {
                let mut icons = card.icons()?;
                if !direction.is_up() {
                    icons.reverse();
                }
                (target(at)?.squares, icons.map(Surface::Icon))
            }
            _ => return None,
        };
        self.sea.chart(game, [0.0; 4]);
        Some(self.sea.gain_by_pirate(squares, surfaces))
    }

    /// The action that the seat on turn takes.
    pub(super) fn choose(&mut self, game: &XMarksTheSpot, seat: Seat, mind: &Mind) -> Action {
        debug_assert_eq!(game.turn(), Turn::Seat(seat));
        let cards = game.plundered().map(Some).or_else(|| game.is_time_to_act().then_some(None));
        if let Some(only) = cards
            && !game.is_table_empty()
            && let Some(action) = self.best_play(game, seat, mind, only)
        {
            return action;
        }
        self.actions.clear();
        game.actions(seat, &mut self.actions);
        let mut best = (f32::MIN, self.actions[0]);
        self.look_at(game, mind);
        for number in 0..self.actions.len() {
            let action = self.actions[number];
            let score = self.score(game, seat, mind, action);
            if score > best.0 {
                best = (score, action);
            }
        }
        best.1
    }

    /// Makes ready for [`score`](Self::score) in this position.
    pub(super) fn look_at(&mut self, game: &XMarksTheSpot, mind: &Mind) {
        self.sea.chart(game, mind.wishes);
        self.targets.clear();
        self.targets.extend(game.targets());
    }

    /// How good a legal action looks, in the position that was looked at last.
    pub(super) fn score(&mut self, game: &XMarksTheSpot, seat: Seat, mind: &Mind, action: Action) -> f32 {
        let keep = self.settings.keep;
        match action {
            Action::Place { card, at, direction } => self.place(card, at, direction) - keep * mind.worth(card),
            Action::Cannon(at) => self.cannon(at) - keep * mind.worth(Card::CANNON),
            Action::Heading { at, card, direction } => {
                self.heading(at, card, direction, mind) - keep * (mind.worth(card) + mind.worth(Card::HEADING))
            }
            Action::PlunderDiscard(card) => self.plundered(game, card, mind) - keep * mind.worth(Card::PLUNDER),
            Action::Plunder(_) => self.settings.plunder - keep * mind.worth(Card::PLUNDER),
            Action::Parlay { cards, .. } => self.parlay(game, seat, mind, Card::PARLAY, cards),
            Action::Scuttle if game.is_time_to_act() => self.scuttle(game, seat, mind),
            // Who draws first can still scuttle, and sees more.
            Action::Draw => 1.0,
            Action::Steal(card) => self.plundered(game, card, mind) + mind.worth(card),
            Action::Accept => self.trade(game, seat, mind, game.offered().unwrap_or(1)),
            Action::Counter(cards) => self.trade(game, seat, mind, cards) - 0.01,
            Action::Offer(cards) => self.trade(game, seat, mind, cards),
            Action::Force => self.trade(game, seat, mind, 1),
            Action::Take(from) => self.trade(game, seat, mind, game.offer_of(from).unwrap_or(1)) + 0.01,
            Action::Open => self.trade(game, seat, mind, 1) + 0.005,
            Action::Give(gift) => -gift.iter().map(|card| self.giving(card, mind)).sum::<f32>(),
            _ => 0.0,
        }
    }

    fn place(&mut self, card: Card, at: Square, direction: Direction) -> f32 {
        let icons = card.icons().expect("only tile cards are placed");
        self.sea.gain([at, at.step(direction)], icons.map(Surface::Icon))
    }

    fn cannon(&mut self, at: Square) -> f32 {
        let target = self.targets.iter().find(|target| target.squares[0] == at);
        let target = *target.expect("a legal cannon has a target");
        self.sea.gain(target.squares, target.below)
    }

    fn heading(&mut self, at: Square, card: Card, direction: Direction, mind: &Mind) -> f32 {
        let target = self.targets.iter().find(|target| target.squares[0] == at);
        let target = *target.expect("a legal new heading has a target");
        let mut icons = card.icons().expect("only tile cards are laid");
        if !direction.is_up() {
            icons.reverse();
        }
        self.sea.gain(target.squares, icons.map(Surface::Icon)) + self.settings.keep * mind.worth(target.card)
    }

    /// What a card brings that has to be played at once.
    fn plundered(&mut self, game: &XMarksTheSpot, card: Card, mind: &Mind) -> f32 {
        match card.icons() {
            Some(_) if game.is_table_empty() => 0.0,
            Some(icons) => self.sea.best_place(icons).map_or(0.0, |(gain, ..)| gain),
            None if card == Card::CANNON => self.best_cannon().map_or(0.0, |(gain, _)| gain),
            None => mind.worth(card),
        }
    }

    fn best_cannon(&mut self) -> Option<(f32, Square)> {
        let mut best: Option<(f32, Square)> = None;
        for number in 0..self.targets.len() {
            let target = self.targets[number];
            let gain = self.sea.gain(target.squares, target.below);
            if best.is_none_or(|(most, _)| gain > most) {
                best = Some((gain, target.squares[0]));
            }
        }
        best
    }

    /// What it brings to put the hand under the pile and lose the turn.
    fn scuttle(&self, game: &XMarksTheSpot, seat: Seat, mind: &Mind) -> f32 {
        let hand: f32 = game.hand_of(seat).map(|card| mind.worth(card)).sum();
        let cards = f32::from(game.hand_size(seat));
        self.settings.refresh * (cards * self.settings.usual_card - hand) - self.settings.turn
    }

    /// What a trade of so many cards brings: the worst ones go, and usual ones that somebody else did not want come.
    fn trade(&self, game: &XMarksTheSpot, seat: Seat, mind: &Mind, cards: u8) -> f32 {
        let mut worths: Vec<f32> = game.hand_of(seat).map(|card| mind.worth(card)).collect();
        worths.sort_by(f32::total_cmp);
        let worst = worths.iter().take(usize::from(cards));
        worst.map(|worth| self.settings.refresh * (self.settings.traded_card - worth)).sum()
    }

    fn parlay(&self, game: &XMarksTheSpot, seat: Seat, mind: &Mind, parlay: Card, cards: u8) -> f32 {
        self.trade(game, seat, mind, cards) - self.settings.keep * mind.worth(parlay) - self.settings.parlay
    }

    /// What is lost with a card that is given away: what it is worth here, and what it may be worth there.
    fn giving(&self, card: Card, mind: &Mind) -> f32 {
        let theirs = card.icons().into_iter().flatten().map(|icon| match icon {
            Icon::GhostShip => 0.12,
            Icon::Condent | Icon::Rackham | Icon::Avery | Icon::Wynn => 0.1 * -mind.wishes[icon as usize].min(0.0),
            _ => 0.0,
        });
        mind.worth(card) + self.settings.partner * theirs.sum::<f32>()
    }

    /// The best of all ways to play one of the cards in the hand, or only this one. Not for an empty table.
    fn best_play(&mut self, game: &XMarksTheSpot, seat: Seat, mind: &Mind, only: Option<Card>) -> Option<Action> {
        self.look_at(game, mind);
        let mut best: Option<(f32, Action)> = None;
        let mut offer = |score: f32, action: Action| {
            if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, action));
            }
        };
        let mut last = None;
        for card in game.hand_of(seat).filter(|&card| only.is_none_or(|only| only == card)) {
            if last.replace(card) == Some(card) {
                continue;
            }
            let cost = self.settings.keep * mind.worth(card);
            match card {
                Card::CANNON => {
                    if let Some((gain, at)) = self.best_cannon() {
                        offer(gain - cost, Action::Cannon(at));
                    }
                }
                Card::HEADING => {
                    for number in 0..self.targets.len() {
                        let target = self.targets[number];
                        let up =
                            if target.squares[0].x == target.squares[1].x { Direction::North } else { Direction::East };
                        for tile in game.hand_of(seat).filter(|card| card.is_tile()) {
                            for direction in [up, up.opposite()] {
                                if tile.is_double() && direction != up {
                                    continue;
                                }
                                let action = Action::Heading { at: target.squares[0], card: tile, direction };
                                offer(self.score(game, seat, mind, action), action);
                            }
                        }
                    }
                }
                Card::PLUNDER => {
                    for victim in game.partners() {
                        offer(self.settings.plunder - cost, Action::Plunder(victim));
                    }
                    // Others are hardly ever worth it, and there are many.
                    for taken in game.plunder_from_discard().filter(|&taken| mind.worth(taken) >= GOOD_CARD) {
                        let action = Action::PlunderDiscard(taken);
                        offer(self.score(game, seat, mind, action), action);
                    }
                }
                Card::PARLAY => {
                    for target in game.partners() {
                        let most = (game.hand_size(seat) - 1).min(game.hand_size(target)) as u8;
                        for cards in 1..=most {
                            let action = Action::Parlay { target, cards };
                            offer(self.score(game, seat, mind, action), action);
                        }
                    }
                }
                tile => {
                    let icons = tile.icons().expect("all other cards are tile cards");
                    if let Some((gain, at, direction)) = self.sea.best_place(icons) {
                        offer(gain - cost, Action::Place { card: tile, at, direction });
                    }
                }
            }
        }
        if only.is_none() && game.is_first_action() && game.hand_size(seat) > 0 {
            offer(self.scuttle(game, seat, mind), Action::Scuttle);
        }
        best.map(|(_, action)| action)
    }
}
