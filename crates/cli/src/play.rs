//! Play in a plain terminal, line by line: people at one keyboard, and engines in the seats they are given.

use std::io::{self, BufRead, IsTerminal, Write};

use clap::Args;
use quincunx_arena::{Contestant, Decider};
use quincunx_core::{Actor, LogLine, Seat, Table, Turn, Viewer};
use quincunx_engine::{Engine, Level};
use quincunx_games::GAMES;
use rand::{
    Rng,
    rngs::{StdRng, SysRng},
};

use crate::{
    Start,
    commands::{BOLD, QUIET, status},
    failure::Failure,
    records,
    think::Machine,
};

const HELP: &str = "An action is typed as in the rules (see: quincunx rules <game>). Besides:
  actions        what you may do now
  hint           what an engine would do
  undo [n]       take back the last n actions of people (1), and what came after them
  2: <action>    an action of seat 2, out of turn
  log            what happened so far
  save <file>    write the game as a record
  help, quit";

/// Arguments of `play`.
#[derive(Args)]
pub(crate) struct Play {
    /// A game, such as trexo
    #[arg(required_unless_present = "resume", conflicts_with = "resume")]
    game: Option<String>,
    #[command(flatten)]
    start: Start,
    /// Let an engine play a seat, such as 1=club or 1=mcts@500ms
    #[arg(long = "seat", value_name = "SEAT=PLAYER", value_parser = seat_and_player)]
    engines: Vec<(u64, Contestant)>,
    /// Go on with the game in this record
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seats", "options"])]
    resume: Option<String>,
    /// Write the game to this file after every action
    #[arg(long, value_name = "FILE")]
    save: Option<String>,
    #[command(flatten)]
    machine: Machine,
}

impl Play {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let table = match (&self.game, &self.resume) {
            (_, Some(path)) => records::read(path)?.replay(GAMES).map_err(|error| format!("{path}: {error}"))?,
            (Some(game), None) => self.start.table(game)?,
            (None, None) => unreachable!("one of them is required"),
        };
        let rng =
            rand::SeedableRng::try_from_rng(&mut SysRng).map_err(|error| format!("no random numbers: {error}"))?;
        let mut engines: Vec<Option<Opponent>> = (0..table.seats()).map(|_| None).collect();
        for (number, player) in &self.engines {
            let seat = Seat::at_table(*number, table.seats());
            let seat = seat.ok_or_else(|| format!("--seat {number}={player}: there is no seat {number}"))?;
            let decider = self.machine.given_to(player).sit(&*table, seat).map_err(|why| format!("{player}: {why}"))?;
            engines[seat.index()] = Some(Opponent { name: player.to_string(), decider });
        }
        // With a single person there is nobody to hide a hand from.
        let people = engines.iter().filter(|engine| engine.is_none()).count();
        let hand_over = people > 1 && io::stdin().is_terminal() && io::stdout().is_terminal();
        let mut evening = Evening { table, engines, rng, save: self.save.clone(), looking: None, hand_over };
        evening.play(&mut io::stdin().lock(), out)
    }
}

fn seat_and_player(text: &str) -> Result<(u64, Contestant), String> {
    let (seat, player) = text.split_once('=').ok_or("a seat and a player, such as 1=club")?;
    let seat = seat.parse().map_err(|_| format!("{seat:?} is not the number of a seat"))?;
    Ok((seat, player.parse()?))
}

/// An engine or a bot at the table.
struct Opponent {
    name: String,
    decider: Box<dyn Decider>,
}

/// What a line that was typed asks for.
enum Next {
    GoOn,
    ShowTable,
    Quit,
}

struct Evening {
    table: Box<dyn Table>,
    /// For each seat the engine that plays it, if one does.
    engines: Vec<Option<Opponent>>,
    rng: StdRng,
    save: Option<String>,
    /// The seat that sits before the screen.
    looking: Option<Seat>,
    /// Whether the screen is handed over when hands are hidden: only where a person looks at a screen.
    hand_over: bool,
}

