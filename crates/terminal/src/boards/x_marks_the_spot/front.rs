//! What lies in front of the chart: the cards of a hand, and the words that can be said instead of playing one.

use quincunx_games::x_marks_the_spot::Card;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::words::icon_style;
use crate::boards::canvas::Canvas;
use crate::look::{Hue, Look};

/// The lines that it takes: one for words, three for cards.
pub const LINES: u16 = 4;

/// One thing that can be pointed at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Mark {
    /// Whether it may be chosen.
    pub open: bool,
    pub focused: bool,
    /// Whether it was picked to be given away.
    pub picked: bool,
}

impl Mark {
    fn style(self, look: Look) -> Style {
        let style = if self.open { Style::new().add_modifier(Modifier::BOLD) } else { look.hue(Hue::Quiet) };
        if self.focused { look.target().patch(look.cursor()) } else { style }
    }
}

/// Everything that lies in front.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Front {
    pub caption: String,
    pub cards: Vec<(Card, Mark)>,
    pub words: Vec<(String, Mark)>,
}

impl Front {
    /// Draws it and says where everything lies: the cards, then the words.
    pub fn draw(&self, canvas: &mut Canvas<'_>, width: i32, look: Look) -> Vec<Rect> {
        canvas.put(0, 0, &self.caption, look.title());
        let left = self.caption.chars().count() as i32 + 2;
        let words = self.words.iter().map(|(word, mark)| (format!("[{word}]"), *mark));
        let words = write(canvas, (left, 0), i32::MAX, words, look);
        let boxed: i32 = self.cards.iter().map(|(card, _)| box_width(*card)).sum();
        let gaps = self.cards.len().saturating_sub(1) as i32;
        let mut places = if boxed + gaps <= width {
            self.draw_boxes(canvas, 1, look)
        } else if boxed <= width {
            self.draw_boxes(canvas, 0, look)
        } else {
            let name = |(card, mark): &(Card, Mark)| (format!("[{}{card}]", if mark.picked { "*" } else { "" }), *mark);
            write(canvas, (0, 1), width, self.cards.iter().map(name), look)
        };
        places.extend(words);
        places
    }

    fn draw_boxes(&self, canvas: &mut Canvas<'_>, gap: i32, look: Look) -> Vec<Rect> {
        let mut x = 0;
        let mut places = Vec::new();
        for &(card, mark) in &self.cards {
            let width = box_width(card);
            draw_box(canvas, x, card, mark, look);
            places.push(canvas.rect((x, 1), (width, 3)));
            x += width + gap;
        }
        places
    }
}

/// Writes texts one after the other, in as many lines as it takes, and says where they lie.
fn write(
    canvas: &mut Canvas<'_>,
    (left, top): (i32, i32),
    width: i32,
    texts: impl Iterator<Item = (String, Mark)>,
    look: Look,
) -> Vec<Rect> {
    let (mut x, mut y) = (left, top);
    let mut places = Vec::new();
    for (text, mark) in texts {
        let wide = text.chars().count() as i32;
        if x > left && x + wide > width {
            (x, y) = (left, y + 1);
        }
        canvas.put(x, y, &text, mark.style(look));
        places.push(canvas.rect((x, y), (wide, 1)));
        x += wide + 1;
    }
    places
}

fn box_width(card: Card) -> i32 {
    if card.is_tile() { 5 } else { card.name().len() as i32 + 2 }
}

/// A card as it lies on a table: a tile as a domino with an icon on each half.
fn draw_box(canvas: &mut Canvas<'_>, x: i32, card: Card, mark: Mark, look: Look) {
    let style = mark.style(look);
    let flat = look.text("─", "-");
    let edge = |ends: [&str; 2], joint: &str| match card.icons() {
        Some(_) => format!("{}{flat}{joint}{flat}{}", ends[0], ends[1]),
        None => format!("{}{}{}", ends[0], flat.repeat(card.name().len()), ends[1]),
    };
    let corners = |rich: [&'static str; 2]| rich.map(|corner| look.text(corner, "+"));
    canvas.put(x, 1, &edge(corners(["╭", "╮"]), look.text("┬", "+")), style);
    canvas.put(x, 3, &edge(corners(["╰", "╯"]), look.text("┴", "+")), style);
    let wall = look.text("│", "|");
    match card.icons() {
        Some([first, second]) => {
            canvas.put(x, 2, &format!("{wall} {wall} {wall}"), style);
            for (icon, x) in [(first, x + 1), (second, x + 3)] {
                let own = if mark.focused { style } else { icon_style(icon, look).patch(style) };
                canvas.put(x, 2, &icon.letter().to_string(), own);
            }
        }
        None => canvas.put(x, 2, &format!("{wall}{card}{wall}"), style),
    }
    if mark.picked {
        canvas.put_centred(x, 3, box_width(card), "*", look.title());
    }
}
