//! What a seat would do at a glance: one action ahead, by what it wishes for the chart and what its cards are good for.

use quincunx_core::{Game, Seat, Turn};
use quincunx_games::x_marks_the_spot::{Action, Card, Direction, Icon, Pirate, Square, Surface, Target, XMarksTheSpot};

use super::{
    sea::{Sea, Wishes},
    settings::Settings,
    worth::Worth,
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
        match card {
            Card::CANNON => CANNON,
            Card::HEADING | Card::PLUNDER => STRONG_CARD,
            Card::PARLAY => PARLAY,
            tile => tile.icons().into_iter().flatten().map(|icon| self.worth_of_icon(icon)).sum(),
        }
    }

    fn worth_of_icon(&self, icon: Icon) -> f32 {
        match icon {
            Icon::GhostShip => GHOST_SHIP,
            Icon::OpenWater => OPEN_WATER,
            Icon::Kraken => KRAKEN,
            pirate if pirate as usize == self.flag as usize => OWN_ICON,
            _ => 0.0,
        }
    }
}

// What cards in the hand are good for. Their order is what matters: a ghost ship serves like the own icon and lies on
// anything, a strong card does more than a tile, water and krakens are for spoiling.
const OWN_ICON: f32 = 0.1;
const GHOST_SHIP: f32 = 0.12;
const OPEN_WATER: f32 = 0.03;
const KRAKEN: f32 = 0.01;
const STRONG_CARD: f32 = 0.15;
const CANNON: f32 = 0.07;
const PARLAY: f32 = 0.03;

/// A card that is good for something: with an icon of one's own or a ghost ship, or a strong action card.
pub(super) const GOOD_CARD: f32 = OWN_ICON;

/// What it has to bring to say no to a trade and talk on.
const HAGGLING: f32 = 0.01;

