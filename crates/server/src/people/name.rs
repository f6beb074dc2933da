//! What people and bots may call themselves.

use quincunx_engine::Level;
use serde_json::{Value, json};
use unicode_normalization::UnicodeNormalization;

use crate::store::DELETED;

const SHORTEST: usize = 2;
const LONGEST: usize = 24;

/// Letters by the book that are drawn as nothing: with them a name could look empty, or like another one.
const INVISIBLE: [char; 4] = ['\u{115f}', '\u{1160}', '\u{3164}', '\u{ffa0}'];

/// Names that would make people take somebody for the server or its engine.
const RESERVED: [&str; 3] = ["engine", "admin", DELETED];

/// What is wrong with a name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadName {
    #[error("a name has {SHORTEST} to {LONGEST} characters, this one has {0}")]
    Length(usize),
    /// Not quoted, as it may be a character that harms whoever prints it.
    #[error("a name has letters, digits, spaces, - and _; character {0} is none of them")]
    Character(usize),
    #[error("a name has no two spaces in a row")]
    DoubleSpace,
    #[error("a name has a letter or a digit")]
    NoLetter,
    #[error("this name is reserved")]
    Reserved,
}

impl BadName {
    /// The code of it and its arguments, to translate it.
    pub fn code(&self) -> (&'static str, Value) {
        match self {
            Self::Length(length) => {
                ("name_length", json!({"shortest": SHORTEST, "longest": LONGEST, "length": length}))
            }
            Self::Character(place) => ("name_character", json!({"character": place})),
            Self::DoubleSpace => ("name_double_space", json!({})),
            Self::NoLetter => ("name_no_letter", json!({})),
            Self::Reserved => ("name_reserved", json!({})),
        }
    }
}

/// The name as it is kept: composed and without spaces around it.
pub(super) fn checked(text: &str) -> Result<String, BadName> {
    // A composed character is made of a few: what is this long need not be composed to be refused.
    let given = text.trim();
    if given.len() > LONGEST * 16 {
        return Err(BadName::Length(given.chars().count()));
    }
    let name: String = given.nfc().collect();
    let length = name.chars().count();
    if !(SHORTEST..=LONGEST).contains(&length) {
        return Err(BadName::Length(length));
    }
    if let Some(place) = name.chars().position(|character| !allowed(character)) {
        return Err(BadName::Character(place + 1));
    }
    if name.contains("  ") {
        return Err(BadName::DoubleSpace);
    }
    if !name.chars().any(char::is_alphanumeric) {
        return Err(BadName::NoLetter);
    }
    let folded = folded(&name);
    if RESERVED.contains(&folded.as_str()) || Level::ALL.iter().any(|level| level.name() == folded) {
        return Err(BadName::Reserved);
    }
    Ok(name)
}

/// The same for names that differ by case or by how they are composed.
pub(super) fn folded(name: &str) -> String {
    name.nfkc().flat_map(char::to_lowercase).collect()
}

fn allowed(character: char) -> bool {
    matches!(character, ' ' | '-' | '_') || (character.is_alphanumeric() && !INVISIBLE.contains(&character))
}

#[cfg(test)]
mod tests {
    use super::{BadName, checked};

    #[test]
    fn names_of_all_languages_are_kept_composed_and_trimmed() {
        for (given, kept) in [
            ("Ada", "Ada"),
            ("  Ada Lovelace ", "Ada Lovelace"),
            ("Zoe\u{308}", "Zoë"),
            ("Иван", "Иван"),
            ("王芳", "王芳"),
            ("r2-d2_x", "r2-d2_x"),
            ("42", "42"),
            ("Masterful", "Masterful"),
            ("abcdefghijklmnopqrstuvwx", "abcdefghijklmnopqrstuvwx"),
        ] {
            assert_eq!(checked(given).as_deref(), Ok(kept));
        }
    }

    #[test]
    fn other_names_are_refused_with_the_reason() {
        for (name, why) in [
            ("", BadName::Length(0)),
            ("   ", BadName::Length(0)),
            (" a ", BadName::Length(1)),
            ("abcdefghijklmnopqrstuvwxy", BadName::Length(25)),
            (&"x".repeat(100_000), BadName::Length(100_000)),
            ("a\0b", BadName::Character(2)),
            ("a\nb", BadName::Character(2)),
            ("ab<", BadName::Character(3)),
            ("a\u{202e}b", BadName::Character(2)),
            ("a\u{a0}b", BadName::Character(2)),
            ("\u{3164}\u{3164}", BadName::Character(1)),
            ("a  b", BadName::DoubleSpace),
            ("- _", BadName::NoLetter),
            ("deleted", BadName::Reserved),
            ("Admin", BadName::Reserved),
            ("ENGINE", BadName::Reserved),
            ("novice", BadName::Reserved),
            ("Ｍaster", BadName::Reserved),
        ] {
            assert_eq!(checked(name), Err(why), "{name:.30}");
        }
    }
}
