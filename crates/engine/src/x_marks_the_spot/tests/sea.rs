//! The chart as the player keeps it, against sums over all windows.

use std::collections::HashMap;

use quincunx_core::{Actor, Game, Scratch, Seat, Turn};
use quincunx_games::x_marks_the_spot::{Action, Icon, Pirate, Square, Surface, XMarksTheSpot};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

use super::{
    super::{
        sea::{Sea, Wishes},
        settings::Settings,
        worth::Worth,
    },
    ODD_OPTIONS, legal, options, spread, stroll,
};

/// Sums of some hundred numbers around one, and of some thousand.
const ROUNDING: f32 = 1e-4;
const MORE_ROUNDING: f32 = 1e-3;

fn new_sea() -> Sea {
    let settings = Settings::default();
    Sea::new(Worth::new(settings.worth_of_whole, settings.step))
}

/// The chart as the rules show it.
struct Plain(HashMap<(i32, i32), Surface>);

impl Plain {
    fn of(game: &XMarksTheSpot) -> Self {
        Self(game.squares_near_cards().map(|(Square { x, y }, surface)| ((x, y), surface)).collect())
    }

    fn at(&self, square: (i32, i32)) -> Surface {
        self.0.get(&square).copied().unwrap_or(Surface::Bare)
    }

    /// The worth of the two X's around a square.
    fn worth_around(&self, (x, y): (i32, i32), pirate: Pirate) -> f32 {
        const DIAGONAL: [(i32, i32); 5] = [(0, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)];
        const ORTHOGONAL: [(i32, i32); 5] = [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)];
        let worth = |form: [(i32, i32); 5]| {
            let shown = form.map(|(dx, dy)| self.at((x + dx, y + dy)));
            let count = |which: fn(Surface) -> bool| shown.iter().filter(|&&surface| which(surface)).count();
            let serving = shown.iter().filter(|surface| surface.serves(pirate)).count();
            let easy = count(|surface| matches!(surface, Surface::Bare | Surface::Icon(Icon::OpenWater)));
            let settings = Settings::default();
            match (serving, easy) {
                _ if count(|surface| surface == Surface::Spent) > 0 => 0.0,
                (5, _) => settings.worth_of_whole,
                (_, 5) | (0, 0) => 0.0,
                // What is neither of use nor easy to cover lacks two and three quarters cards.
                _ => settings.step.powf(easy as f32 + 2.75 * (5 - serving - easy) as f32),
            }
        };
        worth(DIAGONAL) + worth(ORTHOGONAL)
    }

    fn values(&self) -> [f32; 4] {
        let mut centres: Vec<(i32, i32)> = self
            .0
            .keys()
            .flat_map(|&(x, y)| (-1..=1).flat_map(move |dx| (-1..=1).map(move |dy| (x + dx, y + dy))))
            .collect();
        centres.sort_unstable();
        centres.dedup();
        Pirate::ALL.map(|pirate| centres.iter().map(|&centre| self.worth_around(centre, pirate)).sum())
    }

    /// What it brings each pirate if two squares come to show something else.
    fn gains(&mut self, squares: [Square; 2], surfaces: [Surface; 2]) -> [f32; 4] {
        let squares = squares.map(|Square { x, y }| (x, y));
        let mut centres: Vec<(i32, i32)> = squares
            .iter()
            .flat_map(|&(x, y)| (-1..=1).flat_map(move |dx| (-1..=1).map(move |dy| (x + dx, y + dy))))
            .collect();
        centres.sort_unstable();
        centres.dedup();
        let sums = |plain: &Self| {
            Pirate::ALL.map(|pirate| centres.iter().map(|&centre| plain.worth_around(centre, pirate)).sum::<f32>())
        };
        let before = sums(self);
        let was = squares.map(|square| self.0.get(&square).copied());
        for (square, surface) in squares.into_iter().zip(surfaces) {
            self.0.insert(square, surface);
        }
        let after = sums(self);
        for (square, was) in squares.into_iter().zip(was) {
            match was {
                Some(surface) => self.0.insert(square, surface),
                None => self.0.remove(&square),
            };
        }
        std::array::from_fn(|pirate| after[pirate] - before[pirate])
    }
}

/// What an action changes on the chart, by the rules of writing it.
fn changes(game: &XMarksTheSpot, action: Action) -> Option<([Square; 2], [Surface; 2])> {
    match action {
        Action::Place { card, at, direction } => Some(([at, at.step(direction)], card.icons()?.map(Surface::Icon))),
        Action::Cannon(at) => {
            let target = game.targets().find(|target| target.squares.contains(&at))?;
            Some((target.squares, target.below))
        }
        Action::Heading { at, card, direction } => {
            let target = game.targets().find(|target| target.squares[0] == at)?;
            let first = if direction.is_up() { at } else { target.squares[1] };
            Some(([first, first.step(direction)], card.icons()?.map(Surface::Icon)))
        }
        _ => None,
    }
}

fn wishes(rng: &mut Xoshiro256PlusPlus) -> Wishes {
    let mut wishes = [0; 4].map(|_| -1.2 * rng.random::<f32>());
    wishes[rng.random_range(0..4)] = 1.0;
    wishes
}

fn close(a: f32, b: f32) -> bool {
    (a - b).abs() < ROUNDING
}

/// Compares a chart that was kept along a game with the rules' picture of it, and with one that is laid out anew.
struct Kept {
    sea: Sea,
    rng: Xoshiro256PlusPlus,
    /// How many charts were compared, and how many of them with all that can be done there.
    looks: u32,
    closely: u32,
}

