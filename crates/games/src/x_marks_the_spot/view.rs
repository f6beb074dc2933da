//! What a viewer sees of a position.

use quincunx_core::{Game, OutcomeJson, Seat, Turn, Viewer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    XMarksTheSpot,
    card::{Card, Cards, Icon, Pirate},
    phase::Phase,
    square::Direction,
};

/// The table as one viewer sees it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct View {
    /// The viewer's own seat; `null` for who only watches.
    pub viewer: Option<u8>,
    /// What is to be done next.
    pub phase: PhaseView,
    /// Whose turn of the game it is, also while others answer and cards are drawn.
    pub player: u8,
    /// The seat that has to act now; `null` while something is drawn and when the game is over.
    pub to_act: Option<u8>,
    /// The seat that a flag or a card is drawn for now.
    pub drawing: Option<u8>,
    /// How many cards the player has still to play in this turn.
    pub actions_left: u8,
    /// The number of this turn, from 1; at the end, of the last one.
    pub turn: u16,
    /// The game ends after this turn.
    pub turn_limit: u16,
    /// How many players have passed in a row.
    pub passes: u8,
    /// How many doubloons win.
    pub doubloons_to_win: u8,
    /// The players, by seat.
    pub players: Vec<PlayerView>,
    /// The cards on the table from bottom to top: each after those that it lies on.
    pub chart: Vec<CardView>,
    /// The doubloons on the chart. Two may lie on one square.
    pub doubloons: Vec<DoubloonView>,
    /// The discard pile, in the order of the deck table.
    pub discard: Vec<Stack>,
    /// How many cards are in the draw pile.
    pub pile: u16,
    /// What was said in the parlay that is going on.
    pub trade: Option<TradeView>,
    /// The seat whose hand is being plundered: its cards are shown to the plundering player.
    pub plundering: Option<u8>,
    /// The plundered card that must be played at once, for those who know it: everybody if it was taken from the
    /// discard pile, otherwise the two players.
    pub must_play: Option<Card>,
    /// The segments of the draw pile from the top; only where everything is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub segments: Option<Vec<Vec<Stack>>>,
    /// The flags that nobody has; only where everything is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unused_flags: Option<Vec<Pirate>>,
    /// Who won, and by what.
    pub outcome: Option<OutcomeJson>,
}

/// What is to be done next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PhaseView {
    /// Chance deals the flags.
    DealingFlags,
    /// Chance deals the hands.
    DealingHands,
    /// The player draws or scuttles.
    StartOfTurn,
    /// Chance draws cards for the player.
    Drawing,
    /// Chance draws as many cards as were scuttled.
    Scuttling,
    /// The player plays a card.
    Acting,
    /// The player looks at another hand and says which card he takes.
    Stealing,
    /// The player plays the card that he has plundered.
    PlayingPlunder,
    /// The target of a parlay answers.
    Answering,
    /// The player answers the target's counter offer.
    Replying,
    /// Another player may make an offer.
    Offering,
    /// The player chooses an offer.
    Choosing,
    /// The two who trade say what they give.
    Giving,
    /// The game is over.
    Over,
}

/// A player at the table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PlayerView {
    /// The seat.
    pub seat: u8,
    /// The player's flag, if the viewer may see it.
    pub flag: Option<Pirate>,
    /// Whether everybody knows the flag, because an X was claimed for it.
    pub revealed: bool,
    /// How many cards are in the hand.
    pub hand_size: u16,
    /// The hand in the order of the deck table, if the viewer may see it.
    pub hand: Option<Vec<Card>>,
    /// How many doubloons the player has laid.
    pub doubloons: u8,
}

/// A card on the table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CardView {
    /// The card.
    pub card: Card,
    /// Its two halves, in the order in which its icons are written.
    pub halves: [HalfView; 2],
    /// Where the second half lies, seen from the first one.
    pub direction: Direction,
    /// Whether another card lies on at least one half.
    pub covered: bool,
    /// Whether a cannon can destroy it and a new heading take it: it is uncovered and no doubloon lies on it.
    pub removable: bool,
}

/// One half of a card on the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HalfView {
    /// The column of its square, growing to the right.
    pub x: i32,
    /// The row of its square, growing upwards.
    pub y: i32,
    /// What is printed on it.
    pub icon: Icon,
    /// How many cards lie below it.
    pub level: u16,
    /// Whether it lies topmost on its square.
    pub top: bool,
}

/// A doubloon on the chart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DoubloonView {
    /// The column of its square.
    pub x: i32,
    /// The row of its square.
    pub y: i32,
    /// Whose doubloon it is.
    pub seat: u8,
}

/// Copies of a card in a pile.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Stack {
    /// The card.
    pub card: Card,
    /// How many copies.
    pub copies: u8,
}

/// A parlay that is going on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TradeView {
    /// Whom the player has offered a trade.
    pub target: u8,
    /// How many cards the player offered to trade.
    pub offer: u8,
    /// What the target said instead.
    pub counter: Option<u8>,
    /// What the other players have said, once the trade was opened for them.
    pub offers: Vec<TableOffer>,
    /// With whom the player trades, once it is agreed.
    pub partner: Option<u8>,
    /// How many cards each of the two gives, once it is agreed.
    pub cards: Option<u8>,
    /// What the partner has chosen to give, for the partner alone.
    pub given: Option<Vec<Card>>,
}

/// What a player who was not the target has said.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TableOffer {
    /// The seat.
    pub seat: u8,
    /// How many cards it offers to trade; `null` if it declined.
    pub cards: Option<u8>,
}

