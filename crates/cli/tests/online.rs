//! The tables of a server in the terminal: two people play there by keys alone, the server is killed meanwhile, and nothing is
//! lost.

mod support {
    pub mod process;
}

use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use quincunx_client::Client;
use quincunx_table::TableId;
use quincunx_terminal::Start;
use quincunx_terminal::app::App;
use quincunx_terminal::event::{Event, Reporter};
use quincunx_terminal::files;
use quincunx_terminal::look::Look;
use quincunx_terminal::source::{Place, Visit};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::KeyCode;
use serde_json::{Value, json};
use support::process::{Process, free_port};

/// How long anything may take, however slow the machine is.
const PATIENCE: Duration = Duration::from_mins(2);

/// Somebody before a terminal that nobody else sees.
struct Player {
    app: App,
    events: Receiver<Event>,
    rng: StdRng,
}

impl Player {
    /// Goes to a server.
    fn come(visit: Visit, seed: u64) -> Self {
        let (sender, events) = channel();
        let screen = Start::Server(visit).screen(Reporter(sender)).expect("an address");
        Self { app: App::new(screen, Look::BARE), events, rng: StdRng::seed_from_u64(seed) }
    }

    /// Lets everything happen that has been reported, and time pass.
    fn hear(&mut self) {
        while let Ok(event) = self.events.try_recv() {
            self.app.handle(event);
        }
        self.app.handle(Event::Tick);
    }

    fn press(&mut self, key: KeyCode) {
        self.app.handle(Event::Key(key.into()));
        self.picture();
    }

    fn type_text(&mut self, text: &str) {
        text.chars().for_each(|letter| self.press(KeyCode::Char(letter)));
    }

    /// What is on the screen: wide enough for a whole link.
    fn picture(&mut self) -> String {
        const WIDTH: u16 = 120;
        let mut terminal = Terminal::new(TestBackend::new(WIDTH, 30)).expect("nothing can fail here");
        terminal.draw(|frame| self.app.draw(frame)).expect("nothing can fail here");
        let cells = terminal.backend().buffer().content();
        let lines = cells.chunks(usize::from(WIDTH));
        lines.map(|line| line.iter().map(ratatui::buffer::Cell::symbol).collect::<String>() + "\n").collect()
    }

    /// Waits until something stands on the screen.
    #[track_caller]
    fn until(&mut self, what: &str) -> String {
        self.until_so(what, |picture| picture.contains(what))
    }

