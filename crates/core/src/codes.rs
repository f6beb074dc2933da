//! The codes of all that is refused, for translators and for tests that walk through them.

use std::collections::BTreeMap;

use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::{ActionError, GameKind, Reasons, SetupError, SquareReason, TurnReason, UndoError, record::RecordReason};

/// Codes, each with the names of its arguments in alphabetical order.
pub type Codes = BTreeMap<String, Vec<String>>;

/// All codes: of what is refused in the same words in every game, and of what only one of these games refuses.
pub fn all_codes(games: &[&'static dyn GameKind]) -> Codes {
    let common = [
        codes::<ActionError>(),
        codes::<TurnReason>(),
        codes::<SquareReason>(),
        codes::<SetupError>(),
        codes::<UndoError>(),
        codes::<RecordReason>(),
    ];
    common.into_iter().chain(games.iter().map(|game| game.codes())).flatten().collect()
}

/// All codes of a part of the program.
///
/// # Panics
/// If it is no enum of the form that [`Reasons`] asks for.
pub fn codes<R: Reasons>() -> Codes {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let schema = generator.root_schema_for::<R>().to_value();
    let variants = schema["oneOf"].as_array().expect("reasons are the variants of an enum");
    let code = |variant: &Value| {
        let members = variant["properties"].as_object().expect("a reason has named fields");
        let name = members["code"]["const"].as_str().expect("a reason has a code");
        let args = members.keys().filter(|name| *name != "code").cloned().collect();
        (format!("{}.{name}", R::AREA), args)
    };
    variants.iter().map(code).collect()
}
