//! X Marks the Spot: a sea chart without edges, a hand of cards in front of it, and the talk of those who trade.

mod chart;
mod dialogue;
mod front;
mod plan;
mod talk;
#[cfg(test)]
mod tests;
mod words;

use quincunx_games::x_marks_the_spot::{Action, Direction, PhaseView, PlayerView, Square, View};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use self::chart::{Camera, Drawing, squares_area};
use self::dialogue::{Choices, Dialogue};
use self::front::{Front, LINES, Mark};
use self::plan::{Plan, Step, squares_from_below};
use super::canvas::Canvas;
use super::{Board, Did, grid};
use crate::app::Key;
use crate::look::{Hue, Look};
use crate::moment::Moment;

#[derive(Debug, Default)]
pub struct ChartBoard {
    view: Option<View>,
    plan: Plan,
    camera: Camera,
    /// The squares of the cards that were laid last.
    fresh: Vec<Square>,
    /// Whether the own flag is shown, and the discard pile.
    shows_flag: bool,
    shows_discard: bool,
    /// Where the chart, what lies in front of it and the choices of a window were drawn.
    chart: Rect,
    front: Vec<Rect>,
    choices: Choices,
    /// Where the pointer was pressed, how far the chart has followed it, and whether it has at all.
    drag: Option<Drag>,
}

#[derive(Clone, Copy, Debug)]
struct Drag {
    from: (u16, u16),
    moved: (i32, i32),
    far: bool,
}

impl ChartBoard {
    /// The cards that are new on the chart; of the first chart that is seen, what was said last.
    fn note_changes(&mut self, view: &View, moment: &Moment) {
        let known: Vec<_> =
            self.view.iter().flat_map(|view| &view.chart).map(|card| (card.card, squares_from_below(card))).collect();
        let fresh: Vec<[Square; 2]> = match (&self.view, moment.last.as_ref().and_then(|said| said.action.parse().ok()))
        {
            (Some(_), _) => {
                let cards = view.chart.iter().map(|card| (card.card, squares_from_below(card)));
                cards.filter(|card| !known.contains(card)).map(|(_, squares)| squares).collect()
            }
            (None, Some(Action::Place { at, direction, .. })) => vec![[at, at.step(direction)]],
            (None, _) => Vec::new(),
        };
        if !fresh.is_empty() || view.chart.is_empty() {
            self.fresh = fresh.concat();
        }
    }

    fn own(&self) -> Option<&PlayerView> {
        let view = self.view.as_ref()?;
        view.players.iter().find(|player| view.viewer == Some(player.seat))
    }

    /// The player whose hand lies in front: the viewer's own, or whoever is on turn.
    fn in_front(&self) -> Option<&PlayerView> {
        let view = self.view.as_ref()?;
        self.own().or_else(|| view.players.iter().find(|player| player.seat == view.player))
    }

    fn front(&self) -> Front {
        let Some(player) = self.in_front() else { return Front::default() };
        let own = self.own().is_some();
        let caption = match (&player.hand, own) {
            (Some(_), true) => "Your hand".to_owned(),
            (Some(_), false) => format!("Hand of seat {}", player.seat),
            (None, _) => format!("Seat {} holds {}", player.seat, words::cards(player.hand_size)),
        };
        let pointing = own && matches!(self.plan.step(), Step::Front | Step::Give { .. }) && self.plan.is_ours();
        let picked = |place: usize| matches!(self.plan.step(), Step::Give { picked, .. } if picked.contains(&place));
        let mark = |place: usize| Mark {
            open: own && self.plan.may_focus(place),
            focused: pointing && self.plan.focus == place,
            picked: picked(place),
        };
        let hand = player.hand.clone().unwrap_or_default();
        let words = if own { self.plan.words() } else { Vec::new() };
        let words = words.into_iter().zip(hand.len()..).map(|(action, place)| (action.to_string(), mark(place)));
        let cards = hand.iter().enumerate().map(|(place, &card)| {
            let picked = picked(place) || own && self.plan.is_held(place);
            (card, Mark { picked, ..mark(place) })
        });
        Front { caption, words: words.collect(), cards: cards.collect() }
    }

