//! JSON merge patches (RFC 7396): what changed between two values, written as a value.

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

/// The patch that makes `new` out of `old`, both as `serde_json` writes them: without white space. Such a patch says "remove" with
/// `null`: a member that is null and one that is missing are the same to it.
///
/// Views are large and change little: nothing is parsed, members are compared and copied as text, and only what differs is
/// looked into.
pub fn diff(old: &str, new: &str) -> Patch {
    let mut text = String::new();
    write_patch(old, new, &mut text);
    Patch::new(text).expect("it is put together from JSON")
}

fn write_patch(old: &str, new: &str, text: &mut String) {
    if !old.starts_with('{') || !new.starts_with('{') {
        text.push_str(new);
        return;
    }
    let before: Vec<Member<'_>> = Members::of(old).collect();
    let mut kept = vec![false; before.len()];
    let mut changed: Vec<(Member<'_>, Option<&str>)> = Vec::new();
    // Two views list their members in the same order, but for those that come and go.
    let mut next = 0;
    for member in Members::of(new) {
        let same = |place: &usize| before[*place].name == member.name;
        let place = (next..before.len()).find(same).or_else(|| (0..next).find(same));
        let was = place.map(|place| before[place].value);
        if let Some(place) = place {
            kept[place] = true;
            next = place + 1;
        }
        if was != Some(member.value) {
            changed.push((member, was));
        }
    }
    let mut separator = '{';
    let mut name = |name: &str, text: &mut String| {
        text.push(separator);
        text.push_str(name);
        text.push(':');
        separator = ',';
    };
    for (gone, _) in before.iter().zip(&kept).filter(|(_, kept)| !**kept) {
        name(gone.name, text);
        text.push_str("null");
    }
    for (member, was) in changed {
        name(member.name, text);
        match was {
            Some(was) => write_patch(was, member.value, text),
            None => text.push_str(member.value),
        }
    }
    if separator == '{' {
        text.push('{');
    }
    text.push('}');
}

/// A member of an object: its name, with the quotes, and its value.
#[derive(Clone, Copy)]
struct Member<'a> {
    name: &'a str,
    value: &'a str,
}

/// The members of an object that is written without white space.
struct Members<'a> {
    /// What follows the last member that was read, from its separator on.
    rest: &'a str,
}

impl<'a> Members<'a> {
    fn of(object: &'a str) -> Self {
        Self { rest: object }
    }
}

impl<'a> Iterator for Members<'a> {
    type Item = Member<'a>;

    fn next(&mut self) -> Option<Member<'a>> {
        // Each member comes behind a brace or a comma, and behind the last one there is only the other brace.
        let text = self.rest.get(1..).filter(|text| text.starts_with('"'))?;
        let (name, rest) = text.split_at(string_end(text.as_bytes(), 0));
        let rest = rest.get(1..)?;
        let (value, rest) = rest.split_at(value_end(rest.as_bytes()));
        self.rest = rest;
        Some(Member { name, value })
    }
}

/// Where the string ends that begins at a place.
fn string_end(text: &[u8], from: usize) -> usize {
    let mut at = from + 1;
    while at < text.len() {
        match text[at] {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    text.len()
}

/// Where the value ends that a text begins with.
fn value_end(text: &[u8]) -> usize {
    let (mut at, mut depth) = (0, 0);
    while at < text.len() {
        match text[at] {
            b'"' => {
                at = string_end(text, at);
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' | b',' if depth == 0 => return at,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    text.len()
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
        match rng.random_range(0..if depth == 0 { 4 } else { 7 }) {
            0 => json!(rng.random_range(0..3)),
            3 => json!(["a,b", "}", "\\", "\"", "\\\"{", "ä"][rng.random_range(0..6)]),
            1 => Value::Null,
            2 => json!([null, rng.random_range(0..3), {"a": null}]),
            _ => {
                let names = ["a", "b", "c\":{", "d\\"].into_iter().filter(|_| rng.random_range(0..2) == 0);
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
