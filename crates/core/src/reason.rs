//! Why something is refused, as data: a code for programs and translators, its arguments, and the English sentence.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The reasons of one part of the program: an enum whose variants are codes and whose fields are their arguments.
///
/// `thiserror` makes the sentence, `#[serde(tag = "code", rename_all = "snake_case")]` the data, and the JSON Schema lets
/// tests and translators walk through all of them.
///
/// ```
/// # use quincunx_core::{Reason, Reasons};
/// #[derive(Debug, thiserror::Error, serde::Serialize, schemars::JsonSchema)]
/// #[serde(tag = "code", rename_all = "snake_case")]
/// enum Refusal {
///     #[error("square {square} is taken")]
///     SquareTaken { square: String },
/// }
///
/// impl Reasons for Refusal {
///     const AREA: &'static str = "mod-x";
/// }
///
/// let reason = Reason::from(Refusal::SquareTaken { square: "c3".to_owned() });
/// assert_eq!(reason.code, "mod-x.square_taken");
/// assert_eq!(reason.args["square"], "c3");
/// assert_eq!(reason.to_string(), "square c3 is taken");
/// ```
pub trait Reasons: fmt::Display + Serialize + JsonSchema {
    /// What stands before the codes.
    const AREA: &'static str;

    /// The erased form. A reason that only says where another one was found gives that one.
    fn reason(&self) -> Reason {
        Reason::of(self)
    }
}

/// A reason of any part of the program. For a seat it says only what that seat knows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Reason {
    /// Such as `mod-x.square_taken`.
    pub code: String,
    /// Texts, numbers, lists of them, or a reason within the reason. Words such as colours are ids to look up.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub args: Map<String, Value>,
    /// The sentence in English, without a capital letter and a full stop.
    pub text: String,
}

impl Reason {
    /// The reason of a part of the program.
    ///
    /// # Panics
    /// If it is no enum of the form that [`Reasons`] asks for.
    pub fn of<R: Reasons + ?Sized>(reason: &R) -> Self {
        let json = serde_json::to_value(reason).expect("a reason is plain data");
        let Value::Object(mut args) = json else { unreachable!("a reason is an object, not {json}") };
        let Some(Value::String(name)) = args.remove("code") else { unreachable!("a reason has a code: {args:?}") };
        Self { code: format!("{}.{name}", R::AREA), args, text: reason.to_string() }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Reason {}

impl<R: Reasons> From<R> for Reason {
    fn from(reason: R) -> Self {
        reason.reason()
    }
}