    /// The window over the chart, if there is one.
    fn dialogue(&self) -> Option<Dialogue> {
        let view = self.view.as_ref()?;
        if self.shows_discard {
            return Some(Dialogue { title: "Discard pile", said: discard_lines(view), ..Dialogue::default() });
        }
        let (choices, chosen) = match self.plan.step() {
            Step::List { lines, chosen } => {
                (lines.iter().map(|&action| words::in_list(action, view)).collect(), *chosen)
            }
            _ => (Vec::new(), 0),
        };
        let said = talk::spoken(view);
        let title = match view.phase {
            _ if view.trade.is_some() => "Parlay",
            PhaseView::Stealing => "Plunder",
            _ if choices.is_empty() => return None,
            _ if matches!(self.plan.action(), Some(Action::Parlay { .. })) => "Parlay",
            _ => "Plunder",
        };
        let said = match view.plundering {
            Some(victim) if said.is_empty() && !choices.is_empty() => vec![format!("The hand of seat {victim}:")],
            Some(victim) if said.is_empty() => {
                vec![format!("{} plunders seat {victim}.", words::seat_name(view, view.player))]
            }
            _ => said,
        };
        Some(Dialogue { title, said, choices, chosen })
    }

    fn draw_chart(&self, area: Rect, buffer: &mut Buffer, look: Look) {
        let Some(view) = &self.view else { return };
        let drawing = Drawing { camera: &self.camera, view, look };
        drawing.draw_numbers(&mut Canvas::new(buffer, area));
        let mut canvas = Canvas::new(buffer, squares_area(area));
        drawing.draw_cards(&mut canvas, &self.fresh);
        let targets = self.plan.targets().into_iter().flat_map(|target| self.plan.card_at(target));
        for square in self.plan.open_squares().into_iter().chain(targets) {
            drawing.draw_offer(&mut canvas, square);
        }
        match (self.plan.held(), self.plan.step()) {
            (Some(held), _) => {
                let style = if self.plan.is_offered() { look.target() } else { look.hue(Hue::Warning) };
                drawing.draw_held(&mut canvas, held, style.patch(look.cursor()));
            }
            (None, Step::Shoot | Step::Take) => {
                self.plan.aims().into_iter().for_each(|square| drawing.paint(&mut canvas, square, look.cursor()));
            }
            _ => {}
        }
    }

    fn scroll(&mut self, (right, up): (i32, i32)) -> Did {
        self.camera.look(right, up);
        Did::Changed
    }

    fn changed(&mut self) -> Did {
        self.camera.follow();
        Did::Changed
    }

    fn close(&mut self) -> Did {
        if std::mem::take(&mut self.shows_discard) { Did::Changed } else { self.plan.back() }
    }

    fn player_line(&self, view: &View, player: &PlayerView, look: Look) -> Line<'static> {
        let (coins, left) = doubloons(player.doubloons, view.doubloons_to_win, look);
        let mut spans = vec![
            format!("Seat {} ", player.seat).into(),
            Span::styled(coins, look.hue(Hue::Yellow)),
            Span::styled(left, look.hue(Hue::Quiet)),
            format!(" {}", words::cards(player.hand_size)).into(),
        ];
        let secret = view.viewer == Some(player.seat) && !player.revealed && !self.shows_flag;
        match player.flag.filter(|_| !secret) {
            Some(flag) => {
                let style = words::icon_style(words::icon_of(flag), look);
                spans.push(Span::styled(format!(" {}", flag.name()), style));
            }
            None if secret => spans.push(Span::styled(" (f: flag)", look.hue(Hue::Quiet))),
            None => {}
        }
        Line::from(spans)
    }

    fn front_status(&self) -> String {
        let Some(card) = self.own().and_then(|player| player.hand.as_ref()?.get(self.plan.focus).copied()) else {
            return match self.plan.action() {
                Some(Action::Draw) => "Enter draws cards, up to six".to_owned(),
                Some(Action::Scuttle) => "Enter puts the whole hand below the pile and ends the turn".to_owned(),
                Some(Action::Pass) => "No card can be played: Enter passes".to_owned(),
                _ => String::new(),
            };
        };
        if self.plan.may_focus(self.plan.focus) {
            format!("Enter plays {}", words::card_name(card))
        } else {
            format!("{} cannot be played now", words::card_name(card))
        }
    }

    fn give_status(&self, picked: usize, wanted: usize) -> String {
        match self.plan.action() {
            Some(action) => format!("Enter: {action}"),
            None if picked == wanted => "Tab goes on to give them; Enter takes a card back or changes it".to_owned(),
            None => format!("Enter picks the card: {picked} of {wanted} to give"),
        }
    }

    fn press_mouse(&mut self, at: (u16, u16)) -> Did {
        let here = Position::new(at.0, at.1);
        if let Some(line) = self.choices.at(at.0, at.1) {
            return self.plan.click_in_list(line);
        }
        if let Some(place) = self.front.iter().position(|place| place.contains(here)) {
            return if self.own().is_some() && self.plan.is_ours() {
                self.plan.click_in_front(place)
            } else {
                Did::Nothing
            };
        }
        if self.chart.contains(here) {
            self.drag = Some(Drag { from: at, moved: (0, 0), far: false });
        }
        Did::Nothing
    }

    fn move_mouse(&mut self, at: (u16, u16)) -> Did {
        let covered = self.choices.at(at.0, at.1).is_some();
        let Some(square) = self.camera.at(at.0, at.1).filter(|_| !covered) else { return Did::Nothing };
        self.camera.rest();
        self.plan.point_at(square)
    }

    fn drag_mouse(&mut self, at: (u16, u16)) -> Did {
        let Some(drag) = &mut self.drag else { return Did::Nothing };
        let (right, up) = self.camera.dragged(drag.from, at);
        let (before_right, before_up) = drag.moved;
        if (right, up) == drag.moved {
            return Did::Nothing;
        }
        (drag.moved, drag.far) = ((right, up), true);
        self.scroll((before_right - right, before_up - up))
    }

    fn release_mouse(&mut self, at: (u16, u16)) -> Did {
        let Some(drag) = self.drag.take().filter(|drag| !drag.far) else { return Did::Nothing };
        let square = self.camera.at(drag.from.0, drag.from.1).filter(|_| self.plan.is_ours() && drag.from == at);
        square.map_or(Did::Nothing, |square| self.plan.click(square))
    }
}