    #[track_caller]
    fn until_so(&mut self, what: &str, is_so: impl Fn(&str) -> bool) -> String {
        let begun = Instant::now();
        loop {
            self.hear();
            let picture = self.picture();
            if is_so(&picture) {
                return picture;
            }
            assert!(begun.elapsed() < PATIENCE, "there is no {what:?} on\n{picture}");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    fn is_on_turn(&mut self) -> bool {
        let picture = self.picture();
        // Whoever is on turn has a mark before the name, in the frame of the players.
        let mut own = picture.lines().filter_map(|line| line.split("(you)").next().filter(|before| *before != line));
        own.any(|before| before.rsplit('|').next().is_some_and(|name| name.trim_start().starts_with("> ")))
    }

    /// Does something, anything that Tab and Enter lead to, if it is his turn.
    fn try_to_act(&mut self) -> bool {
        self.hear();
        let acts = self.is_on_turn();
        if acts {
            for _ in 0..self.rng.random_range(1..8) {
                self.press(KeyCode::Tab);
            }
            self.press(KeyCode::Enter);
        }
        acts
    }
}

/// A server that can be killed, and two who play there.
struct Evening {
    port: u16,
    data: String,
    server: Option<Process>,
    players: Vec<Player>,
    table: String,
}

impl Evening {
    /// A server, and nobody there.
    fn open(folder: &Path) -> Self {
        let (port, data) = (free_port(), folder.to_str().expect("a path").to_owned());
        let mut evening = Self { port, data, server: None, players: Vec::new(), table: String::new() };
        evening.start();
        evening
    }

    /// Ada sets up a table for a game by the form, and Bob sits down there from the lobby.
    fn begin(folder: &Path, game: &str) -> Self {
        let mut evening = Self::open(folder);
        let mut ada = Player::come(Visit { name: Some("Ada".to_owned()), ..evening.visit() }, 1);
        ada.until("Waiting for players");
        ada.press(KeyCode::Char('n'));
        ada.until_so(game, |picture| picture.contains("A new table"));
        for _ in 0..5 {
            if !ada.picture().contains(game) {
                ada.press(KeyCode::Right);
            }
        }
        ada.press(KeyCode::Enter);
        let waiting = ada.until_so("a link", |picture| picture.contains("Waiting for one player"));
        let link = waiting.lines().find(|line| line.starts_with("http://")).expect("a link");
        evening.table = Place::parse(link).expect("a link to a table").table.0;
        // Bob has no name yet: he is asked for it.
        let mut bob = Player::come(evening.visit(), 2);
        bob.until("as a guest");
        bob.type_text("Bob");
        bob.press(KeyCode::Enter);
        bob.until("Ada, ..");
        bob.press(KeyCode::Enter);
        bob.until("(you)");
        evening.players = vec![ada, bob];
        evening
    }

    /// People who come to a table by its address, and sit down.
    fn gather(folder: &Path, game: &str, seats: usize, options: &Value) -> Self {
        let mut evening = Self::open(folder);
        let setup = json!({"game": game, "options": options, "seats": vec![json!({"kind": "open"}); seats]});
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let table = runtime.block_on(async {
            let host = Client::new(&evening.visit().server)?.guest("Host").await?;
            host.post("/api/tables", &json!({"setup": setup})).await
        });
        table.expect("a table")["table"].as_str().expect("its id").clone_into(&mut evening.table);
        for (seed, name) in (1..).zip(["Ada", "Bob", "Cy", "Di"]).take(seats) {
            let place = Place::of(&TableId(evening.table.clone()));
            let mut player =
                Player::come(Visit { name: Some(name.to_owned()), table: Some(place), ..evening.visit() }, seed);
            player.until("sit down");
            player.press(KeyCode::Enter);
            player.until("(you)");
            evening.players.push(player);
        }
        evening
    }

    fn visit(&self) -> Visit {
        Visit { server: format!("http://127.0.0.1:{}", self.port), ..Visit::default() }
    }

    fn start(&mut self) {
        self.server = Some(Process::serve(self.port, &["--data", &self.data]));
    }

    /// Ends the server as a power cut would.
    fn kill(&mut self) {
        self.server.take().expect("a server").kill();
    }

    /// The table as the server knows it.
    fn told(&self) -> Value {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let client = Client::new(&self.visit().server).expect("an address");
        runtime.block_on(client.get(&format!("/api/tables/{}", self.table))).expect("the table")
    }

    fn made(&self) -> usize {
        self.told()["log"].as_array().expect("a log").len()
    }

    /// Plays until so many more actions were begun, or until the game is over; gives whether it is.
    fn play(&mut self, mut actions: usize) -> bool {
        let begun = Instant::now();
        while actions > 0 {
            for player in &mut self.players {
                if player.try_to_act() {
                    actions = actions.saturating_sub(1);
                }
            }
            if self.players.iter_mut().all(|player| player.picture().contains("M plays again")) {
                return true;
            }
            assert!(begun.elapsed() < PATIENCE * 2, "the game does not end:\n{}", self.players[0].picture());
            std::thread::sleep(Duration::from_millis(1));
        }
        false
    }

    /// Waits until all that was done is answered, and seen by all; gives how much it is.
    fn settle(&mut self) -> usize {
        for player in &mut self.players {
            player.until_so("an answer", |picture| !picture.contains("sends .."));
        }
        let made = self.made();
        for player in &mut self.players {
            // The number of the last line of the log.
            player.until(&format!("| {made:>4} "));
        }
        made
    }

    /// The server goes down while somebody plays on, and comes back.
    fn survive_a_power_cut(&mut self) {
        let before = self.settle();
        if self.told()["status"] != "playing" {
            return;
        }
        self.kill();
        for player in &mut self.players {
            player.until("not connected");
        }
        // Whoever is on turn plays on: it is kept.
        let begun = Instant::now();
        let sent = |players: &mut Vec<Player>| players.iter_mut().any(|player| player.picture().contains("sends .."));
        while !sent(&mut self.players) {
            for player in &mut self.players {
                player.try_to_act();
            }
            assert!(begun.elapsed() < PATIENCE, "nobody acts:\n{}", self.players[0].picture());
        }
        self.start();
        for player in &mut self.players {
            player.until_so("a connection", |picture| !picture.contains("not connected"));
        }
        let made = self.settle();
        let pictures: Vec<String> = self.players.iter_mut().map(Player::picture).collect();
        assert!(made > before, "what was done after {before} actions is lost: {made}\n{}", pictures.join("\n"));
    }
}

/// A game from the lobby to its end and on to the next one, with two power cuts.
fn is_played_to_its_end(game: &str) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut evening = Evening::begin(folder.path(), game);
    // So early that no game is over.
    evening.play(3);
    evening.survive_a_power_cut();
    evening.play(6);
    evening.survive_a_power_cut();
    assert!(evening.play(100_000), "the game is over");

    // All have seen the same game, the server too.
    let told = evening.told();
    assert_eq!(told["status"], "finished", "{told}");
    let actions: Vec<&str> =
        told["log"].as_array().unwrap().iter().filter_map(|line| line["action"].as_str()).collect();
    for (number, player) in evening.players.iter_mut().enumerate() {
        let file = folder.path().join(format!("{number}.txt"));
        player.press(KeyCode::Char('s'));
        (0..8).for_each(|_| player.press(KeyCode::Backspace));
        player.type_text(file.to_str().unwrap());
        player.press(KeyCode::Enter);
        let table = files::replay(file.to_str().unwrap()).unwrap();
        let log = table.log(quincunx_core::Viewer::Everything);
        assert_eq!(log.iter().map(|step| step.action.as_str()).collect::<Vec<_>>(), actions);
    }

    // They talk, and play again.
    evening.players[0].type_text("cwell played");
    evening.players[0].press(KeyCode::Enter);
    evening.players[1].until("Ada says: well played");
    for player in &mut evening.players {
        player.press(KeyCode::Char('M'));
    }
    for player in &mut evening.players {
        player.until_so("the next game", |picture| picture.contains("(you)") && !picture.contains("Waiting"));
    }
}

#[test]
fn trexo_is_played_through_a_server_that_is_killed() {
    is_played_to_its_end("Trexo");
}

#[test]
fn castle_builders_with_its_hidden_counters_is_played_through_a_server_that_is_killed() {
    is_played_to_its_end("Castle Builders");
}

#[test]
fn every_game_for_any_number_of_seats_is_played_through_a_server_that_is_killed() {
    let tables = [
        ("figures", 2, json!({"target": 8, "turn_limit": 14})),
        ("figures", 4, json!({"target": 8, "turn_limit": 14})),
        ("mod-x", 2, json!({})),
        ("mod-x", 3, json!({"claims": "manual"})),
        ("mod-x", 4, json!({"teams": true})),
        ("x-marks-the-spot", 2, json!({"turn_limit": 10})),
        ("x-marks-the-spot", 3, json!({"turn_limit": 10})),
        ("x-marks-the-spot", 4, json!({"turn_limit": 10})),
    ];
    for (game, seats, options) in tables {
        let folder = tempfile::tempdir().unwrap();
        let mut evening = Evening::gather(folder.path(), game, seats, &options);
        evening.play(2 * seats);
        evening.survive_a_power_cut();
        assert!(evening.play(100_000), "{game} for {seats}: the game is over");
        assert_eq!(evening.told()["status"], "finished", "{game} for {seats}");
    }
}

#[test]
fn a_private_table_is_found_by_its_link_and_by_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let evening = Evening::open(folder.path());
    let mut ada = Player::come(Visit { name: Some("Ada".to_owned()), ..evening.visit() }, 1);
    ada.until("Waiting for players");
    ada.press(KeyCode::Char('n'));
    (0..5).for_each(|_| ada.press(KeyCode::Down));
    ada.press(KeyCode::Right);
    ada.press(KeyCode::Enter);
    let waiting = ada.until("Waiting for one player");
    let link = waiting.lines().find(|line| line.starts_with("http://")).unwrap().trim().to_owned();
    let place = Place::parse(&link).unwrap();
    assert!(place.invitation.is_some(), "{link}");
    // Without the key there is no such table.
    let blind = Visit { name: Some("Eve".to_owned()), table: Some(Place::of(&place.table)), ..evening.visit() };
    Player::come(blind, 3).until("There is no such table.");
    let invited = Visit { name: Some("Bob".to_owned()), table: Some(place), ..evening.visit() };
    let mut bob = Player::come(invited, 2);
    bob.until("sit down");
    bob.press(KeyCode::Enter);
    bob.until("(you)");
    ada.until("The game begins.");
    // Ada resigns, which has to be said twice.
    ada.press(KeyCode::Char('X'));
    ada.until("Press X again");
    ada.press(KeyCode::Char('X'));
    ada.until("Bob wins: by resignation.");
    bob.until("Bob wins: by resignation.");
}

