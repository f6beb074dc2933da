//! Rules pages for the terminal: Markdown with colours, wrapped to a width.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Effects, Style};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use textwrap::core::display_width;

const HEADING: Style = AnsiColor::Cyan.on_default().bold();
const STRONG: Style = Style::new().effects(Effects::BOLD);
const EMPHASIS: Style = Style::new().effects(Effects::ITALIC);
const CODE: Style = AnsiColor::Green.on_default();
/// What is not printed in a rulebook stands out: rulings, reconstructed numbers, additions.
const MARKED: Style = AnsiColor::Yellow.on_default().bold();
const MARKS: [&str; 3] = ["Ruling", "Reconstructed", "Beyond the rulebook"];

/// Renders a page with colours, in lines of at most `width` columns (code blocks and unbreakable words aside).
pub(crate) fn render(page: &str, width: usize) -> String {
    let mut renderer = Renderer { width, ..Renderer::default() };
    for event in Parser::new_ext(page, Options::ENABLE_TABLES) {
        renderer.event(event);
    }
    renderer.out
}

#[derive(Default)]
struct Renderer {
    width: usize,
    out: String,
    /// The paragraph, heading or cell being collected, with its colours.
    text: String,
    /// Styles to close, innermost last.
    styles: Vec<Style>,
    /// For each open list, the number of the next item, or none for bullets.
    lists: Vec<Option<u64>>,
    /// What the next block begins with instead of plain indentation: the bullet of its item.
    bullet: Option<String>,
    strong_begins: bool,
    code_block: bool,
    table: Vec<Vec<String>>,
}

impl Renderer {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) if self.code_block => self.code(&text),
            Event::Text(text) => {
                if std::mem::take(&mut self.strong_begins) {
                    let marked = MARKS.iter().any(|mark| text.starts_with(mark));
                    self.open(if marked { MARKED } else { STRONG });
                }
                self.text.push_str(&text);
            }
            Event::Code(code) => {
                self.open(CODE);
                self.text.push_str(&code);
                self.close();
            }
            Event::SoftBreak => self.text.push(' '),
            Event::HardBreak => self.text.push('\n'),
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { .. } => self.open(HEADING),
            Tag::Emphasis => self.open(EMPHASIS),
            // What it is shows with its first words.
            Tag::Strong => self.strong_begins = true,
            Tag::CodeBlock(_) => self.code_block = true,
            Tag::List(first) => {
                self.block();
                self.lists.push(first);
            }
            Tag::Item => {
                let bullet = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number += 1;
                        format!("{}. ", *number - 1)
                    }
                    _ => "- ".to_owned(),
                };
                self.bullet = Some(bullet);
            }
            Tag::TableHead | Tag::TableRow => self.table.push(Vec::new()),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => {
                self.close();
                self.block();
                self.blank_line();
            }
            TagEnd::Paragraph => {
                self.block();
                if self.lists.is_empty() {
                    self.blank_line();
                }
            }
            TagEnd::Emphasis | TagEnd::Strong => self.close(),
            TagEnd::CodeBlock => {
                self.code_block = false;
                self.blank_line();
            }
            TagEnd::Item => self.block(),
            TagEnd::List(_) => {
                self.lists.pop();
                if self.lists.is_empty() {
                    self.blank_line();
                }
            }
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.text);
                if let Some(row) = self.table.last_mut() {
                    row.push(cell);
                }
            }
            TagEnd::Table => {
                let rows = std::mem::take(&mut self.table);
                self.out.push_str(&table(&rows, self.width));
                self.blank_line();
            }
            _ => {}
        }
    }

    fn open(&mut self, style: Style) {
        self.text.push_str(&style.render().to_string());
        self.styles.push(style);
    }

    /// Ends the innermost style, and takes up again those around it.
    fn close(&mut self) {
        if let Some(style) = self.styles.pop() {
            self.text.push_str(&style.render_reset().to_string());
            for outer in &self.styles {
                self.text.push_str(&outer.render().to_string());
            }
        }
    }

    /// Writes the collected text as a block of wrapped lines.
    fn block(&mut self) {
        let text = std::mem::take(&mut self.text);
        if text.is_empty() {
            return;
        }
        let outer = "  ".repeat(self.lists.len().saturating_sub(1));
        let inner = if self.lists.is_empty() { String::new() } else { format!("{outer}   ") };
        let first = match self.bullet.take() {
            Some(bullet) => format!("{outer}{bullet:<3}"),
            None => inner.clone(),
        };
        let options = textwrap::Options::new(self.width).initial_indent(&first).subsequent_indent(&inner);
        self.out.push_str(&textwrap::fill(&text, options.break_words(false)));
        self.out.push('\n');
    }

    fn code(&mut self, text: &str) {
        for line in text.lines() {
            if !line.is_empty() {
                let _ = write!(self.out, "    {CODE}{line}{CODE:#}");
            }
            self.out.push('\n');
        }
    }

    fn blank_line(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }
}