impl Kept {
    fn new(seed: u64) -> Self {
        Self { sea: new_sea(), rng: Xoshiro256PlusPlus::seed_from_u64(seed), looks: 0, closely: 0 }
    }

    fn compare(&mut self, game: &XMarksTheSpot, seat: Seat) {
        // Now and then a position is left out, so that more than one card changes between two looks.
        if self.rng.random_bool(0.3) {
            return;
        }
        self.looks += 1;
        let wishes = wishes(&mut self.rng);
        self.sea.chart(game, wishes);
        let mut fresh = new_sea();
        fresh.chart(game, wishes);
        let mut plain = Plain::of(game);
        let values = plain.values();
        for (other, what) in [(self.sea.values(), "kept"), (fresh.values(), "fresh")] {
            assert!(
                values.iter().zip(other).all(|(&a, b)| (a - b).abs() < MORE_ROUNDING),
                "{what}: {values:?} {other:?}"
            );
        }
        if !self.rng.random_bool(0.2) {
            return;
        }
        self.closely += 1;
        let mut best: HashMap<[Icon; 2], f32> = HashMap::new();
        for action in legal(game, seat) {
            let Some((squares, surfaces)) = changes(game, action) else { continue };
            let gains = plain.gains(squares, surfaces);
            let by_pirate = self.sea.gain_by_pirate(squares, surfaces);
            assert!(gains.iter().zip(by_pirate).all(|(&a, b)| close(a, b)), "{action}: {gains:?} {by_pirate:?}");
            let gain: f32 = gains.iter().zip(wishes).map(|(gain, wish)| gain * wish).sum();
            let [kept, fresh] = [&mut self.sea, &mut fresh].map(|sea| sea.gain(squares, surfaces));
            assert!(close(gain, kept) && close(gain, fresh), "{action}: {gain} {kept} {fresh}");
            if let Action::Place { card, .. } = action {
                let most = best.entry(card.icons().unwrap()).or_insert(f32::MIN);
                *most = most.max(gain);
            }
        }
        if game.is_table_empty() {
            return;
        }
        for (icons, most) in best {
            let (gain, at, direction) = self.sea.best_place(icons).unwrap();
            let mut place = plain.gains([at, at.step(direction)], icons.map(Surface::Icon));
            place.iter_mut().zip(wishes).for_each(|(gain, wish)| *gain *= wish);
            assert!(close(gain, place.iter().sum()), "the place brings what is said");
            let is_legal = legal(game, seat).into_iter().any(|action| match action {
                Action::Place { card, at: other, direction: to } => {
                    card.icons() == Some(icons) && (other, to) == (at, direction)
                }
                _ => false,
            });
            assert!(is_legal, "{icons:?} {at} {direction}");

            assert!(close(gain, most), "{icons:?}: {gain} is not the best: {most}");
        }
    }
}

#[test]
fn a_chart_that_is_kept_along_a_game_is_the_one_that_the_rules_show() {
    for seats in 2..=4 {
        let (mut looks, mut closely) = (0, 0);
        for seed in 0..3 {
            let mut kept = Kept::new(seed);
            stroll(seats, &options("{}"), seed, 500, |game, seat| kept.compare(game, seat));
            looks += kept.looks;
            closely += kept.closely;
        }
        assert!(looks > 150 && closely > 30, "{looks} {closely}");
    }
}

#[test]
fn so_it_is_with_odd_decks_also_when_the_table_is_emptied_again() {
    for (number, json) in ODD_OPTIONS.iter().enumerate() {
        let mut emptied = 0;
        let mut kept = Kept::new(9);
        stroll(2 + number as u8 % 3, &options(json), 5, 600, |game, seat| {
            emptied += u32::from(game.is_table_empty());
            kept.compare(game, seat);
        });
        assert!(number > 0 || emptied > 10, "{emptied}");
    }
}

#[test]
fn a_grid_is_laid_out_anew_when_the_cards_drift_away_from_it() {
    let deck = options(r#"{"deck":{"ck":9,"rk":9,"wo":9,"cannon":9},"turn_limit":1000}"#);
    let mut game = XMarksTheSpot::new(2, &deck).unwrap();
    let mut kept = Kept::new(3);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut east = 0;
    while let Some(actor) = game.turn().actor() {
        let Actor::Seat(seat) = actor else {
            let drawn = game.random(actor, &mut rng, &mut Scratch::default());
            game.play(actor, drawn);
            continue;
        };
        kept.compare(&game, seat);
        // The westernmost card is shot and others are laid in the east.
        let action = legal(&game, seat).into_iter().max_by_key(|&action| match action {
            Action::Cannon(at) if game.targets().count() > 2 => 10_000 - at.x,
            Action::Place { at, direction, .. } => at.x.max(at.step(direction).x),
            Action::Draw => i32::MAX,
            _ => i32::MIN,
        });
        if let Some(Action::Place { at, .. }) = action {
            east = east.max(at.x);
        }
        game.play(actor, action.unwrap());
    }
    assert!(east > 100, "{east}");
}

#[test]
fn a_chart_may_be_very_wide() {
    let tiles = options(r#"{"deck":{"cc":40,"rw":40,"ag":40,"ko":40,"cr":40,"wo":40},"turn_limit":1000}"#);
    let mut kept = Kept::new(4);
    for far in
        [|square: Square| square.x + square.y, |square: Square| -3 * square.x, |square: Square| square.y - square.x]
    {
        let game = spread(2, &tiles, 150, far);
        let widths = game.squares_near_cards().map(|(square, _)| far(square));
        assert!(widths.map(i32::abs).max().unwrap() > 200);
        let Turn::Seat(seat) = game.turn() else { unreachable!() };
        for _ in 0..8 {
            kept.compare(&game, seat);
        }
    }
}
