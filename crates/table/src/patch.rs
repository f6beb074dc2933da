//! JSON merge patches (RFC 7396): what changed between two values, written as a value.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// A patch, which is passed on as it is.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Patch(Box<RawValue>);

/// Raw JSON cannot be read inside of an enum with a tag, such as a message: it is read as a value, and written again.
impl<'de> Deserialize<'de> for Patch {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Self::new(value.to_string()).map_err(serde::de::Error::custom)
    }
}

impl Patch {
    fn new(text: String) -> Result<Self, serde_json::Error> {
        RawValue::from_string(text).map(Self)
    }

    pub fn text(&self) -> &str {
        self.0.get()
    }
}

impl PartialEq for Patch {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

/// The members of an object, each still as text.
type Members<'a> = BTreeMap<String, &'a RawValue>;

/// The patch that makes `new` out of `old`. Such a patch says "remove" with `null`: a member that is null and one that is
/// missing are the same to it.
///
/// Views are large and change little: only what differs is looked into, everything else is compared and copied as text.
pub fn diff(old: &str, new: &str) -> Patch {
    Patch::new(patch(old, new)).expect("it is put together from JSON")
}

fn patch(old: &str, new: &str) -> String {
    let (Some(before), Some(after)) = (members(old), members(new)) else {
        return new.to_owned();
    };
    let gone = before.keys().filter(|name| !after.contains_key(*name)).map(|name| (name, "null".to_owned()));
    let changed = after.iter().filter_map(|(name, value)| match before.get(name) {
        Some(old) if old.get() == value.get() => None,
        Some(old) => Some((name, patch(old.get(), value.get()))),
        None => Some((name, value.get().to_owned())),
    });
    let mut text = "{".to_owned();
    for (name, value) in gone.chain(changed) {
        if text.len() > 1 {
            text.push(',');
        }
        text.push_str(&serde_json::to_string(name).expect("a name is a text"));
        text.push(':');
        text.push_str(&value);
    }
    text.push('}');
    text
}

fn members(text: &str) -> Option<Members<'_>> {
    if text.starts_with('{') { serde_json::from_str(text).ok() } else { None }
}

/// Carries out a patch. Views say null where there is nothing, and members that may be missing may also be null: so a member
/// that is removed is kept as null.
pub fn merge(target: &mut Value, patch: &Value) {
    let Value::Object(members) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    let Value::Object(object) = target else { return };
    for (name, value) in members {
        merge(object.entry(name.clone()).or_insert(Value::Null), value);
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
    use serde_json::json;

    use super::*;

    /// The value without the members that are null, as merge patches see it. What is in a list is not looked into.
    fn without_nulls(value: &Value) -> Value {
        let Value::Object(members) = value else { return value.clone() };
        let present = members.iter().filter(|(_, member)| !member.is_null());
        Value::Object(present.map(|(name, member)| (name.clone(), without_nulls(member))).collect())
    }

    fn random(depth: u32, rng: &mut impl Rng) -> Value {
        match rng.random_range(0..if depth == 0 { 3 } else { 6 }) {
            0 => json!(rng.random_range(0..3)),
            1 => Value::Null,
            2 => json!([null, rng.random_range(0..3), {"a": null}]),
            _ => {
                let names = ["a", "b", "c", "d"].into_iter().filter(|_| rng.random_range(0..2) == 0);
                let names: Vec<&str> = names.collect();
                Value::Object(names.into_iter().map(|name| (name.to_owned(), random(depth - 1, rng))).collect())
            }
        }
    }

    #[test]
    fn a_patch_makes_the_new_value_out_of_the_old_one() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        for _ in 0..20_000 {
            let (old, new) = (random(3, &mut rng), random(3, &mut rng));
            let patch: Value = serde_json::from_str(diff(&old.to_string(), &new.to_string()).text()).unwrap();
            let mut merged = without_nulls(&old);
            merge(&mut merged, &patch);
            assert_eq!(without_nulls(&merged), without_nulls(&new), "{old} {patch}");
        }
    }

    #[test]
    fn a_patch_holds_only_what_changed() {
        let (old, new) = (json!({"a": 1, "b": {"c": 2, "d": [1]}}), json!({"a": 1, "b": {"d": [2]}}));
        let patch = diff(&old.to_string(), &new.to_string());
        assert_eq!(patch.text(), r#"{"b":{"c":null,"d":[2]}}"#);
    }
}
