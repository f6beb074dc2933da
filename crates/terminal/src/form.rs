//! The options of a game as a form: fields from a JSON Schema, so that there is a form for every game, also for one that
//! nobody has written yet.
//!
//! Whatever has an unusual shape is typed as JSON. What the options mean, and which of them go together, the game decides
//! when it is started with them.

use serde_json::{Map, Value};

/// How many references lead from one schema to the next at most, so that one that leads to itself ends.
const DEEPEST: usize = 8;

/// The options of a game.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Form {
    pub fields: Vec<Field>,
}

/// One option.
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    /// What it is called in the options.
    pub name: String,
    pub about: String,
    pub kind: Kind,
    /// What holds if nothing is given; `None` where the schema does not tell.
    pub usual: Option<Value>,
    given: Option<Value>,
}

/// How an option is changed.
#[derive(Clone, PartialEq, Debug)]
pub enum Kind {
    Switch,
    Number {
        least: Option<i64>,
        most: Option<i64>,
    },
    Choice(Vec<Choice>),
    Text,
    /// Lists, decks and whatever else there may be.
    Json,
}

/// One of several values of an option.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    pub value: Value,
    pub about: String,
}

impl Form {
    pub fn of(schema: &Value) -> Self {
        let properties = schema.get("properties").and_then(Value::as_object);
        let field = |(name, property): (&String, &Value)| Field::of(name, &resolved(property, schema));
        Self { fields: properties.into_iter().flatten().map(field).collect() }
    }

    /// The options that differ from the usual ones.
    pub fn options(&self) -> Value {
        let given = |field: &Field| Some((field.name.clone(), field.given.clone()?));
        Value::Object(self.fields.iter().filter_map(given).collect())
    }
}

impl Field {
    fn of(name: &str, schema: &Map<String, Value>) -> Self {
        Self {
            name: name.to_owned(),
            about: description(schema),
            kind: Kind::of(schema),
            usual: schema.get("default").cloned(),
            given: None,
        }
    }

    /// The name for people.
    pub fn title(&self) -> String {
        self.name.replace('_', " ")
    }

    /// What holds now, if the schema tells.
    pub fn value(&self) -> Option<&Value> {
        self.given.as_ref().or(self.usual.as_ref())
    }

    /// Whether it differs from what is usual.
    pub fn is_changed(&self) -> bool {
        self.given.is_some()
    }

    /// Whether it is typed, not only turned.
    pub fn is_typed(&self) -> bool {
        matches!(self.kind, Kind::Number { .. } | Kind::Text | Kind::Json)
    }

    /// What holds now, in words.
    pub fn shown(&self) -> String {
        self.value().map_or_else(|| "as usual".to_owned(), in_words)
    }

    /// What holds now, as it is typed.
    pub fn written(&self) -> String {
        match self.value() {
            None => String::new(),
            Some(Value::String(text)) if self.kind == Kind::Text => text.clone(),
            Some(value) => value.to_string(),
        }
    }

    /// The next value, or with a negative step the one before. Says whether there is one.
    pub fn turn(&mut self, step: i64) -> bool {
        let next = match &self.kind {
            Kind::Switch => Some(Value::Bool(!self.value().and_then(Value::as_bool).unwrap_or(false))),
            Kind::Number { least, most } => {
                let now = self.value().and_then(Value::as_i64);
                match (now, least) {
                    // Below the least number lies what is usual, where that is no number.
                    (Some(now), Some(least)) if self.usual.is_none() && now + step < *least => None,
                    (None, _) if step < 0 => None,
                    (None, least) => Some(Value::from(least.unwrap_or(0))),
                    (Some(now), least) => {
                        let next =
                            now.saturating_add(step).min(most.unwrap_or(i64::MAX)).max(least.unwrap_or(i64::MIN));
                        Some(Value::from(next))
                    }
                }
            }
            Kind::Choice(choices) => {
                let now = choices.iter().position(|choice| Some(&choice.value) == self.value());
                let count = choices.len() as i64;
                let next = now.map_or(0, |now| (now as i64 + step).rem_euclid(count.max(1)));
                choices.get(next as usize).map(|choice| choice.value.clone())
            }
            Kind::Text | Kind::Json => return false,
        };
        self.give(next);
        true
    }

