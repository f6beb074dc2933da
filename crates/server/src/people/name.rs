//! What people and bots may call themselves.

use quincunx_engine::Level;
use serde_json::{Value, json};
use unicode_normalization::UnicodeNormalization;
use unicode_security::MixedScript;

use crate::store::{DELETED, look};

const SHORTEST: usize = 2;
const LONGEST: usize = 24;

/// Letters by the book that are drawn as nothing: with them a name could look empty, or like another one.
const INVISIBLE: [char; 4] = ['\u{115f}', '\u{1160}', '\u{3164}', '\u{ffa0}'];

/// Names that would make people take somebody for the server, its engine, or those who run it; in the languages of the clients.
const RESERVED: [&str; 17] = [
    "engine",
    "computer",
    "server",
    "system",
    "quincunx",
    "root",
    "operator",
    "support",
    "staff",
    "official",
    "spectator",
    "everybody",
    "nobody",
    "anonymous",
    "anonym",
    "niemand",
    DELETED,
];

/// Words that no name holds: `Admin 2` is taken for an admin, too.
const RESERVED_WORDS: [&str; 7] =
    ["admin", "administrator", "administratorin", "moderator", "moderatorin", "moderation", "sysop"];

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
    #[error("a name is of one script: this one mixes letters that look alike")]
    MixedScripts,
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
            Self::MixedScripts => ("name_mixed_scripts", json!({})),
            Self::Reserved => ("name_reserved", json!({})),
        }
    }
}

/// The name of somebody new as it is kept: possible, of one script, and not reserved.
pub(super) fn checked(text: &str) -> Result<String, BadName> {
    let name = given(text)?;
    if mixes_scripts(&name) {
        return Err(BadName::MixedScripts);
    }
    if is_reserved(&name) {
        return Err(BadName::Reserved);
    }
    Ok(name)
}

/// A name that somebody can have: composed and without spaces around it. Some names are older than the rules for new ones.
pub(super) fn given(text: &str) -> Result<String, BadName> {
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
    Ok(name)
}

/// Whether letters of several scripts stand in a name, as in a Latin word with a Cyrillic a. Those of East Asia go together,
/// and with Latin letters (UTS 39, "highly restrictive").
fn mixes_scripts(name: &str) -> bool {
    let others: String = name.chars().filter(|character| !character.is_ascii()).collect();
    let scripts = others.as_str().resolve_script_set();
    let east_asian = scripts.hanb || scripts.jpan || scripts.kore;
    !name.is_single_script() && !east_asian
}

/// Whether a name is reserved or looks like one that is. The words may also have a number behind them.
fn is_reserved(name: &str) -> bool {
    let levels = Level::ALL.iter().map(|level| level.name());
    let words =
        name.split([' ', '-', '_']).flat_map(|word| [word, word.trim_end_matches(|end: char| end.is_ascii_digit())]);
    RESERVED.into_iter().chain(levels).any(|reserved| passes_for(name, reserved))
        || words.into_iter().any(|word| RESERVED_WORDS.iter().any(|reserved| passes_for(word, reserved)))
}

/// Whether somebody in a hurry takes a name for a word in small letters: as it is written or in small letters, and with l and 1
/// for i, which do not look alike enough to be the same in other names.
fn passes_for(name: &str, word: &str) -> bool {
    let seen = |text: &str| look(text).replace('l', "i");
    [seen(name), seen(&folded(name))].contains(&seen(word))
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
    use super::{BadName, checked, given};

    #[test]
    fn names_that_are_older_than_the_rules_can_still_be_given() {
        for name in ["Admin", "P\u{430}ul"] {
            assert_eq!(given(name).as_deref(), Ok(name));
        }
    }

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
            ("Guest 17", "Guest 17"),
            ("Anna 王芳", "Anna 王芳"),
            ("さくら 桜", "さくら 桜"),
            ("Administrata", "Administrata"),
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
            ("Adm1n", BadName::Reserved),
            ("Moderator 7", BadName::Reserved),
            ("the_ADMIN", BadName::Reserved),
            ("system", BadName::Reserved),
            ("P\u{430}ul", BadName::MixedScripts),
            ("\u{391}dam", BadName::MixedScripts),
            ("Ｍaster", BadName::Reserved),
        ] {
            assert_eq!(checked(name), Err(why), "{name:.30}");
        }
    }
}
