//! Scripts of table behaviour: the same requests get the same messages from a host in process, from a server and from the
//! module in a browser. Each script is a file in `crates/table/suite`: who says what, and what each person hears then.
//!
//! What is by chance or by the clock is left out of the comparison: ids of tables and people, invitations, moments. So are
//! greetings, lists, and who is present, which come when they come.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// One script.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Script {
    pub about: String,
    pub people: Vec<String>,
    pub steps: Vec<Step>,
}

/// Something that somebody says, and what each person hears before the next step.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Step {
    /// The place of the person in the list.
    pub by: usize,
    /// A request without its id. `$1` stands for the first table that was set up, `$2` for the next one.
    pub request: Value,
    #[serde(default)]
    pub heard: Vec<Vec<Value>>,
}

impl Script {
    /// All scripts, each with its file.
    pub fn all() -> Vec<(PathBuf, Self)> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../table/suite");
        let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
        files.sort();
        let read = |path: PathBuf| {
            let text = fs::read_to_string(&path).unwrap();
            let script = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            (path, script)
        };
        files.into_iter().map(read).collect()
    }

    /// The text of its file: a line for each step.
    #[allow(dead_code, reason = "scripts are written by one of the tests that play them")]
    pub fn to_text(&self) -> String {
        let steps: Vec<String> = self.steps.iter().map(|step| json!(step).to_string()).collect();
        let (about, people) = (json!(self.about), json!(self.people));
        format!("{{\"about\": {about},\n\"people\": {people},\n\"steps\": [\n{}\n]}}\n", steps.join(",\n"))
    }
}

/// Whether a message is compared.
pub fn is_compared(message: &Value) -> bool {
    !matches!(message["type"].as_str(), Some("welcome" | "present" | "listed" | "closing"))
}

/// What stands for what while a script is played.
#[derive(Debug, Default)]
pub struct Names {
    tables: Vec<String>,
    people: BTreeMap<i64, usize>,
}

impl Names {
    /// Notes who a person is, as the greeting tells it.
    pub fn note_person(&mut self, place: usize, welcome: &Value) {
        self.people.insert(welcome["user"]["id"].as_i64().expect("somebody known"), place);
    }

    /// The request of a step as it is sent.
    pub fn request(&self, number: usize, request: &Value) -> Value {
        let mut text = request.to_string();
        for (place, table) in self.tables.iter().enumerate() {
            text = text.replace(&format!("${}", place + 1), table);
        }
        let mut request: Value = serde_json::from_str(&text).unwrap();
        request["id"] = json!(format!("step-{number}"));
        request
    }

    /// Notes the table that an answer names, before the messages that came with it are compared.
    pub fn note_table(&mut self, message: &Value) {
        if message["type"] == "done"
            && let Some(table) = message["table"].as_str()
            && !self.tables.iter().any(|known| known == table)
        {
            self.tables.push(table.to_owned());
        }
    }

    /// A message as it is compared.
    pub fn heard(&self, message: &Value) -> Value {
        let mut message = message.clone();
        self.blank(&mut message, "");
        message
    }

    fn blank(&self, value: &mut Value, name: &str) {
        match value {
            Value::Array(items) if name == "running" => *items = vec![items[0].clone(), json!("since")],
            Value::Array(items) if name == "left" => items.iter_mut().for_each(|left| *left = json!("left")),
            Value::Array(items) => items.iter_mut().for_each(|item| self.blank(item, "")),
            Value::Object(members) => members.iter_mut().for_each(|(name, member)| self.blank(member, name)),
            Value::String(text) if name == "invitation" => "key".clone_into(text),
            Value::String(text) => {
                if let Some(place) = self.tables.iter().position(|table| table == text) {
                    *text = format!("${}", place + 1);
                }
            }
            Value::Number(_) if name == "at" => *value = json!("at"),
            Value::Number(number) if matches!(name, "user" | "host") => {
                if let Some(place) = number.as_i64().and_then(|id| self.people.get(&id)) {
                    *value = json!(format!("person {place}"));
                }
            }
            _ => {}
        }
    }
}