/// Columns as wide as they need, the widest ones narrowed until the table fits.
fn table(rows: &[Vec<String>], width: usize) -> String {
    const GAP: usize = 2;
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let natural = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| display_width(cell)).max().unwrap_or(0)
    };
    let mut widths: Vec<usize> = (0..columns).map(natural).collect();
    while widths.iter().sum::<usize>() + GAP * columns > width + GAP {
        let Some(widest) = widths.iter_mut().max() else { break };
        if *widest <= 8 {
            break;
        }
        *widest -= 1;
    }
    let mut out = String::new();
    for (index, row) in rows.iter().enumerate() {
        let cells: Vec<Vec<String>> = row
            .iter()
            .zip(&widths)
            .map(|(cell, &width)| textwrap::wrap(cell, width.max(1)).into_iter().map(Into::into).collect())
            .collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        for line in 0..height {
            let mut text = String::new();
            for (cell, &width) in cells.iter().zip(&widths) {
                let part = cell.get(line).map_or("", String::as_str);
                text.push_str(part);
                text.push_str(&" ".repeat(width.saturating_sub(display_width(part)) + GAP));
            }
            out.push_str(text.trim_end());
            out.push('\n');
        }
        if index == 0 {
            let rules: Vec<String> = widths.iter().map(|&width| "─".repeat(width)).collect();
            out.push_str(&rules.join("  "));
            out.push('\n');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use quincunx_core::strip;

    use super::*;

    fn plain(page: &str, width: usize) -> String {
        strip(&render(page, width))
    }

    #[test]
    fn paragraphs_and_lists_are_wrapped_with_hanging_indents() {
        let page = "# Title\n\nA line that is\ntoo long for it.\n\n- one item of a list\n  - inner\n- two\n\n1. first\n2. next\n";
        assert_eq!(
            plain(page, 16),
            "Title\n\nA line that is\ntoo long for it.\n\n-  one item of a\n   list\n  -  inner\n-  two\n\n1. first\n2. next\n\n"
        );
    }

    #[test]
    fn tables_are_aligned_and_their_widest_column_is_narrowed() {
        let page = "| name | meaning |\n| --- | --- |\n| `size` | side of the whole board |\n";
        assert_eq!(plain(page, 20), "name  meaning\n────  ──────────────\nsize  side of the\n      whole board\n\n");
    }

    #[test]
    fn rulings_are_marked_with_a_colour_of_their_own() {
        let ruling = render("**Ruling:** yes.\n", 80);
        assert!(ruling.starts_with(&MARKED.render().to_string()), "{ruling:?}");
        assert!(render("**Win** at once.\n", 80).starts_with(&STRONG.render().to_string()));
    }

    #[test]
    fn code_blocks_keep_their_lines() {
        assert_eq!(plain("```\nX O\n\n O X\n```\n", 3), "    X O\n\n     O X\n\n");
    }
}
