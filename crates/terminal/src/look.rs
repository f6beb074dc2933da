//! How things look on this terminal: colours and characters, as far as it has them.
//!
//! Nothing is told by colour alone: what matters is also a letter, a bold or reversed character, or a word.

use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::border;
use ratatui::text::Line;
use ratatui::widgets::{Block, BorderType, Padding};

/// What a terminal can show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    pub colours: Colours,
    /// Whether only the characters of ASCII can be shown.
    pub ascii: bool,
}

/// How many colours a terminal has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colours {
    None,
    Sixteen,
    All,
}

/// The colours of the games, told apart also by people who do not see all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hue {
    Vermilion,
    Sky,
    Green,
    Yellow,
    Blue,
    Purple,
    /// What stands out without belonging to a game: titles, the cursor, what may be done.
    Accent,
    /// What is there without asking to be read.
    Quiet,
    Warning,
}

impl Look {
    /// Everything there is, for pictures and tests.
    pub const FULL: Self = Self { colours: Colours::All, ascii: false };
    /// The least there is.
    pub const BARE: Self = Self { colours: Colours::None, ascii: true };

    /// What the environment tells about the terminal: `NO_COLOR`, `TERM`, `COLORTERM` and the language.
    pub fn of_environment(variable: impl Fn(&str) -> Option<String>) -> Self {
        let term = variable("TERM").unwrap_or_default();
        let no_colours = variable("NO_COLOR").is_some_and(|value| !value.is_empty());
        let poor = ["", "dumb", "vt100", "vt102", "vt220"].contains(&term.as_str());
        let colours = if no_colours || poor || term.ends_with("-m") || term.ends_with("-mono") {
            Colours::None
        } else if variable("COLORTERM").is_some_and(|value| value == "truecolor" || value == "24bit") {
            Colours::All
        } else {
            Colours::Sixteen
        };
        // The first of these that is set decides.
        let language = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(variable).find(|value| !value.is_empty());
        let language = language.unwrap_or_default().to_lowercase();
        Self { colours, ascii: !(language.contains("utf-8") || language.contains("utf8")) }
    }

    /// The same with nothing but what ASCII has.
    #[must_use]
    pub const fn with_ascii(self, ascii: bool) -> Self {
        Self { ascii: self.ascii || ascii, ..self }
    }

    /// One text where the terminal shows it, and another one where it only knows ASCII.
    pub const fn text(self, rich: &'static str, ascii: &'static str) -> &'static str {
        if self.ascii { ascii } else { rich }
    }

    /// A colour for what is written. Without colours, what is quiet is dim and warnings are bold.
    pub const fn hue(self, hue: Hue) -> Style {
        let style = Style::new();
        let (red, green, blue, named) = match hue {
            Hue::Vermilion => (0xe6, 0x6b, 0x1a, Color::Red),
            Hue::Sky => (0x56, 0xb4, 0xe9, Color::Cyan),
            Hue::Green => (0x1f, 0xb8, 0x8a, Color::Green),
            Hue::Yellow => (0xf0, 0xe4, 0x42, Color::Yellow),
            Hue::Blue => (0x4a, 0x9b, 0xd9, Color::Blue),
            Hue::Purple => (0xd9, 0x8c, 0xb5, Color::Magenta),
            Hue::Accent => (0x5c, 0xc0, 0xc9, Color::Cyan),
            Hue::Quiet => (0x9a, 0xa0, 0xab, Color::Reset),
            Hue::Warning => (0xff, 0x9a, 0x6b, Color::Red),
        };
        let modifier = match hue {
            // Grey is not among the sixteen colours of every terminal.
            Hue::Quiet => Modifier::DIM,
            Hue::Warning => Modifier::BOLD,
            _ => Modifier::empty(),
        };
        match self.colours {
            Colours::All => style.fg(Color::Rgb(red, green, blue)),
            Colours::Sixteen => style.fg(named).add_modifier(modifier),
            Colours::None => style.add_modifier(modifier),
        }
    }

    /// What sits where the cursor is.
    pub const fn cursor(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    /// What may be chosen.
    pub const fn target(self) -> Style {
        self.hue(Hue::Accent).add_modifier(Modifier::BOLD)
    }

    /// What has changed last.
    pub const fn last(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD.union(Modifier::UNDERLINED))
    }

    pub const fn title(self) -> Style {
        self.hue(Hue::Accent).add_modifier(Modifier::BOLD)
    }

    /// A frame around something.
    pub fn frame(self) -> Block<'static> {
        const ASCII: border::Set<'static> = border::Set {
            top_left: "+",
            top_right: "+",
            bottom_left: "+",
            bottom_right: "+",
            vertical_left: "|",
            vertical_right: "|",
            horizontal_top: "-",
            horizontal_bottom: "-",
        };
        let frame = Block::bordered().border_style(self.hue(Hue::Quiet));
        if self.ascii { frame.border_set(ASCII) } else { frame.border_type(BorderType::Rounded) }
    }

    /// A frame with a title, and with a gap to the text in it.
    pub fn titled_frame(self, title: impl Into<String>) -> Block<'static> {
        self.frame().title(Line::styled(title.into(), self.title())).padding(Padding::horizontal(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(variables: &[(&str, &str)]) -> Look {
        Look::of_environment(|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn a_terminal_is_taken_for_what_it_says() {
        let utf8 = ("LANG", "de_DE.UTF-8");
        let plain = seen(&[("TERM", "xterm-256color"), utf8]);
        assert_eq!(plain, Look { colours: Colours::Sixteen, ascii: false });
        assert_eq!(seen(&[("TERM", "xterm"), ("COLORTERM", "truecolor"), utf8]), Look::FULL);
        assert_eq!(seen(&[("TERM", "xterm"), ("NO_COLOR", "1"), utf8]).colours, Colours::None);
        assert_eq!(seen(&[("TERM", "xterm"), ("NO_COLOR", ""), utf8]).colours, Colours::Sixteen);
        assert_eq!(seen(&[("TERM", "dumb")]), Look::BARE);
        assert_eq!(seen(&[("TERM", "xterm-mono"), utf8]).colours, Colours::None);
        assert!(seen(&[("LC_ALL", "C"), utf8]).ascii, "the first one decides");
        assert!(!seen(&[("LC_ALL", ""), ("LC_CTYPE", "en_GB.utf8")]).ascii);
    }

    #[test]
    fn without_colours_no_colour_is_used() {
        let hues = [Hue::Vermilion, Hue::Sky, Hue::Accent, Hue::Quiet, Hue::Warning];
        assert!(hues.into_iter().all(|hue| Look::BARE.hue(hue).fg.is_none()));
    }
}
