//! A page of Markdown as lines of the screen: as much of it as the rules of the games use.

use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use crate::look::{Hue, Look};

/// A word, or several that belong together: pieces without a gap between them, each in its style.
type Word = Vec<(String, Style)>;

/// A page in lines of at most this width; only what stands between fences may be longer.
pub fn lines(markdown: &str, width: usize, look: Look) -> Vec<Line<'static>> {
    let mut page = Page { width: width.max(20), look, lines: Vec::new() };
    let mut source = markdown.lines().peekable();
    while let Some(line) = source.next() {
        if line.starts_with("```") {
            source.by_ref().take_while(|line| !line.starts_with("```")).for_each(|line| page.verbatim(line));
        } else if line.starts_with('|') {
            let mut rows = vec![line];
            while let Some(row) = source.next_if(|line| line.starts_with('|')) {
                rows.push(row);
            }
            page.table(&rows);
        } else if let Some((_, title)) = line.split_once("# ").filter(|(level, _)| level.chars().all(|c| c == '#')) {
            page.wrapped(&words(title, look.title(), look), "", 0);
        } else if line.trim().is_empty() {
            page.lines.push(Line::default());
        } else {
            let mut text = line.trim().to_owned();
            while let Some(more) = source.next_if(|line| goes_on(line)) {
                text = format!("{text} {}", more.trim());
            }
            let (bullet, text) = bullet(&text);
            page.wrapped(&words(text, Style::new(), look), bullet, bullet.len());
        }
    }
    page.lines
}

/// The first paragraph of a page, without its title.
pub fn first_paragraph(markdown: &str) -> String {
    let lines = markdown.lines().skip_while(|line| line.starts_with('#') || line.trim().is_empty());
    lines.take_while(|line| !line.trim().is_empty()).collect::<Vec<_>>().join(" ")
}

/// Whether a line belongs to the paragraph or the item before it.
fn goes_on(line: &str) -> bool {
    let begins_anew = line.starts_with(['|', '#', '`']) || !bullet(line).0.is_empty();
    !line.trim().is_empty() && (!begins_anew || line.starts_with('`') && !line.starts_with("```"))
}

/// The sign before the item of a list, such as `- ` or `2. `, and the item.
fn bullet(line: &str) -> (&str, &str) {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let sign = if line.starts_with("- ") {
        2
    } else if digits > 0 && line[digits..].starts_with(". ") {
        digits + 2
    } else {
        0
    };
    line.split_at(sign)
}

struct Page {
    width: usize,
    look: Look,
    lines: Vec<Line<'static>>,
}

impl Page {
    fn verbatim(&mut self, line: &str) {
        self.lines.push(Line::styled(format!("  {line}"), self.look.hue(Hue::Accent)));
    }

    /// Words in as many lines as they need, the first one after a sign, the others as far in.
    fn wrapped(&mut self, words: &[Word], sign: &str, indent: usize) {
        let mut spans = vec![Span::raw(sign.to_owned())];
        let mut used = sign.len();
        for (number, word) in words.iter().enumerate() {
            let length: usize = word.iter().map(|(text, _)| text.chars().count()).sum();
            if number > 0 && used + 1 + length > self.width {
                self.lines.push(Line::from(std::mem::replace(&mut spans, vec![" ".repeat(indent).into()])));
                used = indent;
            } else if number > 0 {
                spans.push(" ".into());
                used += 1;
            }
            spans.extend(word.iter().map(|(text, style)| Span::styled(text.clone(), *style)));
            used += length;
        }
        self.lines.push(Line::from(spans));
    }

    /// Rows in columns; what is long in the last column is wrapped there.
    fn table(&mut self, rows: &[&str]) {
        let cells = |row: &str| -> Vec<String> {
            row.trim_matches('|').split('|').map(|cell| cell.trim().replace(['`', '*'], "")).collect()
        };
        let is_rule = |row: &[String]| row.iter().all(|cell| cell.chars().all(|c| c == '-' || c == ':'));
        let rows: Vec<Vec<String>> = rows.iter().map(|row| cells(row)).filter(|row| !is_rule(row)).collect();
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let width =
            |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
        let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
        for (number, row) in rows.iter().enumerate() {
            let style = if number == 0 { self.look.hue(Hue::Quiet) } else { Style::new() };
            let Some((last, others)) = row.split_last() else { continue };
            let pad =
                |(cell, &width): (&String, &usize)| format!("{cell}{}  ", " ".repeat(width - cell.chars().count()));
            let before: String = others.iter().zip(&widths).map(pad).collect();
            let sign = format!("  {before}");
            let indent = sign.chars().count().min(self.width / 2);
            self.wrapped(&words(last, style, self.look), &sign, indent);
        }
    }
}

/// A text as words, with what is strong, emphasised or code in a style of its own.
fn words(text: &str, base: Style, look: Look) -> Vec<Word> {
    let (mut strong, mut emphasis, mut code) = (false, false, false);
    let mut words: Vec<Word> = vec![Vec::new()];
    let mut letters = text.chars().peekable();
    let mut before = ' ';
    while let Some(letter) = letters.next() {
        let next = letters.peek().copied().unwrap_or(' ');
        match letter {
            '`' => code = !code,
            '*' if !code && next == '*' => {
                letters.next();
                strong = !strong;
            }
            // A sign that stands alone multiplies.
            '*' if !code && (emphasis || next != ' ') && !(emphasis && before == ' ') => emphasis = !emphasis,
            ' ' if !code => words.push(Vec::new()),
            _ => {
                let mut style = if code { base.patch(look.hue(Hue::Accent)) } else { base };
                if strong {
                    style = style.add_modifier(Modifier::BOLD);
                }
                if emphasis {
                    style = style.add_modifier(Modifier::ITALIC);
                }
                add(&mut words, letter, style);
            }
        }
        before = letter;
    }
    words.retain(|word| !word.is_empty());
    words
}

fn add(words: &mut [Word], letter: char, style: Style) {
    let Some(word) = words.last_mut() else { return };
    match word.last_mut() {
        Some((text, used)) if *used == style => text.push(letter),
        _ => word.push((letter.to_string(), style)),
    }
}

#[cfg(test)]
mod tests {
    use quincunx_games::GAMES;

    use super::*;

    fn shown(markdown: &str, width: usize) -> Vec<String> {
        lines(markdown, width, Look::FULL).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn paragraphs_and_items_are_wrapped() {
        let page =
            "# A *Title*\n\nOne two **three\nfour** five.\n\n- an item that is\n  rather long\n- 2 * 3\n1. `a  b`\n";
        assert_eq!(
            shown(page, 20),
            [
                "A Title",
                "",
                "One two three four",
                "five.",
                "",
                "- an item that is",
                "  rather long",
                "- 2 * 3",
                "1. a  b"
            ]
        );
    }

    #[test]
    fn tables_stand_in_columns_and_code_as_it_is() {
        let page = "| a | long one |\n| --- | --- |\n| `xyz` | two words and more of them |\n\n```\n 1   2\n```";
        assert_eq!(shown(page, 24), ["  a    long one", "  xyz  two words and", "       more of them", "", "   1   2"]);
    }

    #[test]
    fn the_rules_of_every_game_fit_into_the_screen() {
        for kind in GAMES {
            for line in lines(kind.rules(), 76, Look::BARE) {
                assert!(line.width() <= 76, "{}: {line}", kind.id());
                assert!(!line.to_string().contains("**"), "{}: {line}", kind.id());
            }
            assert!(first_paragraph(kind.rules()).ends_with('.'), "{}", kind.id());
        }
    }
}
