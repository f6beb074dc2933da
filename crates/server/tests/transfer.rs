//! Games as records and back, and everything from one database to another.

mod support {
    pub mod postgres;
}

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use quincunx_core::{Record, Turn};
use quincunx_games::GAMES;
use quincunx_server::model::{Rating, User};
use quincunx_server::store::{NewUser, Store, StoreError, TableFilter};
use quincunx_server::transfer::{
    Exported, Imported, TransferError, Unfinished, export_logs, export_records, import_logs, import_records,
};
use quincunx_table::Person;
use quincunx_table::protocol::Listing;
use quincunx_table::{Command, Request, State};
use quincunx_table::{Status, TableId, UserId, UserKind};
use rand::SeedableRng as _;
use rand::rngs::Xoshiro256PlusPlus;
use serde_json::json;
use support::postgres::Postgres;

const NOW: i64 = 1_700_000_000_000;

async fn add(store: &Store, name: &str, kind: UserKind) -> User {
    let password = (kind == UserKind::Account).then(|| format!("$argon2id$hash-of-{name}"));
    store.add_user(NewUser { name: name.to_owned(), kind, owner: None, password, at: 17 }).await.expect("a user")
}

fn person(user: &User) -> Person {
    Person { id: user.id, name: user.name.clone(), kind: user.kind }
}

/// A table in the making: plays at random, and keeps its log.
struct Play<'s> {
    store: &'s Store,
    state: State,
    rng: Xoshiro256PlusPlus,
    at: i64,
}

impl<'s> Play<'s> {
    /// Everybody sits down.
    async fn begin(store: &'s Store, id: &str, setup: serde_json::Value, users: &[&User]) -> Self {
        let setup = serde_json::from_value(setup).expect("a set-up");
        let host = person(users[0]);
        let request = Request { person: &host, seat: None, command: Some("0"), at: NOW };
        let (state, log) = State::create(
            GAMES,
            TableId(id.to_owned()),
            setup,
            "an-invitation".to_owned(),
            request,
            &mut Xoshiro256PlusPlus::seed_from_u64(4),
        )
        .unwrap();
        let summary = state.listing(NOW);
        store.append(&state.id, log, Some(summary)).await.expect("the append");
        let mut play = Self { store, state, rng: Xoshiro256PlusPlus::seed_from_u64(5), at: NOW };
        for (seat, user) in (0..).zip(users) {
            play.decide(user, Command::Sit { seat, invitation: Some("an-invitation".to_owned()) }).await;
        }
        play
    }

    async fn decide(&mut self, user: &User, command: Command) {
        self.at += 1_000;
        let id = self.state.version.to_string();
        let person = person(user);
        let request = Request { person: &person, seat: None, command: Some(&id), at: self.at };
        let lines = self.state.decide(&command, request, &mut self.rng).expect("it is allowed");
        let summary = self.state.listing(self.at);
        self.store.append(&self.state.id, lines.entries, Some(summary)).await.expect("the append");
    }

    /// Plays so many actions, or to the end.
    async fn act(&mut self, users: &[&User], most: usize) {
        for _ in 0..most {
            let Turn::Seat(seat) = self.state.game.turn() else { break };
            let actions = self.state.game.actions(seat);
            let action = actions[(self.state.version as usize * 7919) % actions.len()].clone();
            self.decide(users[seat.index()], Command::Act { action, ply: None }).await;
        }
    }
}

fn two_seats(game: &str) -> serde_json::Value {
    json!({"game": game, "seats": [{"kind": "open"}, {"kind": "open"}]})
}