    /// Takes what was typed; nothing stands for what is usual. Only its form is looked at here, the game does the rest.
    pub fn type_in(&mut self, text: &str) -> Result<(), String> {
        let text = text.trim();
        if text.is_empty() {
            self.give(None);
            return Ok(());
        }
        let value = match &self.kind {
            Kind::Number { .. } => {
                let number: i64 = text.parse().map_err(|_| format!("{text:?} is not a whole number."))?;
                Value::from(number)
            }
            Kind::Text => Value::from(text),
            Kind::Switch | Kind::Choice(_) | Kind::Json => {
                serde_json::from_str(text).map_err(|error| format!("This is not JSON: {error}."))?
            }
        };
        self.give(Some(value));
        Ok(())
    }

    fn give(&mut self, value: Option<Value>) {
        self.given = value.filter(|value| Some(value) != self.usual.as_ref());
    }
}

impl Kind {
    fn of(schema: &Map<String, Value>) -> Self {
        if let Some(choices) = choices(schema) {
            return Self::Choice(choices);
        }
        let bound = |name: &str| schema.get(name).and_then(Value::as_i64);
        match schema.get("type").and_then(Value::as_str) {
            Some("boolean") => Self::Switch,
            Some("integer") => Self::Number { least: bound("minimum"), most: bound("maximum") },
            Some("string") => Self::Text,
            _ => Self::Json,
        }
    }
}

/// The values of an enumeration, each with its description if it has one.
fn choices(schema: &Map<String, Value>) -> Option<Vec<Choice>> {
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return Some(values.iter().map(|value| Choice { value: value.clone(), about: String::new() }).collect());
    }
    let each = schema.get("oneOf").and_then(Value::as_array)?;
    let one = |schema: &Value| {
        let schema = schema.as_object()?;
        Some(Choice { value: schema.get("const")?.clone(), about: description(schema) })
    };
    each.iter().map(one).collect()
}

fn description(schema: &Map<String, Value>) -> String {
    schema.get("description").and_then(Value::as_str).unwrap_or_default().replace('\n', " ")
}

/// The schema behind references; what stands outside counts more than what is inside.
fn resolved(property: &Value, root: &Value) -> Map<String, Value> {
    let mut all = Map::new();
    let mut next = property.as_object();
    for _ in 0..DEEPEST {
        let Some(schema) = next else { break };
        for (name, value) in schema {
            all.entry(name).or_insert_with(|| value.clone());
        }
        let reference = schema.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix('#'));
        next = reference.and_then(|pointer| root.pointer(pointer)).and_then(Value::as_object);
    }
    all
}