impl Evening {
    fn play(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> Result<(), Failure> {
        writeln!(out, "{BOLD}{}{BOLD:#} for {}. Type help for help.", self.table.kind().title(), self.table.seats())?;
        loop {
            self.draw_all(out)?;
            if self.let_engines_play(out)? {
                continue;
            }
            let Turn::Seat(seat) = self.table.turn() else { break };
            if !self.show(seat, input, out)? {
                return Ok(());
            }
            loop {
                write!(out, "seat {seat}> ")?;
                out.flush()?;
                let Some(line) = read_line(input)? else {
                    writeln!(out)?;
                    return Ok(());
                };
                match self.obey(line.trim(), seat, out)? {
                    Next::GoOn => {}
                    Next::ShowTable => break,
                    Next::Quit => return Ok(()),
                }
            }
        }
        writeln!(out, "\n{}\n\n{}", self.table.picture(Viewer::Spectator, true).trim_end(), status(&*self.table))?;
        Ok(())
    }

    /// Draws whatever chance has to draw.
    fn draw_all(&mut self, out: &mut impl Write) -> Result<(), Failure> {
        while self.table.turn() == Turn::Chance {
            self.table.draw(&mut self.rng).map_err(|error| error.to_string())?;
            self.keep(out)?;
        }
        Ok(())
    }

    /// Lets an engine act that is on turn, or that acts out of turn. False if none does.
    fn let_engines_play(&mut self, out: &mut impl Write) -> Result<bool, Failure> {
        let Turn::Seat(on_turn) = self.table.turn() else { return Ok(false) };
        // Who can act out of turn is asked first.
        let others = on_turn.clockwise(self.table.seats()).skip(1);
        for seat in others.chain([on_turn]) {
            let seed = self.rng.next_u64();
            let Some(engine) = &mut self.engines[seat.index()] else { continue };
            if self.table.actions(seat).is_empty() {
                continue;
            }
            let name = engine.name.clone();
            let decided = engine.decider.decide(&*self.table, seat, seed).map_err(|why| format!("{name}: {why}"))?;
            if let Some(action) = decided {
                let applied = self.table.apply(Some(u64::from(seat.number())), &action);
                applied.map_err(|error| format!("{name}: {error}"))?;
                self.keep(out)?;
                let viewer = self.looking.map_or(Viewer::Spectator, Viewer::Seat);
                let shown = self.table.log(viewer).pop().map_or(action, |line| line.text);
                writeln!(out, "seat {seat} ({name}): {shown}")?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Shows the table to the seat on turn; first, if it has something to hide, lets that seat come to the screen.
    /// False if the input has ended.
    fn show(&mut self, seat: Seat, input: &mut impl BufRead, out: &mut impl Write) -> Result<bool, Failure> {
        let picture = self.table.picture(Viewer::Seat(seat), true);
        let hidden = picture != self.table.picture(Viewer::Spectator, true);
        if hidden && self.hand_over && self.looking != Some(seat) {
            write!(
                out,
                "\x1b[2J\x1b[3J\x1b[HThe screen is for seat {seat} now. Press Enter when the others look away. "
            )?;
            out.flush()?;
            if read_line(input)?.is_none() {
                return Ok(false);
            }
        }
        self.looking = Some(seat);
        writeln!(out, "\n{}\n", picture.trim_end())?;
        Ok(true)
    }

    fn obey(&mut self, line: &str, seat: Seat, out: &mut impl Write) -> Result<Next, Failure> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (word, rest.trim()) {
            ("", _) => return Ok(Next::GoOn),
            ("quit", "") => return Ok(Next::Quit),
            ("help", "") => writeln!(out, "{HELP}")?,
            ("actions", "") => self.list_actions(seat, out)?,
            ("hint", "") => {
                // A hint overlooks nothing, and nobody waits for it.
                let master = Contestant::from(Engine::Level(Level::Master)).with_budget(Level::Expert.budget());
                let seed = self.rng.next_u64();
                let hint =
                    master.sit(&*self.table, seat).and_then(|mut master| master.decide(&*self.table, seat, seed));
                writeln!(out, "{}", hint?.unwrap_or_else(|| "wait".to_owned()))?;
            }
            ("log", "") => self.print_log(seat, out)?,
            ("save", path) if !path.is_empty() => match records::write(path, &self.table.record()) {
                Ok(()) => writeln!(out, "Saved to {path}.")?,
                Err(error) => writeln!(out, "{path}: {error}")?,
            },
            ("undo", count) => match self.undo(count) {
                Ok(()) => {
                    self.keep(out)?;
                    return Ok(Next::ShowTable);
                }
                Err(why) => writeln!(out, "{why}")?,
            },
            _ => {
                let (by, action) = match line.split_once(": ") {
                    Some((label, action)) if label.bytes().all(|byte| byte.is_ascii_digit()) => {
                        (label.parse().ok(), action)
                    }
                    _ => (None, line),
                };
                match self.table.apply(by, action) {
                    Ok(()) => {
                        self.keep(out)?;
                        return Ok(Next::ShowTable);
                    }
                    Err(error) => writeln!(out, "{error}")?,
                }
            }
        }
        Ok(Next::GoOn)
    }

    fn list_actions(&self, seat: Seat, out: &mut impl Write) -> io::Result<()> {
        // An action of several words stays on one line.
        let unbroken: Vec<String> = self.table.offers(seat).iter().map(|text| text.replace(' ', "\u{a0}")).collect();
        let width = textwrap::termwidth().clamp(20, 100);
        writeln!(out, "{}", textwrap::fill(&unbroken.join("  "), width).replace('\u{a0}', " "))
    }

    fn print_log(&self, seat: Seat, out: &mut impl Write) -> io::Result<()> {
        for line in self.table.log(Viewer::Seat(seat)) {
            match line.by {
                Actor::Seat(seat) => writeln!(out, "{seat}: {}", line.text)?,
                Actor::Chance => writeln!(out, "{QUIET}   {}{QUIET:#}", line.text)?,
            }
        }
        Ok(())
    }

    /// Takes back the last actions of people; draws of chance and answers of engines after them are taken back too, or
    /// they would only be made again.
    fn undo(&mut self, count: &str) -> Result<(), String> {
        let count: usize = if count.is_empty() { Ok(1) } else { count.parse() }
            .map_err(|_| format!("undo takes a number of actions, not {count:?}"))?;
        let log = self.table.log(Viewer::Spectator);
        let by_person = |line: &LogLine| match line.by {
            Actor::Seat(seat) => self.engines[seat.index()].is_none(),
            Actor::Chance => false,
        };
        let mut by_people = log.iter().enumerate().rev().filter(|(_, line)| by_person(line));
        let keep = match count.checked_sub(1) {
            None => log.len(),
            Some(earlier) => by_people.nth(earlier).ok_or("so many actions were not made")?.0,
        };
        self.table.undo((log.len() - keep) as u64).map_err(|error| error.to_string())
    }

    /// Writes the game to the file it is kept in, if there is one. A failure is told and does not end the game.
    fn keep(&self, out: &mut impl Write) -> io::Result<()> {
        if let Some(path) = &self.save
            && let Err(error) = records::write(path, &self.table.record())
        {
            writeln!(out, "Could not save to {path}: {error}")?;
        }
        Ok(())
    }
}

/// A typed line, or `None` at the end of the input. No person types a line as long as the limit.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    const MOST: u64 = 10_000;
    let mut line = Vec::new();
    let read = io::Read::take(&mut *input, MOST).read_until(b'\n', &mut line)?;
    Ok((read > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
}