/// Tables of all sorts, and who plays there.
async fn fill(store: &Store) -> [User; 3] {
    let ada = add(store, "Ada", UserKind::Account).await;
    let ben = add(store, "Ben", UserKind::Guest).await;
    let cleo = add(store, "Cleo", UserKind::Account).await;
    let all = usize::MAX;
    for (number, game) in GAMES.iter().enumerate() {
        let mut play = Play::begin(store, &format!("finished-{number}"), two_seats(game.id()), &[&ada, &ben]).await;
        play.act(&[&ada, &ben], all).await;
        assert_eq!(play.state.status, Status::Finished, "{}", game.id());
    }
    let mut three = two_seats("mod-x");
    three["seats"] = json!([{"kind": "open"}, {"kind": "open"}, {"kind": "open"}]);
    Play::begin(store, "three-players", three, &[&ada, &ben, &cleo]).await.act(&[&ada, &ben, &cleo], all).await;

    let mut resigned = two_seats("trexo");
    resigned["clock"] = json!({"kind": "real_time", "seconds": 300, "increment": 5});
    resigned["rated"] = json!(true);
    let mut resigned = Play::begin(store, "resigned", resigned, &[&ada, &cleo]).await;
    resigned.act(&[&ada, &cleo], 3).await;
    resigned.decide(&ada, Command::Resign).await;

    let mut time = two_seats("figures");
    time["clock"] = json!({"kind": "correspondence", "days": 3});
    time["public"] = json!(false);
    let mut time = Play::begin(store, "time-is-up", time, &[&cleo, &ben]).await;
    time.act(&[&cleo, &ben], 1).await;
    let lines = time.state.fell(NOW + 1_000_000_000);
    let summary = time.state.listing(NOW + 1_000_000_000);
    store.append(&time.state.id, lines.entries, Some(summary)).await.expect("the append");
    assert_eq!(time.state.status, Status::Finished);

    let mut drawn = Play::begin(store, "agreed-draw", two_seats("trexo"), &[&ada, &ben]).await;
    drawn.decide(&ada, Command::OfferDraw).await;
    drawn.decide(&ben, Command::AnswerDraw { accept: true }).await;

    Play::begin(store, "goes-on-yet", two_seats("trexo"), &[&ada, &ben]).await.act(&[&ada, &ben], 4).await;
    Play::begin(store, "still-open", two_seats("trexo"), &[&ada]).await;
    [ada, ben, cleo]
}

async fn tables(store: &Store) -> BTreeMap<String, Listing> {
    let tables = store.tables(&TableFilter::default()).await.expect("a page");
    tables.into_iter().map(|table| (table.table.0.clone(), table)).collect()
}

async fn export(store: &Store, folder: &Path) -> Vec<(String, Exported)> {
    let mut told = Vec::new();
    export_records(store, folder, NOW, &mut |table, what| told.push((table.0.clone(), what))).await.expect("an export");
    told
}

async fn import(store: &Store, path: &Path, unfinished: Unfinished) -> BTreeMap<String, Imported> {
    let mut told = BTreeMap::new();
    let mut tell = |path: &Path, what| {
        told.insert(path.file_name().unwrap().to_str().unwrap().to_owned(), what);
    };
    import_records(store, path, unfinished, NOW, &mut tell).await.expect("an import");
    told
}

fn files(folder: &Path) -> BTreeMap<PathBuf, String> {
    let files = fs::read_dir(folder).expect("the folder").map(|file| file.expect("a file").path());
    files.map(|path| (path.file_name().unwrap().into(), fs::read_to_string(&path).expect("text"))).collect()
}