fn stacks(cards: &Cards) -> Vec<Stack> {
    cards.kinds().iter().map(|card| Stack { card, copies: cards.copies(card) }).collect()
}

impl View {
    pub(super) fn new(game: &XMarksTheSpot, viewer: Viewer) -> Self {
        let everything = viewer == Viewer::Everything;
        let over = matches!(game.phase, Phase::Over(_));
        Self {
            viewer: match viewer {
                Viewer::Seat(seat) => Some(seat.number()),
                Viewer::Spectator | Viewer::Everything => None,
            },
            phase: phase(&game.phase),
            player: game.player.number(),
            to_act: match game.turn() {
                Turn::Seat(seat) => Some(seat.number()),
                Turn::Chance | Turn::Over => None,
            },
            drawing: game.drawing().map(Seat::number),
            actions_left: if over { 0 } else { game.actions_left },
            // When the last turn is over no action is left of it, and it is still the one to be shown.
            turn: game.turns + u16::from(game.actions_left > 0),
            turn_limit: game.turn_limit,
            passes: game.passes,
            doubloons_to_win: game.doubloons,
            players: Seat::all(game.seats).map(|seat| player(game, viewer, seat)).collect(),
            chart: game.chart.bottom_to_top().into_iter().map(|slot| card(game, slot)).collect(),
            doubloons: doubloons(game),
            discard: stacks(&game.discard),
            pile: game.pile.total(),
            trade: trade(game, viewer),
            plundering: match game.phase {
                Phase::Steal(victim) => Some(victim.number()),
                _ => None,
            },
            must_play: match game.phase {
                Phase::Plundered(card, victim) => {
                    let knows = |seat: Seat| viewer.sees_hand_of(seat);
                    (victim.is_none_or(knows) || knows(game.player)).then_some(card)
                }
                _ => None,
            },
            segments: everything.then(|| game.pile.segments().map(|segment| stacks(&segment.cards)).collect()),
            unused_flags: everything.then(|| game.flags_left().collect()),
            outcome: game.outcome().map(Into::into),
        }
    }
}

fn phase(phase: &Phase) -> PhaseView {
    match phase {
        Phase::Flags(_) => PhaseView::DealingFlags,
        Phase::Hands(_) => PhaseView::DealingHands,
        Phase::Start => PhaseView::StartOfTurn,
        Phase::Draw => PhaseView::Drawing,
        Phase::Refill(_) => PhaseView::Scuttling,
        Phase::Act => PhaseView::Acting,
        Phase::Steal(_) => PhaseView::Stealing,
        Phase::Plundered(..) => PhaseView::PlayingPlunder,
        Phase::Answer(_) => PhaseView::Answering,
        Phase::Reply(_) => PhaseView::Replying,
        Phase::Offer(..) => PhaseView::Offering,
        Phase::Choose(_) => PhaseView::Choosing,
        Phase::PartnerGives(..) | Phase::PlayerGives(..) => PhaseView::Giving,
        Phase::Over(_) => PhaseView::Over,
    }
}

fn player(game: &XMarksTheSpot, viewer: Viewer, seat: Seat) -> PlayerView {
    let own = viewer.sees_hand_of(seat);
    let revealed = game.revealed.contains(seat);
    let plundered = matches!(game.phase, Phase::Steal(victim) if victim == seat) && viewer.sees_hand_of(game.player);
    PlayerView {
        seat: seat.number(),
        flag: game.flags[seat.index()].filter(|_| own || revealed),
        revealed,
        hand_size: game.hand(seat).total(),
        hand: (own || plundered).then(|| game.hand(seat).iter().collect()),
        doubloons: game.laid[seat.index()],
    }
}

fn card(game: &XMarksTheSpot, slot: usize) -> CardView {
    let laid = &game.chart.cards()[slot];
    let half = |half: usize| {
        let square = laid.squares()[half];
        let top = game.chart.cells().at(square).top();
        HalfView {
            x: square.x,
            y: square.y,
            icon: laid.icons()[half],
            level: laid.level[half],
            top: top.is_some_and(|top| top.slot() == slot),
        }
    };
    CardView {
        card: laid.card,
        halves: [half(0), half(1)],
        direction: laid.direction,
        covered: !game.chart.is_uncovered(slot),
        removable: game.chart.is_removable(slot),
    }
}

fn doubloons(game: &XMarksTheSpot) -> Vec<DoubloonView> {
    let view = |doubloon: &super::chart::Doubloon| DoubloonView {
        x: doubloon.at.x,
        y: doubloon.at.y,
        seat: doubloon.owner.number(),
    };
    game.chart.doubloons().iter().map(view).collect()
}

fn trade(game: &XMarksTheSpot, viewer: Viewer) -> Option<TradeView> {
    let talk = game.phase.talk()?;
    let deal = game.phase.deal();
    let heard = game.player.clockwise(game.seats).filter(|&seat| talk.heard.contains(seat));
    let offer = |seat: Seat| TableOffer { seat: seat.number(), cards: talk.offers[seat.index()] };
    Some(TradeView {
        target: talk.target.number(),
        offer: talk.offer,
        counter: talk.counter,
        offers: heard.map(offer).collect(),
        partner: deal.map(|deal| deal.partner.number()),
        cards: deal.map(|deal| deal.cards),
        given: match game.phase {
            Phase::PlayerGives(_, deal, gift) if viewer.sees_hand_of(deal.partner) => Some(gift.iter().collect()),
            _ => None,
        },
    })
}