/// Picks actions at a glance.
#[derive(Clone, Debug)]
pub(super) struct Policy {
    settings: Settings,
    sea: Sea,
    actions: Vec<Action>,
    targets: Vec<Target>,
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
        self.look_at(game, [0.0; 4]);
        let (squares, surfaces) = self.changes(action)?;
        Some(self.sea.gain_by_pirate(squares, surfaces))
    }

    /// Whether an action makes an X of this pirate, in the position that was looked at last.
    pub(super) fn makes_an_x(&self, action: Action, pirate: Pirate) -> bool {
        self.changes(action).is_some_and(|(squares, surfaces)| self.sea.completes(squares, surfaces, pirate))
    }

    /// The squares that an action changes, in the position that was looked at last, and what they come to show.
    fn changes(&self, action: Action) -> Option<([Square; 2], [Surface; 2])> {
        match action {
            Action::Place { card, at, direction } => Some(([at, at.step(direction)], card.icons()?.map(Surface::Icon))),
            Action::Cannon(at) => Some((self.target(at).squares, self.target(at).below)),
            Action::Heading { at, card, direction } => {
                let mut icons = card.icons()?;
                if !direction.is_up() {
                    icons.reverse();
                }
                Some((self.target(at).squares, icons.map(Surface::Icon)))
            }
            _ => None,
        }
    }

    /// The card that is named by this square.
    fn target(&self, at: Square) -> &Target {
        let target = self.targets.iter().find(|target| target.squares[0] == at);
        target.expect("a legal cannon or new heading has a target")
    }

    /// The action that the seat on turn takes: the one with the best [`score`](Self::score), but of the discard pile only
    /// good cards are thought of, if there are others to play.
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
        self.look_at(game, mind.wishes);
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
    pub(super) fn look_at(&mut self, game: &XMarksTheSpot, wishes: Wishes) {
        self.sea.chart(game, wishes);
        self.targets.clear();
        self.targets.extend(game.targets());
    }

    /// How good a legal action looks, in the position that was looked at last.
    pub(super) fn score(&mut self, game: &XMarksTheSpot, seat: Seat, mind: &Mind, action: Action) -> f32 {
        let keep = self.settings.keep;
        match action {
            Action::Place { card, .. } => self.gain(action) - keep * mind.worth(card),
            Action::Cannon(_) => self.gain(action) - keep * mind.worth(Card::CANNON),
            Action::Heading { at, card, .. } => {
                let taken = mind.worth(self.target(at).card);
                self.gain(action) + keep * (taken - mind.worth(card) - mind.worth(Card::HEADING))
            }
            Action::PlunderDiscard(card) => self.plundered(game, card, mind) - keep * mind.worth(Card::PLUNDER),
            Action::Plunder(_) => self.settings.plunder - keep * mind.worth(Card::PLUNDER),
            Action::Parlay { cards, .. } => self.parlay(game, seat, mind, cards),
            Action::Scuttle if game.is_time_to_act() => self.scuttle(game, seat, mind),
            Action::Pass => -self.settings.turn,
            // Who draws first can still scuttle, and sees more.
            Action::Draw => 1.0,
            // Of cards that bring the same, the best one is taken: nobody else has it then.
            Action::Steal(card) => self.plundered(game, card, mind) + mind.worth(card),
            Action::Accept => self.trade(game, seat, mind, game.offered().unwrap_or(1)),
            Action::Counter(cards) => self.trade(game, seat, mind, cards) - HAGGLING,
            Action::Offer(cards) => self.trade(game, seat, mind, cards),
            Action::Force => self.trade(game, seat, mind, 1),
            Action::Take(from) => self.trade(game, seat, mind, game.offer_of(from).unwrap_or(1)) + HAGGLING,
            // What the others offer may be better than what can be forced, and costs nothing.
            Action::Open => self.trade(game, seat, mind, 1) + HAGGLING / 2.0,
            Action::Give(gift) => -gift.iter().map(|card| self.giving(card, mind)).sum::<f32>(),
            _ => 0.0,
        }
    }

    /// What an action brings that changes the chart.
    fn gain(&mut self, action: Action) -> f32 {
        let (squares, surfaces) = self.changes(action).expect("cards on the chart are laid, shot or exchanged");
        self.sea.gain(squares, surfaces)
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
        self.exchange(game.hand_of(seat).map(|card| mind.worth(card)).collect(), cards)
    }

    fn exchange(&self, mut worths: Vec<f32>, cards: u8) -> f32 {
        worths.sort_by(f32::total_cmp);
        let worst = worths.iter().take(usize::from(cards));
        worst.map(|worth| self.settings.refresh * (self.settings.traded_card - worth)).sum()
    }

    fn parlay(&self, game: &XMarksTheSpot, seat: Seat, mind: &Mind, cards: u8) -> f32 {
        // The card that is played cannot be traded away.
        let played = game.hand_of(seat).position(|card| card == Card::PARLAY).expect("who parlays has the card");
        let others = game.hand_of(seat).enumerate().filter(|&(number, _)| number != played);
        let worths = others.map(|(_, card)| mind.worth(card)).collect();
        self.exchange(worths, cards) - self.settings.keep * mind.worth(Card::PARLAY) - self.settings.parlay
    }

    /// What is lost with a card that is given away: what it is worth here, and what it may be worth there.
    fn giving(&self, card: Card, mind: &Mind) -> f32 {
        let theirs = card.icons().into_iter().flatten().map(|icon| match icon {
            Icon::GhostShip => GHOST_SHIP,
            Icon::Condent | Icon::Rackham | Icon::Avery | Icon::Wynn => OWN_ICON * -mind.wishes[icon as usize].min(0.0),
            _ => 0.0,
        });
        mind.worth(card) + self.settings.partner * theirs.sum::<f32>()
    }

    /// The best of all ways to play one of the cards in the hand, or only this one, or to scuttle instead. Not for an empty
    /// table. `None` if no card can be played.
    fn best_play(&mut self, game: &XMarksTheSpot, seat: Seat, mind: &Mind, only: Option<Card>) -> Option<Action> {
        self.look_at(game, mind.wishes);
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
        let (most, action) = best?;
        let may_scuttle = only.is_none() && game.is_first_action();
        Some(if may_scuttle && self.scuttle(game, seat, mind) > most { Action::Scuttle } else { action })
    }
}