/// Games go from one storage to another and out again.
async fn games_survive_as_records(from: &Store, to: &Store) {
    let [_, ben, _] = fill(from).await;
    let folder = tempfile::tempdir().expect("a folder");
    let told = export(from, folder.path()).await;
    let written = told.iter().filter(|(_, what)| matches!(what, Exported::Written(_))).count();
    assert_eq!((written, told.len()), (10, 11), "{told:?}");
    assert!(told.contains(&("still-open".to_owned(), Exported::NoGame)));
    for (path, text) in files(folder.path()) {
        let record = Record::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        record.replay(GAMES).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    let resigned = fs::read_to_string(folder.path().join("trexo-resigned.txt")).expect("a record");
    for line in
        ["Player 0: Ada", "Date: 2023-11-14", "Time: 22:13:20", "Clock: 300+5", "Rated: yes", "Ending: 1 resigned"]
    {
        assert!(resigned.lines().any(|found| found == line), "{line} is not in\n{resigned}");
    }

    // There Ada is somebody, with another number, and Ben and Cleo are nobody.
    for name in ["Zoë", "Ada"] {
        add(to, name, UserKind::Account).await;
    }
    let ada = to.user_named("Ada").await.expect("an answer").expect("Ada").id;
    let told = import(to, folder.path(), Unfinished::Skip).await;
    assert_eq!(told["trexo-goes-on-yet.txt"], Imported::Unfinished);
    let added = told.values().filter(|what| matches!(what, Imported::Added(_))).count();
    assert_eq!((added, told.len()), (9, 10), "{told:?}");

    let (before, after) = (tables(from).await, tables(to).await);
    assert_eq!(after.len(), 9);
    for (id, table) in &after {
        let original = &before[id];
        assert_eq!(
            (&table.game, &table.options, table.status, &table.winners, &table.clock, table.public, table.rated),
            (
                &original.game,
                &original.options,
                original.status,
                &original.winners,
                &original.clock,
                original.public,
                original.rated
            ),
            "{id}"
        );
        assert_eq!(table.created, NOW, "{id}");
        for sitter in table.seats.iter().flatten() {
            assert_eq!(sitter.user, (sitter.name == "Ada").then_some(ada), "{id}: {}", sitter.name);
        }
    }
    let counted = to.rate(&TableId("resigned".to_owned()), "trexo", "blitz", 0, &[ada], |_| panic!("counted")).await;
    assert_eq!(counted, Ok(false), "its result was counted where it was played");

    let again = import(to, folder.path(), Unfinished::Skip).await;
    assert_eq!(again.values().filter(|what| matches!(what, Imported::There(_))).count(), 9, "{again:?}");
    assert_eq!(tables(to).await, after);
    let broken_off = import(to, &folder.path().join("trexo-goes-on-yet.txt"), Unfinished::BreakOff).await;
    assert!(matches!(broken_off["trexo-goes-on-yet.txt"], Imported::Added(_)));
    assert_eq!(tables(to).await["goes-on-yet"].winners, Some(Vec::new()));

    let back = tempfile::tempdir().expect("a folder");
    export(to, back.path()).await;
    let (mut one, mut other) = (files(folder.path()), files(back.path()));
    let unfinished = other.remove(Path::new("trexo-goes-on-yet.txt")).expect("it is there");
    assert!(unfinished.contains("\nEnding: draw unfinished\n"), "{unfinished}");
    one.remove(Path::new("trexo-goes-on-yet.txt"));
    assert_eq!(one, other);

    from.delete_user(ben.id).await.expect("deleted");
    export(from, folder.path()).await;
    assert!(files(folder.path()).values().all(|text| !text.contains("Ben")), "the deleted have no name in records");
}

#[tokio::test]
async fn games_survive_as_records_in_memory_and_in_sqlite() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let sqlite = Store::sqlite(folder.path().join("quincunx.db")).await.expect("SQLite opens");
    games_survive_as_records(&Store::memory(), &sqlite).await;
    sqlite.close().await;
}

#[tokio::test]
async fn records_from_elsewhere_become_tables() {
    let store = Store::memory();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let told = import(&store, &examples, Unfinished::BreakOff).await;
    assert!(told.len() >= 5 && told.values().all(|what| matches!(what, Imported::Added(_))), "{told:?}");
    assert!(tables(&store).await.keys().all(|id| id.starts_with("record-")));
    let again = import(&store, &examples, Unfinished::BreakOff).await;
    assert!(again.values().all(|what| matches!(what, Imported::There(_))), "{again:?}");
}