#[test]
fn an_account_is_made_and_wrong_words_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let port = free_port();
    let server = Process::serve(port, &["--data", folder.path().to_str().unwrap()]);
    let visit = || Visit { server: format!("http://127.0.0.1:{port}"), ..Visit::default() };
    let enter = |ways: usize, password: &str| {
        let mut ada = Player::come(visit(), 1);
        ada.until("as a guest");
        (0..ways).for_each(|_| ada.press(KeyCode::Right));
        ada.type_text("Ada");
        ada.press(KeyCode::Tab);
        ada.type_text(password);
        ada.press(KeyCode::Enter);
        ada
    };
    enter(2, "correct horse battery").until("Waiting for players");
    let refused = enter(1, "wrong horse battery").until_so("a refusal", |picture| {
        !picture.contains("is asked") && picture.lines().nth(28).is_some_and(|line| !line.trim().is_empty())
    });
    assert!(refused.contains("Password"), "{refused}");
    enter(1, "correct horse battery").until("Waiting for players");
    // A token that is none leads to the door, with a word about it.
    let mut stranger = Player::come(Visit { token: Some("1.nonsense".to_owned()), ..visit() }, 4);
    stranger.until("does not know your token");
    // Where nobody is, it is tried again, and one can leave.
    drop(server);
    let mut early = Player::come(visit(), 5);
    early.until("Next try in");
    early.press(KeyCode::Char('q'));
    assert!(early.app.is_over());
}