/// The doubloons that were laid and those that are left, one by one as long as they are few.
fn doubloons(laid: u8, wanted: u8, look: Look) -> (String, String) {
    let coin = look.text("●", "$");
    if wanted > 5 {
        return (format!("{coin}{laid}"), format!(" of {wanted}"));
    }
    let left = wanted.saturating_sub(laid);
    (coin.repeat(laid.into()), look.text("○", "-").repeat(left.into()))
}

/// The discard pile in three columns.
fn discard_lines(view: &View) -> Vec<String> {
    if view.discard.is_empty() {
        return vec!["Nothing was discarded yet.".to_owned()];
    }
    let column =
        |stack: &quincunx_games::x_marks_the_spot::Stack| format!("{:>2} {:<9}", stack.copies, stack.card.name());
    view.discard.chunks(3).map(|row| row.iter().map(column).collect::<String>().trim_end().to_owned()).collect()
}

fn direction(code: KeyCode) -> Option<Direction> {
    match code {
        KeyCode::Left => Some(Direction::West),
        KeyCode::Right => Some(Direction::East),
        KeyCode::Up => Some(Direction::North),
        KeyCode::Down => Some(Direction::South),
        _ => None,
    }
}

/// How far a key looks to the right and up.
fn scrolls(key: KeyEvent) -> Option<(i32, i32)> {
    match key.code {
        KeyCode::Char('[') => Some((-1, 0)),
        KeyCode::Char(']') => Some((1, 0)),
        KeyCode::Char('{') => Some((0, 1)),
        KeyCode::Char('}') => Some((0, -1)),
        code if key.modifiers.contains(KeyModifiers::SHIFT) => {
            grid::arrow(code).map(|(right, up)| (right.into(), up.into()))
        }
        _ => None,
    }
}

impl Board for ChartBoard {
    fn show(&mut self, moment: &Moment) -> Result<(), String> {
        let view: View = serde_json::from_value(moment.view.clone()).map_err(|error| error.to_string())?;
        self.note_changes(&view, moment);
        // Whoever sits down before the screen next must not see the flag of the one before.
        if self.view.as_ref().is_some_and(|before| before.viewer != view.viewer) {
            self.shows_flag = false;
        }
        self.shows_discard = false;
        self.plan.renew(&view, &moment.offers);
        self.view = Some(view);
        self.camera.follow();
        Ok(())
    }

    fn draw(&mut self, area: Rect, buffer: &mut Buffer, look: Look) {
        let Some(view) = &self.view else { return };
        let lines = LINES.min(area.height);
        let chart = Rect { height: area.height - lines, ..area };
        let front = Rect { y: chart.bottom(), height: lines, ..area };
        let dialogue = self.dialogue();
        // The line with the numbers of the columns is covered first.
        let covered = dialogue.as_ref().map_or(0, |dialogue| dialogue.height(chart).saturating_sub(1));
        self.camera.settle(chart, covered, view, &[&self.fresh, &self.plan.aims()]);
        self.chart = squares_area(chart);
        self.draw_chart(chart, buffer, look);
        self.choices = dialogue.map_or_else(Choices::default, |dialogue| dialogue.draw(chart, buffer, look));
        self.front = self.front().draw(&mut Canvas::new(buffer, front), i32::from(area.width), look);
    }

