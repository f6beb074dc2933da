//! The command line: `quincunx`.

mod admin;
mod analyse;
mod bench;
mod bot;
mod calibrate;
mod commands;
mod contest;
mod failure;
mod lines;
mod load;
mod markdown;
mod play;
mod plot;
mod progress;
mod serve;
mod think;

use std::{io::Write, process::ExitCode};

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use failure::Failure;
use quincunx_core::{DynSession, Seat, Viewer, find};
use quincunx_engine::Engine;
use quincunx_games::GAMES;
use quincunx_terminal::files;
use serde_json::Value;

/// Five tabletop games at one table: Mod X, X Marks the Spot, Trexo, Castle Builders and Figures.
#[derive(Parser)]
#[command(name = "quincunx", version, max_term_width = 100, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "Examples:
  quincunx games                          what can be played
  quincunx rules mod-x                    how it is played
  quincunx play                           play here, full screen
  quincunx play trexo --seat 1=club       the same, against an engine at once
  quincunx watch trexo master expert      watch engines
  quincunx replay game.txt                look through a game, full screen
  quincunx show game.txt --ply 20         the table after 20 actions
  quincunx check records/*.txt            are these records whole and legal?
  quincunx bench playouts                 how fast are the rules?";

#[derive(Subcommand)]
enum Command {
    /// List the games, with the numbers of players and the options of each
    #[command(after_help = "Example:\n  quincunx games --json | jq -r '.id'")]
    Games {
        /// One JSON object a line
        #[arg(long)]
        json: bool,
    },

    /// Read the rules of a game as this program plays them, with rulings marked
    #[command(after_help = "Example:\n  quincunx rules castle-builders | less")]
    Rules {
        /// A game, such as trexo
        game: String,
    },

    /// Play a game here, full screen: against engines, or everybody at one keyboard, hidden hands hidden from the others
    #[command(after_help = "Examples:
  quincunx play
  quincunx play trexo --seat 1=club
  quincunx play trexo
  quincunx play mod-x --seats 4 --options '{\"teams\":true}' --save evening.txt
  quincunx play --resume evening.txt")]
    Play(play::Play),

    /// Watch engines play against each other, full screen, as fast as you like
    #[command(after_help = "Examples:
  quincunx watch trexo master expert
  quincunx watch x-marks-the-spot master club casual novice
  quincunx watch mod-x --seats 3 --options '{\"target\":10}'")]
    Watch(play::Watch),

    /// Draw any position of a record as text
    #[command(after_help = "Examples:
  quincunx show game.txt
  quincunx show game.txt --ply 20 --seat 1
  quincunx show game.txt --seat spectator --json")]
    Show {
        /// A record, as text or JSON; - reads standard input
        record: String,
        /// After this many actions, chance included [default: all]
        #[arg(long)]
        ply: Option<usize>,
        /// As this seat sees it: a number, or "spectator" [default: everything]
        #[arg(long)]
        seat: Option<String>,
        /// The position as JSON
        #[arg(long)]
        json: bool,
    },

    /// Look through a record, full screen: move by move, with what an engine makes of it
    #[command(after_help = "Example:\n  quincunx replay game.txt")]
    Replay(play::Replay),

    /// Check records: names line and reason of what is wrong, and ends with code 2 if anything is
    #[command(after_help = "Example:\n  quincunx check records/*.txt")]
    Check {
        /// Records, as text or JSON; - reads standard input
        #[arg(required = true)]
        records: Vec<String>,
        /// One JSON object a record
        #[arg(long)]
        json: bool,
    },

    /// Convert a record from text to JSON or back, having checked it
    #[command(after_help = "Examples:
  quincunx convert game.txt > game.json
  quincunx convert game.json > game.txt")]
    Convert {
        /// A record, as text or JSON; - reads standard input
        record: String,
        /// The form to write [default: the other one]
        #[arg(long)]
        to: Option<Form>,
    },

    /// Answer JSON-RPC 2.0 on standard input and output, one message a line
    #[command(after_help = "Example:
  echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"new\",\"params\":{\"game\":\"trexo\"}}' | quincunx rpc")]
    Rpc,

    /// What an engine would play at the end of a record
    #[command(after_help = "Examples:
  quincunx bestmove game.txt --lines 5
  quincunx bestmove game.txt --level mcts --nodes 20000 --json")]
    Bestmove(think::BestMove),

    /// What an engine thinks of every move of a record, with the mistakes
    #[command(after_help = "Examples:
  quincunx analyse game.txt --millis 100
  quincunx analyse game.txt --level mcts --nodes 2000 --svg game.svg --json")]
    Analyse(analyse::Analyse),

    /// Let players play against each other, and tell by how much one is stronger
    #[command(after_help = "Examples:
  quincunx match --game mod-x --players mcts@50ms greedy --games 100
  quincunx match --game mod-x --seats 4 --players mcts@20ms random --games 60 --records games
  quincunx match --game castle-builders --players mcts@2000nodes mcts@500nodes --sprt 0 50 --games 2000")]
    Match(contest::Match),

    /// Let many players play everybody against everybody, and rate them
    #[command(after_help = "Example:
  quincunx tournament --game mod-x --players mcts@50ms mcts@10ms greedy random --games 20")]
    Tournament(contest::Tournament),

    /// Let an engine play against itself, and tell how far one can trust what it expects
    #[command(after_help = "Examples:
  quincunx calibrate trexo --nodes 2000 --svg trexo.svg
  quincunx calibrate mod-x --seats 3 --games 400 --json")]
    Calibrate(calibrate::Calibrate),

    /// Be a bot: play for whoever speaks the bot protocol on standard input and output
    #[command(after_help = "Example:
  quincunx match --game trexo --players 'cmd:quincunx bot club' mcts --games 10")]
    Bot {
        /// Who thinks: beginner, novice, casual, club, strong, expert, master, mcts, greedy or random
        level: Engine,
        #[command(flatten)]
        machine: think::Machine,
    },

    /// Print a JSON Schema: of a game's options, or of the view in its positions
    #[command(after_help = "Examples:
  quincunx schema figures view
  quincunx schema reasons        # the codes of all that is refused, with the names of their arguments")]
    Schema {
        /// A game, such as trexo; or reasons
        game: String,
        /// Of what
        #[arg(default_value = "options")]
        of: SchemaOf,
    },

    /// Count the sequences of actions up to a depth, to compare rules with rules
    #[command(after_help = "Examples:
  quincunx perft trexo 3
  quincunx perft mod-x 4 --seats 3 --options '{\"claims\":\"manual\"}'
  quincunx perft --record game.txt 2")]
    Perft {
        /// A game and a depth; with --record only the depth
        #[arg(num_args = 1..=2, required = true, value_names = ["GAME", "DEPTH"])]
        what: Vec<String>,
        #[command(flatten)]
        start: Start,
        /// Start from the end of this record
        #[arg(long, conflicts_with_all = ["seats", "options"])]
        record: Option<String>,
        /// One JSON object a depth
        #[arg(long)]
        json: bool,
    },

    /// Host tables for people, bots and engines
    #[command(after_help = "Examples:
  quincunx serve
  quincunx serve --listen 0.0.0.0:5105 --data /var/lib/quincunx
  quincunx serve --database postgres://quincunx:secret@db/quincunx --nats nats://queue:4222
  quincunx serve --show-config")]
    Serve(serve::Serve),

    /// Think for the servers that share a NATS server: engines' moves and analyses
    #[command(after_help = "Example:
  quincunx worker --nats nats://queue:4222 --thinkers 8")]
    Worker(serve::Worker),

    /// Look after what a server keeps: list, ban, back up, export, import
    #[command(after_help = "Examples:
  quincunx admin list users --banned
  quincunx admin --data /var/lib/quincunx backup /backup/today.db
  quincunx admin export games")]
    Admin(admin::Admin),

    /// Measure speed
    #[command(subcommand)]
    Bench(Bench),

    /// Print completions for a shell
    #[command(
        after_help = "Example:\n  quincunx completions bash > ~/.local/share/bash-completion/completions/quincunx"
    )]
    Completions { shell: clap_complete::Shell },
}

#[derive(Subcommand)]
enum Bench {
    /// Random games to the end on one thread: games and actions a second, mean length
    #[command(after_help = "Examples:
  quincunx bench playouts
  quincunx bench playouts mod-x --seats 4 --seconds 10 --json")]
    Playouts(bench::Playouts),

    /// A server of its own under load: real games over live connections, or idle ones
    #[command(after_help = "Examples:
  quincunx bench server
  quincunx bench server --memory --game castle-builders --tables 400
  quincunx bench server --idle 10000")]
    Server(load::ServerBench),
}

/// How a game is set up.
#[derive(Args, Default)]
struct Start {
    /// Number of seats [default: the smallest]
    #[arg(long)]
    seats: Option<u64>,
    /// Options of the game as a JSON object, such as '{"size":8}'
    #[arg(long, value_name = "JSON", default_value = "{}")]
    options: String,
}

impl Start {
    fn table(&self, game: &str) -> Result<Box<dyn DynSession>, Failure> {
        let kind = find(GAMES, game)?;
        let options: Value =
            serde_json::from_str(&self.options).map_err(|error| format!("--options is not JSON: {error}"))?;
        Ok(kind.start(self.seats, &options)?)
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    Text,
    Json,
}

#[derive(Clone, Copy, ValueEnum)]
enum SchemaOf {
    Options,
    View,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    // Everything is written with colours; the stream takes them out where there is no terminal to show them.
    // It is not locked, as another thread must be able to give the terminal back.
    let mut out = anstream::stdout();
    let done = run(cli.command, &mut out).and_then(|()| Ok(out.flush()?));
    match done {
        // A closed pipe: whoever reads has seen enough, as in `quincunx rules trexo | head`.
        Ok(()) | Err(Failure::ClosedPipe) => ExitCode::SUCCESS,
        Err(Failure::Said) => ExitCode::from(2),
        Err(Failure::Because(why)) => {
            anstream::eprintln!("{}error:{:#} {why}", failure::STYLE, failure::STYLE);
            ExitCode::from(2)
        }
    }
}

fn run(command: Command, out: &mut impl Write) -> Result<(), Failure> {
    match command {
        Command::Games { json } => commands::games(json, out),
        Command::Rules { game } => commands::rules(&game, out),
        Command::Play(play) => play.run(out),
        Command::Watch(watch) => watch.run(out),
        Command::Show { record, ply, seat, json } => commands::show(&record, ply, seat.as_deref(), json, out),
        Command::Replay(replay) => replay.run(),
        Command::Check { records, json } => commands::check(&records, json, out),
        Command::Convert { record, to } => commands::convert(&record, to, out),
        Command::Rpc => commands::rpc(out),
        Command::Bestmove(best_move) => best_move.run(out),
        Command::Analyse(analyse) => analyse.run(out),
        Command::Bot { level, machine } => bot::run(level, machine, out),
        Command::Match(contest) => contest.run(out),
        Command::Tournament(tournament) => tournament.run(out),
        Command::Calibrate(calibrate) => calibrate.run(out),
        Command::Schema { game, of } => commands::schema(&game, of, out),
        Command::Perft { what, start, record, json } => {
            let (table, depth) = perft_start(&what, &start, record.as_deref())?;
            bench::perft(&*table, depth, json, out)
        }
        Command::Serve(serve) => serve.run(out),
        Command::Worker(worker) => worker.run(out),
        Command::Admin(admin) => admin.run(out),
        Command::Bench(Bench::Playouts(playouts)) => playouts.run(out),
        Command::Bench(Bench::Server(server)) => server.run(out),
        Command::Completions { shell } => {
            clap_complete::generate(shell, &mut Cli::command(), "quincunx", out);
            Ok(())
        }
    }
}

fn perft_start(what: &[String], start: &Start, record: Option<&str>) -> Result<(Box<dyn DynSession>, u32), Failure> {
    let (table, depth) = match (what, record) {
        ([depth], Some(record)) => (files::replay(record)?, depth),
        ([game, depth], None) => (start.table(game)?, depth),
        ([_], None) => return Err("perft needs a game and a depth, such as: quincunx perft trexo 3".into()),
        _ => return Err("with --record the game is known: give only the depth".into()),
    };
    let depth = depth.parse().map_err(|_| format!("the depth is a whole number, not {depth:?}"))?;
    Ok((table, depth))
}

/// Reads a `--seat`.
fn viewer(seat: Option<&str>, seats: u8) -> Result<Viewer, Failure> {
    match seat {
        None => Ok(Viewer::Everything),
        Some("spectator") => Ok(Viewer::Spectator),
        Some(text) => {
            let seat = text.parse().ok().and_then(|number| Seat::at_table(number, seats));
            let seat = seat.ok_or_else(|| format!("--seat is 0 to {} or \"spectator\", not {text:?}", seats - 1))?;
            Ok(Viewer::Seat(seat))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }
}
