//! `quincunx serve` and `quincunx admin` as those who host call them.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use quincunx_client::Client;
use reqwest::Method;
use serde_json::Value;
use tempfile::TempDir;

/// A call in a folder of its own, with nothing in the environment that is a setting.
fn quincunx(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quincunx"));
    command.args(arguments).current_dir(folder);
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("QUINCUNX_")) {
        command.env_remove(name);
    }
    command
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn good(folder: &Path, arguments: &[&str]) -> String {
    let output = quincunx(folder, arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output));
    text(&output)
}

fn bad(folder: &Path, arguments: &[&str]) -> String {
    let output = quincunx(folder, arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", text(&output));
    text(&output)
}

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// A running server, ended with the test.
struct Server(Child);

impl Server {
    /// Starts one, and waits until it says where it is.
    fn start(folder: &Path, arguments: &[&str]) -> (Self, impl Iterator<Item = String> + use<>) {
        let mut command = quincunx(folder, arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let first = BufReader::new(child.stdout.take().unwrap()).lines().next().unwrap().unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
        let server = Self(child);
        assert!(first.contains("Quincunx is at http://127.0.0.1:"), "{first}");
        (server, lines)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn show_config_tells_every_setting_with_its_source_and_no_password() {
    let folder = folder();
    fs::write(folder.path().join("quincunx.toml"), "limit-body = 2048\nthinkers = 7\n").unwrap();
    let output = quincunx(folder.path(), &["serve", "--show-config", "--thinkers", "3"])
        .env("QUINCUNX_DATABASE", "postgres://ada:hush@db/q")
        .env("QUINCUNX_CLUSTER_SECRET", "hush and hush again")
        .output()
        .unwrap();
    let shown = text(&output);
    let line = |key: &str| {
        let line = shown.lines().find(|line| line.split_whitespace().next() == Some(key)).expect(key);
        line.split_whitespace().skip(1).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(line("thinkers"), "3 flag --thinkers");
    assert_eq!(line("database"), "postgres://(hidden)@db/q environment QUINCUNX_DATABASE");
    assert_eq!(line("limit-body"), "2048 file quincunx.toml");
    assert_eq!(line("limit-message"), "16384 default");
    assert_eq!(line("cluster-secret"), "(hidden) environment QUINCUNX_CLUSTER_SECRET");
    assert!(!shown.contains("hush"), "{shown}");
    let from = shown.lines().next().unwrap().find("from").unwrap();
    assert!(shown.lines().all(|line| line.as_bytes()[from - 1] == b' ' && line.as_bytes()[from] != b' '), "{shown}");
}

#[test]
fn a_wrong_setting_is_refused_before_anything_happens() {
    let folder = folder();
    fs::write(folder.path().join("mine.toml"), "\nlisen = 5105\n").unwrap();
    let refusal = bad(folder.path(), &["serve", "--config", "mine.toml"]);
    assert!(refusal.contains("mine.toml: line 2: there is no setting \"lisen\""), "{refusal}");
    let refusal = bad(folder.path(), &["serve", "--listen", "everywhere"]);
    assert!(refusal.contains("--listen must be an address with a port"), "{refusal}");
    assert!(!folder.path().join("quincunx-data").exists());
}

#[test]
fn a_server_ends_in_order_when_it_is_told_to() {
    let folder = folder();
    for signal in ["-TERM", "-INT"] {
        let (mut server, lines) = Server::start(folder.path(), &["serve", "--listen", "127.0.0.1:0"]);
        let sent = Command::new("kill").args([signal, &server.0.id().to_string()]).status().unwrap();
        assert!(sent.success());
        assert_eq!(server.0.wait().unwrap().code(), Some(0), "{signal}");
        assert!(lines.collect::<Vec<_>>().join("\n").contains("the server ends what it has begun"));
        assert!(folder.path().join("quincunx-data/quincunx.db").exists());
    }
}

#[tokio::test]
async fn a_server_shows_browsers_the_client_inside_the_program() {
    let folder = folder();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let address = format!("127.0.0.1:{port}");
    let (_server, _lines) = Server::start(folder.path(), &["serve", "--memory", "--listen", &address]);
    let (_, page) = quincunx_web::files().find(|(name, _)| name == "index.html").unwrap();
    let client = Client::new(&format!("http://{address}")).unwrap();
    for path in ["/", "/play/trexo"] {
        let shown = client.request(Method::GET, path).send().await.unwrap();
        assert_eq!(shown.headers()["content-type"], "text/html; charset=utf-8", "{path}");
        assert_eq!(shown.bytes().await.unwrap(), *page, "{path}");
    }
}

#[test]
fn a_log_can_be_json() {
    let folder = folder();
    let arguments = ["serve", "--memory", "--listen", "127.0.0.1:0", "--log-format", "json"];
    let (server, lines) = Server::start(folder.path(), &arguments);
    assert!(Command::new("kill").args(["-TERM", &server.0.id().to_string()]).status().unwrap().success());
    let lines: Vec<Value> = lines.map(|line| serde_json::from_str(&line).unwrap()).collect();
    assert!(lines.iter().all(|line| line["level"] == "INFO"), "{lines:?}");
    let end = "the server ends what it has begun";
    assert!(lines.iter().any(|line| line["message"].as_str().unwrap().starts_with(end)), "{lines:?}");
    assert!(!folder.path().join("quincunx-data").exists());
}

#[test]
fn games_are_imported_listed_exported_and_backed_up_while_a_server_runs() {
    let folder = folder();
    let data = folder.path();
    let (_server, _lines) = Server::start(data, &["serve", "--listen", "127.0.0.1:0"]);
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let records = fs::read_dir(examples)
        .unwrap()
        .filter(|file| file.as_ref().unwrap().path().extension().is_some_and(|end| end == "txt"));
    let count = records.count();
    assert!(good(data, &["admin", "import", examples]).contains(&format!("{count} games are new")));
    assert!(good(data, &["admin", "import", examples]).contains(&format!("{count} were there already")));
    let listed = good(data, &["admin", "list", "tables", "--game", "trexo", "--status", "finished"]);
    assert!(listed.contains("record-") && listed.ends_with("1 in all\n"), "{listed}");
    let json = good(data, &["admin", "list", "tables", "--json", "--limit", "3"]);
    assert!(json.lines().all(|line| serde_json::from_str::<Value>(line).unwrap()["status"] == "finished"));
    assert_eq!(json.lines().count(), 3);
    assert_eq!(good(data, &["admin", "check-ratings"]), "All ratings follow from the logs of 0 games.\n");
    let exported = good(data, &["admin", "export", "games"]);
    assert!(exported.contains(&format!("{count} records are in games")), "{exported}");
    for file in fs::read_dir(data.join("games")).unwrap() {
        good(data, &["check", file.unwrap().path().to_str().unwrap()]);
    }
    good(data, &["admin", "export", "--logs", "all.jsonl"]);
    fs::create_dir(data.join("copy")).unwrap();
    good(data, &["admin", "backup", "copy/quincunx.db"]);
    assert_eq!(good(data, &["admin", "list", "tables", "--data", "copy"]).lines().count(), count + 2);
    fs::create_dir(data.join("moved")).unwrap();
    good(data, &["admin", "--data", "moved", "import", "--logs", "all.jsonl"]);
    good(data, &["admin", "--data", "moved", "export", "--logs", "again.jsonl"]);
    assert_eq!(fs::read(data.join("all.jsonl")).unwrap(), fs::read(data.join("again.jsonl")).unwrap());
    assert!(bad(data, &["admin", "--data", "moved", "import", "--logs", "all.jsonl"]).contains("not empty"));

    fs::write(data.join("broken.txt"), "Game: trexo\nSeats: 2\n\n0: z99\n").unwrap();
    let refused = bad(data, &["admin", "import", "broken.txt"]);
    assert!(refused.contains("broken.txt: line 4: "), "{refused}");
    assert!(bad(data, &["admin", "--data", "nowhere", "list", "users"]).contains("there is no such folder"));
}

/// Users by way of the file of everything, as nobody can register here.
const PEOPLE: &str = r#"{"format":"quincunx logs","version":1,"secrets":true}
{"row":"counter","name":"sessions","value":1}
{"row":"counter","name":"users","value":2}
{"row":"user","id":1,"name":"Ada","name_key":"ada","kind":"account","owner":null,"password":"$argon2id$old","created":1700000000000,"banned":null}
{"row":"user","id":2,"name":"Zoë","name_key":"zoë","kind":"guest","owner":null,"password":null,"created":1700000000000,"banned":null}
{"row":"session","hash":"00","id":1,"user_id":1,"created":1700000000000,"label":"phone"}
{"row":"end","lines":5}
"#;

#[test]
fn people_are_banned_deleted_and_given_new_passwords() {
    let folder = folder();
    let data = folder.path();
    fs::create_dir(data.join("quincunx-data")).unwrap();
    fs::write(data.join("people.jsonl"), PEOPLE).unwrap();
    good(data, &["admin", "import", "--logs", "people.jsonl"]);
    let listed = good(data, &["admin", "list", "users"]);
    assert!(listed.contains("2       Zoë   guest    2023-11-14"), "{listed}");

    good(data, &["admin", "ban", "zoë", "--for", "3"]);
    assert!(good(data, &["admin", "list", "users", "--banned"]).contains("banned until 20"));
    good(data, &["admin", "ban", "Ada"]);
    let banned = good(data, &["admin", "list", "users", "--banned", "--kind", "account", "--json"]);
    assert_eq!(serde_json::from_str::<Value>(&banned).unwrap()["name"], "Ada");
    assert!(!banned.contains("argon2"), "{banned}");
    good(data, &["admin", "unban", "ADA"]);
    assert!(good(data, &["admin", "list", "users", "a", "--banned"]).ends_with("0 in all\n"));

    let reset = good(data, &["admin", "reset-password", "Ada"]);
    let password = reset.lines().next().unwrap().rsplit(' ').next().unwrap();
    assert_eq!(password.len(), 23, "{reset}");
    good(data, &["admin", "export", "--logs", "--with-secrets", "after.jsonl"]);
    let after = fs::read_to_string(data.join("after.jsonl")).unwrap();
    assert!(!after.contains("$argon2id$old") && !after.contains(password) && !after.contains("\"row\":\"session\""));
    assert!(bad(data, &["admin", "reset-password", "Zoë"]).contains("Zoë is a guest and has no password"));

    good(data, &["admin", "mute", "zoë", "--for", "2", "--why", "shouts"]);
    good(data, &["admin", "unmute", "zoë"]);
    good(data, &["admin", "rename", "zoë", "Quiet Guest"]);
    assert!(bad(data, &["admin", "rename", "Quiet Guest", "ada"]).contains("this name is taken"));
    assert!(bad(data, &["admin", "rename", "Quiet Guest", "Admin 1"]).contains("reserved"));
    assert!(good(data, &["admin", "role", "Ada", "moderator"]).contains("a moderator"));
    assert!(bad(data, &["admin", "role", "Quiet Guest", "moderator"]).contains("moderators have accounts"));
    assert!(bad(data, &["admin", "annul", "nowhere"]).contains("there is no such table"));
    assert!(bad(data, &["admin", "close-report", "1"]).contains("there is no open report 1"));
    assert!(good(data, &["admin", "list", "reports"]).ends_with("0 in all\n"));
    let deeds = good(data, &["admin", "list", "deeds"]);
    for line in ["(operator)  mute    Quiet Guest", "2 h: shouts", "(operator)  ban     Ada", "for good"] {
        assert!(deeds.contains(line), "{line} is not in\n{deeds}");
    }

    good(data, &["admin", "delete-user", "Ada"]);
    assert!(bad(data, &["admin", "ban", "Ada"]).contains("there is no user \"Ada\""));
}
