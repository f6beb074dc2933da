//! One action of a game and who made it: in logs, in records, in what an engine expects, and on every wire.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Actor, Seat};

/// An action and who makes it. In JSON `{"seat":0,"action":"e5f5"}`; an action without a seat is chance's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[schemars(rename = "Step")]
#[serde(deny_unknown_fields)]
pub struct Step<A = String> {
    #[serde(rename = "seat", default = "chance", with = "seat", skip_serializing_if = "Actor::is_chance")]
    #[schemars(with = "Seat")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<u8>, nullable = false))]
    pub by: Actor,
    pub action: A,
}

fn chance() -> Actor {
    Actor::Chance
}

/// The member `seat`: a number where it is there, so that `null` is refused.
mod seat {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::{Actor, Seat};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "asked for by serde")]
    pub(super) fn serialize<S: Serializer>(by: &Actor, serializer: S) -> Result<S::Ok, S::Error> {
        by.seat().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Actor, D::Error> {
        Seat::deserialize(deserializer).map(Actor::Seat)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_step_has_one_form_in_json() {
        let by_seat = Step { by: Actor::Seat(Seat::new(2)), action: "e5f5".to_owned() };
        let by_chance = Step { by: Actor::Chance, action: "+O".to_owned() };
        for (step, json) in [(by_seat, json!({"seat": 2, "action": "e5f5"})), (by_chance, json!({"action": "+O"}))] {
            assert_eq!(json!(step), json);
            assert_eq!(serde_json::from_value::<Step>(json).unwrap(), step);
        }
        for wrong in [
            json!({"seat": null, "action": "+O"}),
            json!({"seat": 4, "action": "e5f5"}),
            json!({"seat": -1, "action": "e5f5"}),
            json!({"seat": 0}),
            json!({"seat": 0, "action": "e5f5", "weight": 1}),
        ] {
            assert!(serde_json::from_value::<Step>(wrong.clone()).is_err(), "{wrong}");
        }
    }
}
