//! `quincunx play`, `quincunx watch` and `quincunx replay`: who sits where, full screen or line by line.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use clap::Args;
use quincunx_arena::Contestant;
use quincunx_core::{DynSession, Seat};
use quincunx_engine::{Engine, Level};
use quincunx_terminal::Start as Beginning;
use quincunx_terminal::files::{self, Shelf};
use quincunx_terminal::host::{Opening, Sitter};
use quincunx_terminal::look::Look;
use quincunx_terminal::source::{Place, Visit};

use crate::{Start, failure::Failure, lines, think::Machine};

const SERVER: &str =
    "Play at the tables of this server, such as https://games.example.org; a link to one of its tables leads there";
const NAME: &str =
    "Come to the server as a guest with this name [default: the screen asks; QUINCUNX_TOKEN proves who you are]";

/// Arguments of `play`.
#[derive(Args)]
pub(crate) struct Play {
    /// A game, such as trexo [default: a menu]
    #[arg(conflicts_with = "resume")]
    game: Option<String>,
    #[command(flatten)]
    start: Start,
    /// Let an engine play a seat, such as 1=club or 1=mcts@500ms
    #[arg(long = "seat", value_name = "SEAT=PLAYER", value_parser = seat_and_player)]
    engines: Vec<(u64, Contestant)>,
    /// Go on with the game in this record
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seats", "options"])]
    resume: Option<String>,
    /// Write the game to this file after every action [default: full screen, a new file among your games]
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    #[arg(long, value_name = "URL", help = SERVER, conflicts_with_all = ["game", "seats", "options", "engines", "resume", "save", "plain"])]
    server: Option<String>,
    /// The table of the server to go to, by its id or its link
    #[arg(long, value_name = "ID", requires = "server")]
    table: Option<String>,
    #[arg(long, requires = "server", help = NAME)]
    name: Option<String>,
    /// Line by line, as it is anyway where input or output is no terminal
    #[arg(long)]
    plain: bool,
    #[command(flatten)]
    screen: Screen,
    #[command(flatten)]
    machine: Machine,
}

/// How the full screen looks.
#[derive(Args)]
pub(crate) struct Screen {
    /// Draw with the characters of ASCII alone
    #[arg(long)]
    ascii: bool,
}

impl Screen {
    fn look(&self) -> Look {
        Look::of_environment(|name| env::var(name).ok()).with_ascii(self.ascii)
    }
}

impl Play {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let plain = self.plain || !is_terminal();
        if let Some(server) = &self.server {
            if plain {
                return Err("the tables of a server are played full screen: this needs a terminal".into());
            }
            return Ok(quincunx_terminal::run(Beginning::Server(self.visit(server)?), self.screen.look())?);
        }
        let table = match (&self.game, &self.resume) {
            (_, Some(path)) => Some(files::replay(path)?),
            (Some(game), None) => Some(self.start.table(game)?),
            (None, None) => None,
        };
        match table {
            None if plain => Err("name a game, such as: quincunx play trexo".into()),
            None => Ok(quincunx_terminal::run(Beginning::Menu, self.screen.look())?),
            Some(table) if plain => lines::play(self.opening(table)?, &mut io::stdin().lock(), out),
            Some(table) => {
                let mut opening = self.opening(table)?;
                // A player who leaves finds the game among those that are kept.
                opening.file = opening.file.or_else(|| Shelf::of_user().new_file(opening.table.kind().id()));
                Ok(quincunx_terminal::run(Beginning::Play(opening), self.screen.look())?)
            }
        }
    }

    /// Where a visit of a server leads.
    fn visit(&self, server: &str) -> Result<Visit, Failure> {
        let visit = Visit { name: self.name.clone(), ..Visit::to(server) };
        match &self.table {
            None => Ok(visit),
            Some(text) => {
                let place = Place::parse(text).ok_or_else(|| format!("--table {text}: this is no table"))?;
                Ok(Visit { table: Some(place), ..visit })
            }
        }
    }

    fn opening(&self, mut table: Box<dyn DynSession>) -> Result<Opening, Failure> {
        let mut sitters = vec![Sitter::Person; usize::from(table.seats())];
        let mut headers = table.headers().clone();
        for (number, player) in &self.engines {
            let seat = Seat::at_table(*number, table.seats());
            let seat = seat.ok_or_else(|| format!("--seat {number}={player}: there is no seat {number}"))?;
            sitters[seat.index()] = Sitter::Engine(self.machine.given_to(player));
            headers.insert(format!("Player {seat}"), player.to_string());
        }
        table.set_headers(headers);
        Ok(Opening { table, sitters, file: self.save.clone() })
    }
}

/// Arguments of `watch`.
#[derive(Args)]
pub(crate) struct Watch {
    /// A game, such as trexo
    game: String,
    /// Who plays, seat by seat: beginner, novice, casual, club, strong, expert, master, mcts, greedy, random or cmd:COMMAND, with a budget a
    /// move if you like: master@100ms [default: master]
    #[arg(value_name = "PLAYER[@BUDGET]")]
    players: Vec<Contestant>,
    #[command(flatten)]
    start: Start,
    /// Write the game to this file after every action
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Line by line, as it is anyway where input or output is no terminal
    #[arg(long)]
    plain: bool,
    #[command(flatten)]
    screen: Screen,
    #[command(flatten)]
    machine: Machine,
}

impl Watch {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        // As many players as are named sit down, if the game can be played by so many.
        let named = (self.players.len() > 1).then_some(self.players.len() as u64);
        let start = Start { seats: self.start.seats.or(named), options: self.start.options.clone() };
        let table = start.table(&self.game)?;
        let seats = usize::from(table.seats());
        if self.players.len() > seats {
            return Err(format!("{} players are too many for {seats} seats", self.players.len()).into());
        }
        let master = Contestant::from(Engine::Level(Level::Master));
        let player = |seat: usize| self.players.get(seat).or(self.players.last()).unwrap_or(&master);
        let sitters = (0..seats).map(|seat| Sitter::Engine(self.machine.given_to(player(seat)))).collect();
        let opening = Opening { table, sitters, file: self.save.clone() };
        if self.plain || !is_terminal() {
            return lines::play(opening, &mut io::empty(), out);
        }
        Ok(quincunx_terminal::run(Beginning::Play(opening), self.screen.look())?)
    }
}

/// Arguments of `replay`.
#[derive(Args)]
pub(crate) struct Replay {
    /// A record, as text or JSON
    record: String,
    #[command(flatten)]
    screen: Screen,
}

impl Replay {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        if !is_terminal() {
            return Err("replay takes the whole terminal, and there is none; as text: quincunx show game.txt".into());
        }
        let table = files::replay(&self.record)?;
        Ok(quincunx_terminal::run(Beginning::Replay(table), self.screen.look())?)
    }
}

/// Whether people sit before both ends of the program.
fn is_terminal() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

fn seat_and_player(text: &str) -> Result<(u64, Contestant), String> {
    let (seat, player) = text.split_once('=').ok_or("a seat and a player, such as 1=club")?;
    let seat = seat.parse().map_err(|_| format!("{seat:?} is not the number of a seat"))?;
    Ok((seat, player.parse()?))
}