#[tokio::test]
async fn what_is_no_record_is_refused_with_the_reason_and_the_rest_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let start = "Game: trexo\nSeats: 2\n";
    for (name, text, why) in [
        ("a.txt", "nonsense".to_owned(), "line 1: "),
        ("b.txt", format!("{start}\n0: z99\n"), "line 4: "),
        ("c.txt", format!("{start}Ending: 0 boredom\n"), "none of resigned, time, agreed, left and unfinished"),
        ("d.txt", format!("{start}Ending: 7 resigned\n"), "names others than those who win like that"),
        ("e.txt", format!("{start}Clock: soon\nEnding: 0 time\n"), "Clock is written as 300+5"),
        ("f.txt", format!("{start}Clock: 0+0\nEnding: 0 time\n"), "a clock has 1 second to 24 hours"),
        ("g.txt", "x".repeat(Record::MAX_BYTES + 1), "at most 8 MiB"),
        ("h.json", "{".to_owned(), "not a record as JSON"),
    ] {
        fs::write(folder.path().join(name), text).expect("a file");
        let told = import(&Store::memory(), &folder.path().join(name), Unfinished::Skip).await;
        assert!(matches!(&told[name], Imported::Refused(reason) if reason.contains(why)), "{told:?}");
    }
    fs::write(folder.path().join("not-utf8.txt"), [0xff, 0xfe]).expect("a file");
    fs::write(folder.path().join("good.txt"), format!("{start}Table: ../../etc\nEnding: 0 resigned\n"))
        .expect("a file");
    let store = Store::memory();
    let told = import(&store, folder.path(), Unfinished::Skip).await;
    assert!(matches!(told["not-utf8.txt"], Imported::Refused(_)));
    assert!(matches!(&told["good.txt"], Imported::Added(id) if id.0.starts_with("record-")), "{told:?}");
    assert_eq!((told.len(), tables(&store).await.len()), (10, 1));
    let missing = import_records(&store, Path::new("/nowhere.txt"), Unfinished::Skip, NOW, &mut |_, _| {}).await;
    assert!(missing.expect_err("missing").to_string().starts_with("/nowhere.txt: "));
}

/// Ratings, talk, sessions, and somebody who is gone.
async fn furnish(store: &Store) {
    let [ada, ben, cleo] = fill(store).await;
    let table = TableId("resigned".to_owned());
    let rating = |value: f64| Rating { value, deviation: 100.0 / 3.0, volatility: 0.059_999_999_1, games: 4_000 };
    let ratings = vec![rating(1_500.1 + 0.2), rating(1e3 / 7.0)];
    store.rate(&table, "trexo", "blitz", 0, &[ada.id, cleo.id], |_| ratings).await.expect("ratings");
    store.add_remark(&table, ada.id, "Ada", 5, "well \"played\"\n\u{1F600}", false).await.expect("a remark");
    store.add_session([7; 32], ada.id, 100, "phone").await.expect("a session");
    store.set_muted(ada.id, ben.id, true).await.expect("a mute");
    store.set_banned(ben.id, Some(99)).await.expect("a ban");
    let bot = NewUser { name: "bot".to_owned(), kind: UserKind::Bot, owner: Some(ada.id), password: None, at: 18 };
    store.add_user(bot).await.expect("a bot");
    store.delete_user(cleo.id).await.expect("deleted");
}

async fn dump(store: &Store, folder: &Path, name: &str, secrets: bool) -> (PathBuf, String) {
    let path = folder.join(name);
    let lines = export_logs(store, &path, secrets, &mut |_| {}).await.expect("an export");
    let text = fs::read_to_string(&path).expect("the file");
    assert_eq!(lines as usize, text.lines().count() - 2);
    (path, text)
}

