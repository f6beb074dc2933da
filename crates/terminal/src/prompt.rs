//! A line that is typed, with what it could become.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// No person types more than this into a line.
const LONGEST: usize = 2000;

/// A line that is typed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Prompt {
    text: String,
    /// What it may become; empty where anything may be typed.
    offers: Vec<String>,
    /// Which of the offers that fit is chosen.
    chosen: Option<usize>,
    /// Whether the text must not be read by others.
    secret: bool,
}

/// What came of a key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Typed {
    More,
    Done(String),
    GaveUp,
}

impl Prompt {
    pub fn new(offers: Vec<String>) -> Self {
        Self { offers, ..Self::default() }
    }

    pub fn with_text(text: &str) -> Self {
        Self { text: text.to_owned(), ..Self::default() }
    }

    /// From now on it may become one of these, as where a path leads into another folder.
    pub fn offer(&mut self, offers: Vec<String>) {
        self.offers = offers;
        self.chosen = None;
    }

    /// A prompt whose text is not shown.
    pub fn secret() -> Self {
        Self { secret: true, ..Self::default() }
    }

    /// What is shown of the text.
    pub fn shown(&self) -> String {
        if self.secret { "*".repeat(self.text.chars().count()) } else { self.text.clone() }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The offers that fit what was typed: those that begin with it, then those that contain it.
    pub fn fitting(&self) -> Vec<&str> {
        let typed = self.text.trim();
        let begins = self.offers.iter().filter(|offer| offer.starts_with(typed));
        let contains = self.offers.iter().filter(|offer| !offer.starts_with(typed) && offer.contains(typed));
        begins.chain(contains).map(String::as_str).collect()
    }

    pub fn chosen(&self) -> Option<usize> {
        self.chosen
    }

    pub fn paste(&mut self, text: &str) {
        let line = text.lines().next().unwrap_or_default();
        self.text.extend(line.chars().filter(|letter| !letter.is_control()).take(LONGEST));
        self.chosen = None;
    }

    pub fn press(&mut self, key: KeyEvent) -> Typed {
        match key.code {
            KeyCode::Esc => return Typed::GaveUp,
            KeyCode::Enter => {
                let chosen = self.chosen.and_then(|number| self.fitting().get(number).map(|&offer| offer.to_owned()));
                return Typed::Done(chosen.unwrap_or_else(|| self.text.trim().to_owned()));
            }
            KeyCode::Backspace => {
                self.text.pop();
                self.chosen = None;
            }
            KeyCode::Char('u') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                self.text.clear();
                self.chosen = None;
            }
            KeyCode::Char(letter) if !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) => {
                if self.text.len() < LONGEST {
                    self.text.push(letter);
                }
                self.chosen = None;
            }
            KeyCode::Down | KeyCode::Tab => self.choose(1),
            KeyCode::Up | KeyCode::BackTab => self.choose(-1),
            _ => {}
        }
        Typed::More
    }

    fn choose(&mut self, step: isize) {
        let count = self.fitting().len() as isize;
        if count > 0 {
            let from = self.chosen.map_or(if step > 0 { -1 } else { 0 }, |chosen| chosen as isize);
            self.chosen = Some((from + step).rem_euclid(count) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(prompt: &mut Prompt, keys: &[KeyCode]) -> Typed {
        keys.iter().map(|&code| prompt.press(code.into())).last().unwrap()
    }

    #[test]
    fn what_is_typed_narrows_what_may_be_chosen() {
        let mut prompt = Prompt::new(["a1b1", "b1a1", "b1b2"].map(str::to_owned).to_vec());
        assert_eq!(prompt.fitting().len(), 3);
        press(&mut prompt, &[KeyCode::Char('b'), KeyCode::Char('1')]);
        assert_eq!(prompt.fitting(), ["b1a1", "b1b2", "a1b1"]);
        assert_eq!(press(&mut prompt, &[KeyCode::Tab, KeyCode::Tab, KeyCode::Enter]), Typed::Done("b1b2".to_owned()));
    }

    #[test]
    fn what_fits_nothing_is_said_as_it_was_typed() {
        let mut prompt = Prompt::new(vec!["a1b1".to_owned()]);
        assert_eq!(
            press(&mut prompt, &[KeyCode::Char('x'), KeyCode::Tab, KeyCode::Enter]),
            Typed::Done("x".to_owned())
        );
        assert_eq!(press(&mut Prompt::default(), &[KeyCode::Esc]), Typed::GaveUp);
    }

    #[test]
    fn a_password_is_not_shown() {
        let mut prompt = Prompt::secret();
        prompt.paste("grüße\nmore");
        assert_eq!((prompt.shown().as_str(), prompt.text()), ("*****", "grüße"));
    }
}
