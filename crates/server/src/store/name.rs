//! When two names are the same.

use unicode_normalization::UnicodeNormalization;
use unicode_security::skeleton;

/// The name of those who have deleted their account. Nobody else can have it.
pub const DELETED: &str = "deleted";

/// What is the same for all names that differ only by case, or by how their characters are put together. Turning to capitals
/// first also makes `ß` and `ss`, `ς` and `σ` the same, and going letter by letter keeps the end of a word out of it.
pub(super) fn key(name: &str) -> String {
    let folded = name.nfkc().flat_map(char::to_uppercase).flat_map(char::to_lowercase);
    folded.nfkc().collect()
}

/// What is the same for all names that people could take for each other: the skeleton of UTS 39, without regard to case.
/// Letters are made alike as they are written, capitals too: `BlLL` looks like `BILL`, and not like `Bill`.
pub(crate) fn look(name: &str) -> String {
    let composed: String = name.nfkc().collect();
    key(&skeleton(&composed).collect::<String>())
}

/// Whether nobody can have the name.
pub(super) fn reserved(key: &str) -> bool {
    key == DELETED
}

#[cfg(test)]
mod tests {
    use super::{key, look};

    #[test]
    fn names_that_people_take_for_each_other_look_alike() {
        for (one, other) in
            [("Paul", "Pau1"), ("BILL", "BlLL"), ("Bob", "B0b"), ("Oma", "\u{41e}m\u{430}"), ("corner", "comer")]
        {
            assert_eq!(look(one), look(other), "{one} and {other}");
        }
        assert_ne!(look("Bill"), look("Ball"));
        assert_ne!(look("Zoe"), look("Zoë"));
    }

    #[test]
    fn names_that_differ_by_case_or_composition_are_the_same() {
        for (one, other) in [
            ("Ada", "aDA"),
            ("Zoë", "ZOË"),
            ("Zoë", "Zoe\u{308}"),
            ("Straße", "STRASSE"),
            ("ΟΔΥΣΣΕΥΣ", "οδυσσευς"),
            ("Иван", "иВАН"),
            ("Ａda", "ada"),
        ] {
            assert_eq!(key(one), key(other), "{one} and {other}");
        }
        assert_ne!(key("Zoe"), key("Zoë"));
        assert_ne!(key("Ada"), key("Ida"));
    }
}
