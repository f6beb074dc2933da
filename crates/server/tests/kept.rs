//! What a server keeps about people: who can read the files, what is left of the deleted, and what everybody can have.

mod support {
    #[allow(dead_code, reason = "others use the rest")]
    pub mod server;
}

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use quincunx_client::Client;
use quincunx_games::GAMES;
use quincunx_server::config::{Config, Storage};
use quincunx_server::store::Store;
use quincunx_server::transfer::{export_logs, export_records};
use quincunx_table::{State, TableId};
use reqwest::Method;
use serde_json::{Value, json};
use support::server::{TestServer, config, play_out};

const PASSWORD: &str = "correct horse battery";

/// Starts a server that keeps everything in a folder.
async fn serve(folder: &Path) -> TestServer {
    TestServer::with(Config { storage: Storage::Folder(folder.to_owned()), ..config() }).await
}

/// All files below a folder that somebody else could read, and folders that somebody else could look into.
fn readable_by_others(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(path) = waiting.pop() {
        let meta = fs::symlink_metadata(&path).expect("it is there");
        let mode = meta.permissions().mode() & 0o777;
        if mode & 0o077 != 0 {
            found.push(format!("{} {mode:o}", path.display()));
        }
        if meta.is_dir() {
            waiting.extend(fs::read_dir(&path).expect("a folder").map(|file| file.expect("a file").path()));
        }
    }
    found
}

async fn order(who: &Client, table: &Value, command: Value) {
    let path = format!("/api/tables/{}/commands", table.as_str().expect("an id"));
    who.post(&path, &json!({"command": command})).await.expect("done");
}

fn open() -> Value {
    json!({"setup": {"game": "trexo", "seats": [{"kind": "open"}, {"kind": "open"}]}})
}

#[tokio::test]
async fn nobody_else_on_the_machine_reads_the_data_whatever_the_umask() {
    let above = tempfile::tempdir().expect("a temporary folder");
    let folder = above.path().join("data");
    let server = serve(&folder).await;
    let ada = server.guest().await;
    ada.post("/api/tables", &open()).await.expect("a table");
    assert!(folder.join("quincunx.db-wal").exists(), "SQLite writes beside its file");
    assert_eq!(readable_by_others(&folder), Vec::<String>::new());
    assert_eq!(fs::metadata(folder.join("quincunx.db")).expect("the database").permissions().mode() & 0o777, 0o600);
    server.stop().await;

    // What an older version has left open is closed.
    fs::set_permissions(folder.join("quincunx.db"), fs::Permissions::from_mode(0o644)).expect("a mode");
    let store = Store::sqlite(folder.join("quincunx.db")).await.expect("SQLite opens");
    assert_eq!(readable_by_others(&folder), Vec::<String>::new());

    let out = above.path().join("out");
    fs::create_dir(&out).expect("a folder");
    fs::set_permissions(&out, fs::Permissions::from_mode(0o700)).expect("a mode");
    store.backup(out.join("backup.db")).await.expect("a backup");
    export_logs(&store, &out.join("all.jsonl"), true, &mut |_| ()).await.expect("an export");
    store.close().await;
    let server = serve(&folder).await;
    let (ada, bob) = (server.guest().await, server.guest().await);
    let table = ada.post("/api/tables", &open()).await.expect("a table")["table"].clone();
    play_out(&table, &[ada, bob], 3).await;
    server.stop().await;
    let store = Store::sqlite(folder.join("quincunx.db")).await.expect("SQLite opens");
    export_records(&store, &out.join("games"), 0, &mut |_, _| ()).await.expect("records");
    store.close().await;
    assert!(fs::read_dir(out.join("games")).expect("records").count() > 0);
    assert_eq!(readable_by_others(&out), Vec::<String>::new());
}

#[tokio::test]
async fn the_name_of_a_deleted_person_is_nowhere_in_the_database_and_games_still_replay() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = serve(folder.path()).await;
    let ada = server.client.register("Vanishing Ada", PASSWORD).await.expect("an account");
    let bob = server.guest().await;
    let mut tables = Vec::new();
    for _ in 0..3 {
        tables.push(bob.post("/api/tables", &open()).await.expect("a table")["table"].clone());
    }
    // One game is played, one runs, and one she has left before it began.
    play_out(&tables[0], &[bob.clone(), ada.clone()], 4).await;
    for (seat, who) in [(0, &bob), (1, &ada)] {
        order(who, &tables[1], json!({"type": "sit", "seat": seat})).await;
    }
    order(&bob, &tables[1], json!({"type": "act", "action": "e5f5"})).await;
    order(&ada, &tables[2], json!({"type": "sit", "seat": 0})).await;
    order(&ada, &tables[2], json!({"type": "leave"})).await;
    let remarks = format!("/api/tables/{}/remarks", tables[1].as_str().expect("an id"));
    ada.post(&remarks, &json!({"text": "Well played", "id": "1"})).await.expect("said");
    ada.ask(Method::DELETE, "/api/me", Some(&json!({"password": PASSWORD}))).await.expect("deleted");
    let said = bob.get(&remarks).await.expect("remarks");
    assert_eq!((&said[0]["name"], &said[0]["text"]), (&json!("deleted"), &json!("Well played")));
    server.stop().await;

    let store = Store::sqlite(folder.path().join("quincunx.db")).await.expect("SQLite opens");
    let file = folder.path().join("all.jsonl");
    export_logs(&store, &file, true, &mut |_| ()).await.expect("an export");
    let everything = fs::read_to_string(&file).expect("the export");
    let lines: Vec<&str> = everything.lines().filter(|line| line.to_lowercase().contains("vanishing")).collect();
    assert_eq!(lines, Vec::<&str>::new());
    for table in &tables {
        let id = TableId(table.as_str().expect("an id").to_owned());
        let log = store.entries(&id, 0, usize::MAX).await.expect("a log");
        let state = State::replay(GAMES, id, &log).expect("it replays");
        assert!(state.seats.iter().all(|seat| seat.name.as_deref() != Some("Vanishing Ada")));
    }
    store.close().await;
}

