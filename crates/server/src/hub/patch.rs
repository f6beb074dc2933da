//! JSON merge patches (RFC 7396): what changed between two values, written as a value.

use serde_json::{Map, Value};

/// The patch that makes `new` out of `old`. Such a patch says "remove" with `null`: a member that is null and one that is
/// missing are the same to it.
pub fn diff(old: &Value, new: &Value) -> Value {
    let (Value::Object(before), Value::Object(after)) = (old, new) else {
        return new.clone();
    };
    let mut patch = Map::new();
    for name in before.keys().filter(|name| !after.contains_key(*name)) {
        patch.insert(name.clone(), Value::Null);
    }
    for (name, value) in after {
        match before.get(name) {
            Some(old) if old == value => {}
            Some(old) => drop(patch.insert(name.clone(), diff(old, value))),
            None => drop(patch.insert(name.clone(), value.clone())),
        }
    }
    Value::Object(patch)
}

/// The value without the members that are null, as merge patches see it. What is in a list is not looked into.
#[cfg(test)]
pub fn without_nulls(value: &Value) -> Value {
    let Value::Object(members) = value else { return value.clone() };
    let present = members.iter().filter(|(_, member)| !member.is_null());
    Value::Object(present.map(|(name, member)| (name.clone(), without_nulls(member))).collect())
}

#[cfg(test)]
pub fn merge(target: &mut Value, patch: &Value) {
    let Value::Object(members) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    let object = target.as_object_mut().expect("it is one now");
    for (name, value) in members {
        if value.is_null() {
            object.remove(name);
        } else {
            merge(object.entry(name.clone()).or_insert(Value::Null), value);
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
    use serde_json::json;

    use super::*;

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
            let patch = diff(&old, &new);
            let mut merged = without_nulls(&old);
            merge(&mut merged, &patch);
            assert_eq!(merged, without_nulls(&new), "{old} {patch}");
        }
    }

    #[test]
    fn a_patch_holds_only_what_changed() {
        let (old, new) = (json!({"a": 1, "b": {"c": 2, "d": [1]}}), json!({"a": 1, "b": {"d": [2]}}));
        assert_eq!(diff(&old, &new), json!({"b": {"c": null, "d": [2]}}));
    }
}
