//! What a table agrees on before play: bounded numbers, and options out of JSON with errors that name the option.

use std::{borrow::Cow, fmt};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::{Map, Value};

use crate::{JsonKind, SetupError};

/// A whole number from `MIN` to `MAX`. The bounds stand in the type, so that reading a value and the JSON Schema
/// cannot disagree about them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Within<const MIN: u32, const MAX: u32>(u32);

impl<const MIN: u32, const MAX: u32> Within<MIN, MAX> {
    /// For values known when the program is written.
    ///
    /// # Panics
    /// If `value` is out of range: at compile time in a constant.
    pub const fn literal(value: u32) -> Self {
        assert!(MIN <= value && value <= MAX, "out of range");
        Self(value)
    }

    pub const fn get(self) -> u32 {
        self.0
    }
}

impl<const MIN: u32, const MAX: u32> Serialize for Within<MIN, MAX> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(self.0)
    }
}

impl<'de, const MIN: u32, const MAX: u32> Deserialize<'de> for Within<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bounds<const MIN: u32, const MAX: u32>;

        impl<const MIN: u32, const MAX: u32> de::Visitor<'_> for Bounds<MIN, MAX> {
            type Value = Within<MIN, MAX>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a whole number from {MIN} to {MAX}")
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Self::Value, E> {
                u32::try_from(value)
                    .ok()
                    .filter(|value| (MIN..=MAX).contains(value))
                    .map(Within)
                    .ok_or_else(|| E::invalid_value(de::Unexpected::Unsigned(value), &self))
            }
        }

        deserializer.deserialize_u32(Bounds)
    }
}

impl<const MIN: u32, const MAX: u32> JsonSchema for Within<MIN, MAX> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Within{MIN}To{MAX}").into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": MIN, "maximum": MAX })
    }
}

/// Reads an option that has no fixed default: absent is fine, but `null` is of the wrong type.
pub fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// Reads options out of JSON. Every option has a default, so each is tried alone, to name the one that is wrong.
pub fn options_from_json<O: de::DeserializeOwned>(json: &Value) -> Result<O, SetupError> {
    let Value::Object(given) = json else {
        return Err(SetupError::NotAnObject { found: kind(json) });
    };
    for (name, value) in given {
        let alone = Map::from_iter([(name.clone(), value.clone())]);
        O::deserialize(Value::Object(alone)).map_err(|error| wrong(name, &error))?;
    }
    O::deserialize(json).map_err(|error| wrong("", &error))
}

fn wrong(name: &str, error: &serde_json::Error) -> SetupError {
    SetupError::option(name, SetupError::Value { said: error.to_string() })
}

fn kind(json: &Value) -> JsonKind {
    match json {
        Value::Null => JsonKind::Null,
        Value::Bool(_) => JsonKind::Boolean,
        Value::Number(_) => JsonKind::Number,
        Value::String(_) => JsonKind::Text,
        Value::Array(_) => JsonKind::List,
        Value::Object(_) => JsonKind::Object,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[derive(Deserialize, Serialize, JsonSchema, PartialEq, Debug)]
    #[serde(default, deny_unknown_fields)]
    struct Options {
        size: Within<5, 11>,
        #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
        #[schemars(with = "Within<1, 64>")]
        target: Option<Within<1, 64>>,
    }

    impl Default for Options {
        fn default() -> Self {
            Self { size: Within::literal(10), target: None }
        }
    }

    fn why(json: &Value) -> String {
        options_from_json::<Options>(json).unwrap_err().to_string()
    }

    #[test]
    fn what_is_not_given_has_its_default() {
        assert_eq!(options_from_json::<Options>(&json!({})).unwrap(), Options::default());
    }

    #[test]
    fn a_value_out_of_range_is_named_with_its_range() {
        assert_eq!(
            why(&json!({"size": 12})),
            r#"option "size": invalid value: integer `12`, expected a whole number from 5 to 11"#
        );
        assert!(why(&json!({"size": -1})).contains("from 5 to 11"));
        assert!(why(&json!({"size": 10.0})).contains("from 5 to 11"));
        assert!(why(&json!({"size": 1_u64 << 40})).contains("from 5 to 11"));
    }

    #[test]
    fn null_is_of_the_wrong_type() {
        assert!(why(&json!({"target": null})).starts_with(r#"option "target": invalid type: null"#));
        assert!(why(&json!({"size": null})).starts_with(r#"option "size": invalid type: null"#));
        assert_eq!(why(&json!(null)), "options are a JSON object such as {}, not null");
    }

    #[test]
    fn an_unknown_name_is_an_error_that_lists_the_known_ones() {
        assert_eq!(why(&json!({"sise": 5})), r#"option "sise": unknown field `sise`, expected `size` or `target`"#);
    }

    #[test]
    fn the_schema_has_the_same_bounds() {
        let schema = schemars::schema_for!(Options).to_value();
        assert_eq!(
            schema["properties"]["size"],
            json!({"type": "integer", "minimum": 5, "maximum": 11, "default": 10})
        );
        assert_eq!(schema["properties"]["target"], json!({"type": "integer", "minimum": 1, "maximum": 64}));
        assert_eq!(schema["additionalProperties"], json!(false));
    }
}