#[test]
fn postgres() {
    let cluster = Postgres::start();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let postgres = Store::postgres(&cluster.fresh_database().await).await.expect("PostgreSQL opens");
        games_survive_as_records(&Store::memory(), &postgres).await;
        postgres.close().await;

        let folder = tempfile::tempdir().expect("a temporary folder");
        let sqlite = Store::sqlite(folder.path().join("quincunx.db")).await.expect("SQLite opens");
        furnish(&sqlite).await;
        for secrets in [true, false] {
            let postgres = Store::postgres(&cluster.fresh_database().await).await.expect("PostgreSQL opens");
            let (file, exported) = dump(&sqlite, folder.path(), "first.jsonl", secrets).await;
            assert_eq!(exported.contains("hash-of-Ada"), secrets);
            assert_eq!(exported.contains("\"row\":\"session\""), secrets);
            import_logs(&postgres, &file, &mut |_| {}).await.expect("an import");
            let (_, again) = dump(&postgres, folder.path(), "second.jsonl", secrets).await;
            assert!(exported == again, "it is no longer the same:\n{exported}\n{again}");

            assert_eq!(tables(&postgres).await, tables(&sqlite).await);
            let known = postgres.session([7; 32], 200).await.expect("an answer");
            assert_eq!(known.map(|user| user.name), secrets.then(|| "Ada".to_owned()));
            assert_eq!(add(&postgres, "next", UserKind::Guest).await.id, UserId(5), "no number is given again");
            let twice = import_logs(&postgres, &file, &mut |_| {}).await.expect_err("not empty");
            assert!(matches!(twice, TransferError::Store(StoreError::NotEmpty)), "{twice}");
            postgres.close().await;
        }
        sqlite.close().await;
    });
}

#[tokio::test]
async fn a_file_that_is_not_whole_leaves_the_database_empty() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let full = Store::sqlite(folder.path().join("full.db")).await.expect("SQLite opens");
    furnish(&full).await;
    let (_, text) = dump(&full, folder.path(), "good.jsonl", true).await;
    let empty = Store::sqlite(folder.path().join("empty.db")).await.expect("SQLite opens");
    let lines: Vec<&str> = text.lines().collect();
    let last = lines.len();
    let bad = folder.path().join("bad.jsonl");
    let joined = |lines: &[&str]| lines.join("\n");
    for (content, complaint) in [
        (String::new(), "line 1: this file was not written by export --logs"),
        (text.replacen("\"version\":1", "\"version\":2", 1), "line 1: this version reads files of version 1 only"),
        (joined(&lines[..last - 1]), "the file is cut off"),
        (joined(&[&lines[..2], &lines[3..]].concat()), "which is not what it says"),
        (format!("{text}{{}}\n"), "something follows the last line"),
        (text.replacen("\"owner\":null", "\"owner\":\"me\"", 1), "\"owner\" is of the wrong type"),
        (text.replacen("\"owner\":null,", "", 1), "\"owner\" is missing"),
        (text.replacen("\"row\":\"remark\"", "\"row\":\"gossip\"", 1), "of no kind that this version knows"),
        (text.replacen("\"row\":\"user\"", "\"row\":\"user\",\"more\":1", 1), "\"more\" is not known"),
        (text.replacen("{\"row\":\"user\"", "{\"row\"", 1), "this is not a JSON object"),
    ] {
        fs::write(&bad, content).expect("a file");
        let error = import_logs(&empty, &bad, &mut |_| {}).await.expect_err(complaint).to_string();
        assert!(error.contains(complaint), "{complaint}: {error}");
        assert_eq!(empty.users("", None, 10).await, Ok(Vec::new()), "{complaint}");
    }
    import_logs(&empty, &folder.path().join("good.jsonl"), &mut |_| {}).await.expect("the whole file is taken");
    assert!(matches!(export_logs(&Store::memory(), &bad, true, &mut |_| {}).await, Err(TransferError::Store(_))));
    full.close().await;
    empty.close().await;
}