    fn panel(&self, look: Look) -> Vec<Line<'static>> {
        let Some(view) = &self.view else { return Vec::new() };
        let left = match view.actions_left {
            0 => String::new(),
            1 => ", 1 action left".to_owned(),
            number => format!(", {number} actions left"),
        };
        let mut lines = vec![Line::from(format!("Turn {} of {}{left}", view.turn, view.turn_limit))];
        lines.extend(view.players.iter().map(|player| self.player_line(view, player, look)));
        let discarded: u32 = view.discard.iter().map(|stack| u32::from(stack.copies)).sum();
        lines.push(Line::from(format!("Pile {}, discard {discarded} (d looks)", view.pile)));
        lines.push(Line::styled(words::square(view, self.plan.spot), look.hue(Hue::Quiet)));
        lines
    }

    fn status(&self) -> String {
        if !self.plan.is_ours() {
            return String::new();
        }
        let offered = self.plan.is_offered();
        match (self.plan.step(), self.plan.action()) {
            (Step::Front, _) => self.front_status(),
            (Step::Give { picked, wanted }, _) => self.give_status(picked.len(), *wanted),
            (Step::Place(card), Some(_)) if !offered => {
                format!("{card} cannot lie there, Enter says why; r turns it, Backspace puts it back")
            }
            (Step::Place(_), Some(action)) => format!("Enter: {action}; r turns it, Backspace puts it back"),
            (Step::Shoot, Some(action)) if offered => format!("Enter: {action}; Backspace puts it back"),
            (Step::Shoot, _) => "There is nothing to shoot at; Enter says why".to_owned(),
            (Step::Take, _) if self.plan.targets().is_empty() => "There is no card to take; Backspace".to_owned(),
            (Step::Take, _) => "Enter takes this card, to lay another one there; Backspace puts it back".to_owned(),
            (Step::Lay { .. }, Some(action)) => {
                format!("Enter: {action}; r turns it, arrows take another card")
            }
            (_, Some(action)) => format!("Enter: {action}"),
            (_, None) => String::new(),
        }
    }

    fn key(&mut self, key: KeyEvent) -> Did {
        if let Some(by) = scrolls(key) {
            return self.scroll(by);
        }
        match key.code {
            KeyCode::Char('z') => {
                self.camera.zoom();
                return self.changed();
            }
            KeyCode::Home => return self.changed(),
            KeyCode::Char('d') => {
                self.shows_discard = !self.shows_discard;
                return Did::Changed;
            }
            KeyCode::Char('f') if self.own().is_some() => {
                self.shows_flag = !self.shows_flag;
                return Did::Changed;
            }
            KeyCode::Esc | KeyCode::Backspace => return self.close(),
            _ if !self.plan.is_ours() => return Did::Nothing,
            _ => {}
        }
        if let Some(direction) = direction(key.code) {
            self.plan.go(direction);
            return self.changed();
        }
        match key.code {
            KeyCode::Tab | KeyCode::BackTab => self.plan.go_to_next(key.code == KeyCode::BackTab),
            KeyCode::Char(letter @ ('r' | 'R')) => self.plan.turn(letter == 'R'),
            KeyCode::Enter | KeyCode::Char(' ') => {
                self.camera.follow();
                return self.plan.enter();
            }
            _ => return Did::Nothing,
        }
        self.changed()
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Did {
        let at = (mouse.column, mouse.row);
        let holds = matches!(self.plan.step(), Step::Place(_) | Step::Lay { .. });
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => self.press_mouse(at),
            MouseEventKind::Drag(MouseButton::Left) => self.drag_mouse(at),
            MouseEventKind::Up(MouseButton::Left) => self.release_mouse(at),
            MouseEventKind::Moved => self.move_mouse(at),
            MouseEventKind::Down(MouseButton::Right) | MouseEventKind::ScrollDown if holds => {
                self.plan.turn(false);
                Did::Changed
            }
            MouseEventKind::ScrollUp if holds => {
                self.plan.turn(true);
                Did::Changed
            }
            MouseEventKind::ScrollDown => self.scroll((0, -1)),
            MouseEventKind::ScrollUp => self.scroll((0, 1)),
            _ => Did::Nothing,
        }
    }

    fn keys(&self) -> &'static [Key] {
        &[
            ("arrows", "choose a card or word; move what is held on the chart"),
            ("r, wheel", "turn the card that is held"),
            ("Tab", "next thing that may be chosen, or place where a card may lie"),
            ("Enter, click", "choose; lay, shoot, take"),
            ("Backspace", "put back what is held"),
            ("[ ] { }, Shift-arrows, drag", "look elsewhere on the chart"),
            ("z, Home", "larger or smaller squares; back to the play"),
            ("d", "look through the discard pile"),
            ("f", "your secret flag: show, hide"),
        ]
    }
}