#[tokio::test]
async fn everybody_can_download_what_is_kept_about_them() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = serve(folder.path()).await;
    let ada = server.client.register("Ada", PASSWORD).await.expect("an account");
    let bob = server.guest().await;
    let bob_id = bob.get("/api/me").await.expect("Bob")["id"].clone();
    let table = ada.post("/api/tables", &open()).await.expect("a table")["table"].clone();
    order(&ada, &table, json!({"type": "sit", "seat": 0})).await;
    let remarks = format!("/api/tables/{}/remarks", table.as_str().expect("an id"));
    ada.post(&remarks, &json!({"text": "Anybody?", "id": "1"})).await.expect("said");
    bob.post(&remarks, &json!({"text": "Not mine to have", "id": "1"})).await.expect("said");
    ada.ask(Method::PUT, &format!("/api/me/mutes/{bob_id}"), None).await.expect("muted");
    ada.ask(Method::PUT, &format!("/api/me/blocks/{bob_id}"), None).await.expect("blocked");
    let report = json!({"user": bob_id, "table": table, "reason": "abuse", "words": "He shouted."});
    ada.post("/api/reports", &report).await.expect("reported");
    let answer = ada.request(Method::GET, "/api/me/data").send().await.expect("an answer");
    assert!(answer.headers()["content-disposition"].to_str().expect("text").starts_with("attachment"));
    let data: Value = answer.json().await.expect("JSON");
    assert_eq!((&data["account"]["name"], &data["account"]["has_password"]), (&json!("Ada"), &json!(true)));
    assert_eq!(data["sessions"].as_array().map(Vec::len), Some(1));
    assert_eq!(data["games"][0]["table"], table);
    assert_eq!(data["remarks"], json!([{"table": table, "at": data["remarks"][0]["at"], "text": "Anybody?"}]));
    assert_eq!((&data["muted"], &data["blocked"]), (&json!([bob_id]), &json!([bob_id])));
    assert_eq!(data["reports"][0]["words"], "He shouted.");
    let text = data.to_string();
    assert!(!text.contains("argon2") && !text.contains("Not mine to have") && !text.contains("invitation"), "{text}");
    server.stop().await;
}

#[tokio::test]
async fn a_guest_becomes_an_account_without_losing_games() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = serve(folder.path()).await;
    let (zoe, bob) = (server.client.guest("Zoe").await.expect("a guest"), server.guest().await);
    let table = zoe.post("/api/tables", &open()).await.expect("a table")["table"].clone();
    for (seat, who) in [(0, &zoe), (1, &bob)] {
        order(who, &table, json!({"type": "sit", "seat": seat})).await;
    }
    let account =
        zoe.post("/api/me/account", &json!({"name": "Zoe Z", "password": PASSWORD})).await.expect("an account");
    assert_eq!((&account["kind"], &account["name"]), (&json!("account"), &json!("Zoe Z")));
    // The same session, under the new name, also in the game that runs.
    order(&zoe, &table, json!({"type": "act", "action": "e5f5"})).await;
    let shown = server.client.get(&format!("/api/tables/{}", table.as_str().expect("an id"))).await.expect("a table");
    assert_eq!(shown["seats"][0]["name"], "Zoe Z");
    order(&bob, &table, json!({"type": "resign"})).await;
    let again = server.client.log_in("Zoe Z", PASSWORD).await.expect("by password");
    let games = again.get("/api/tables?player=Zoe%20Z&status=finished&result=won").await.expect("games");
    assert_eq!(games["tables"][0]["table"], table);
    assert!(bob.post("/api/me/account", &json!({"password": "password"})).await.is_err(), "one of the commonest");
    assert!(zoe.post("/api/me/account", &json!({"password": PASSWORD})).await.is_err(), "an account already");
    server.stop().await;
}
