//! Colours in text pictures: written only into a coloured picture (`{:#}`), so that the plain one is plain text.

use std::fmt::{self, Display, Formatter};

use anstyle::Style;

/// Writes `text` in `style` if the picture is to be coloured, plainly otherwise.
pub fn painted(f: &mut Formatter<'_>, style: Style, text: impl Display) -> fmt::Result {
    if f.alternate() { write!(f, "{style}{text}{style:#}") } else { write!(f, "{text}") }
}

/// A coloured text without its colours.
pub fn strip(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("\x1b[") {
        plain.push_str(&rest[..start]);
        rest = rest[start..].split_once('m').map_or("", |(_, after)| after);
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Red;

    impl Display for Red {
        fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
            painted(f, anstyle::AnsiColor::Red.on_default(), "red")?;
            f.write_str(" and plain")
        }
    }

    #[test]
    fn a_plain_picture_has_no_escapes_and_a_coloured_one_differs_only_by_them() {
        assert_eq!(format!("{Red}"), "red and plain");
        assert_ne!(format!("{Red:#}"), "red and plain");
        assert_eq!(strip(&format!("{Red:#}")), "red and plain");
    }
}