fn in_words(value: &Value) -> String {
    match value {
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(in_words).collect::<Vec<_>>().join(" "),
        Value::Object(parts) => {
            parts.iter().map(|(name, value)| format!("{name} {}", in_words(value))).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use quincunx_core::{GameKind, find};
    use quincunx_games::GAMES;
    use serde_json::json;

    use super::*;

    fn field<'a>(form: &'a mut Form, name: &str) -> &'a mut Field {
        form.fields.iter_mut().find(|field| field.name == name).unwrap()
    }

    fn form(game: &str) -> Form {
        Form::of(&find(GAMES, game).unwrap().options_schema())
    }

    /// Whether a game begins with these options, with the largest number of seats.
    fn begins(kind: &dyn GameKind, form: &Form) -> Result<(), String> {
        let seats = kind.seats().last().map(|&seats| u64::from(seats));
        kind.start(seats, &form.options()).map(drop).map_err(|error| error.to_string())
    }

    #[test]
    fn every_option_of_every_game_can_be_changed() {
        let typed = json!({
            "layout": "rrrrryyyyygggggbbbbbnnnnn",
            "deck": {"cc": 20, "ra": 20},
            "counters": {"O": 5, "C": 1, "B": 1, "R": 1, "K": 1, "S": 1},
            "heights": [2, 3, 2, 5, 1],
            "roofs": [1, 2, 3, 4, 5],
            "rows": [1, 2, 3, 4, 5],
        });
        for kind in GAMES {
            let fresh = Form::of(&kind.options_schema());
            assert!(!fresh.fields.is_empty(), "{}", kind.id());
            for number in 0..fresh.fields.len() {
                let mut form = fresh.clone();
                let field = &mut form.fields[number];
                assert!(!field.about.is_empty(), "{} {}", kind.id(), field.name);
                if !field.turn(1) {
                    let text = match &typed[&field.name] {
                        Value::String(text) => text.clone(),
                        value => value.to_string(),
                    };
                    field.type_in(&text).unwrap();
                }
                assert!(field.is_changed(), "{} {}", kind.id(), field.name);
                let (name, value) = (field.name.clone(), field.value().cloned());
                assert_eq!(form.options().get(&name), value.as_ref());
                assert_eq!(begins(*kind, &form), Ok(()), "{} {name}", kind.id());
                form.fields[number].type_in(" ").unwrap();
                assert_eq!(form, fresh, "{} {name}: nothing typed is what is usual", kind.id());
            }
        }
    }

    #[test]
    fn what_is_shown_can_be_typed_again() {
        for kind in GAMES {
            for mut field in Form::of(&kind.options_schema()).fields {
                let before = field.clone();
                field.type_in(&field.written()).unwrap();
                assert_eq!(field, before);
            }
        }
    }

    #[test]
    fn a_number_stays_between_its_bounds() {
        let mut form = form("trexo");
        let size = field(&mut form, "size");
        assert!(size.turn(100));
        assert_eq!(size.shown(), "11");
        size.turn(-100);
        assert_eq!(size.shown(), "5");
        size.turn(5);
        assert!(!size.is_changed(), "10 is what is usual");
    }

    #[test]
    fn an_option_without_a_usual_number_can_be_as_usual_again() {
        let mut form = form("mod-x");
        let target = field(&mut form, "target");
        assert_eq!(target.shown(), "as usual");
        target.turn(1);
        assert_eq!(target.shown(), "1");
        target.turn(-1);
        assert_eq!((target.shown().as_str(), target.is_changed()), ("as usual", false));
        target.turn(-1);
        assert_eq!(target.shown(), "as usual");
    }

    #[test]
    fn choices_go_round() {
        let mut form = form("figures");
        let zigzag = field(&mut form, "zigzag");
        assert!(matches!(&zigzag.kind, Kind::Choice(choices) if choices.iter().all(|choice| !choice.about.is_empty())));
        zigzag.turn(-1);
        assert_eq!(zigzag.shown(), "staircase");
        zigzag.turn(-1);
        assert_eq!(zigzag.shown(), "alternating");
    }

    #[test]
    fn what_cannot_be_read_changes_nothing() {
        let mut form = form("castle-builders");
        let heights = field(&mut form, "heights");
        heights.type_in("[1, 2").unwrap_err();
        assert!(!heights.is_changed());
        assert_eq!(heights.shown(), "3 4 5 5 4");
        let mut form = self::form("trexo");
        assert!(field(&mut form, "tiles").type_in("many").unwrap_err().contains("whole number"));
    }

    #[test]
    fn a_schema_that_leads_to_itself_ends() {
        let schema = json!({
            "properties": {"a": {"$ref": "#/$defs/A"}, "b": 5, "c": {"enum": [1, 2]}, "d": {"oneOf": [{"type": "null"}]}},
            "$defs": {"A": {"$ref": "#/$defs/A", "type": "boolean"}},
        });
        let kinds: Vec<Kind> = Form::of(&schema).fields.into_iter().map(|field| field.kind).collect();
        let choice = |value: i64| Choice { value: value.into(), about: String::new() };
        assert_eq!(kinds, [Kind::Switch, Kind::Json, Kind::Choice(vec![choice(1), choice(2)]), Kind::Json]);
        assert!(Form::of(&json!("none")).fields.is_empty());
    }
}
