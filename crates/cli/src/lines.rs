//! Play line by line, for pipes and screen readers: people at one keyboard, and engines in the seats they are given.

use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::atomic::AtomicBool;

use quincunx_arena::{Contestant, Decider};
use quincunx_core::{Actor, Seat, Step, Turn, Viewer};
use quincunx_engine::{Engine, Level};
use quincunx_terminal::files;
use quincunx_terminal::host::Host;
use quincunx_terminal::source::local::{Opening, Sitter};

use crate::commands::{BOLD, QUIET, status};
use crate::failure::Failure;

const HELP: &str = "An action is typed as in the rules (see: quincunx rules <game>). Besides:
  actions        what you may do now
  hint           what an engine would do
  undo [n]       take back the last n actions of people (1), and what came after them
  2: <action>    an action of seat 2, out of turn
  log            what happened so far
  save <file>    write the game as a record
  help, quit";

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
    host: Host,
    /// For each seat the engine that plays it, if one does.
    engines: Vec<Option<Opponent>>,
    /// The seat that sits before the screen.
    looking: Option<Seat>,
    /// Whether the screen is handed over when hands are hidden: only where a person looks at a screen.
    hand_over: bool,
}

/// Plays a game line by line, until it is over or somebody leaves.
pub(crate) fn play(opening: Opening, input: &mut impl BufRead, out: &mut impl Write) -> Result<(), Failure> {
    let Opening { table, sitters, file, .. } = opening;
    let mut engines: Vec<Option<Opponent>> = Vec::new();
    for (seat, sitter) in Seat::all(table.seats()).zip(&sitters) {
        engines.push(match sitter {
            Sitter::Person => None,
            Sitter::Engine(player) => {
                let decider = player.sit(&*table, seat).map_err(|why| format!("{player}: {why}"))?;
                Some(Opponent { name: player.to_string(), decider })
            }
        });
    }
    // With a single person there is nobody to hide a hand from.
    let people = engines.iter().filter(|engine| engine.is_none()).count();
    let hand_over = people > 1 && io::stdin().is_terminal() && io::stdout().is_terminal();
    Evening { host: Host::new(table, file)?, engines, looking: None, hand_over }.play(input, out)
}

impl Evening {
    fn play(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> Result<(), Failure> {
        writeln!(
            out,
            "{BOLD}{}{BOLD:#} for {}. Type help for help.",
            self.host.table().kind().title(),
            self.host.table().seats()
        )?;
        loop {
            self.draw_all(out)?;
            if self.let_engines_play(out)? {
                continue;
            }
            let Turn::Seat(seat) = self.host.table().turn() else { break };
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
        writeln!(
            out,
            "\n{}\n\n{}",
            self.host.table().picture(Viewer::Spectator, true).trim_end(),
            status(self.host.table())
        )?;
        Ok(())
    }

    /// Draws whatever chance has to draw.
    fn draw_all(&mut self, out: &mut impl Write) -> Result<(), Failure> {
        if self.host.table().turn() == Turn::Chance {
            self.host.draw_all()?;
            self.keep(out)?;
        }
        Ok(())
    }

    /// Lets an engine act that is on turn, or that acts out of turn. False if none does.
    fn let_engines_play(&mut self, out: &mut impl Write) -> Result<bool, Failure> {
        for seat in self.host.may_act() {
            let seed = self.host.seed();
            let Some(engine) = &mut self.engines[seat.index()] else { continue };
            let name = engine.name.clone();
            let decided = engine.decider.decide(self.host.table(), seat, seed, &AtomicBool::new(false));
            if let Some(action) = decided.map_err(|why| format!("{name}: {why}"))? {
                let applied = self.host.act(Some(u64::from(seat.number())), &action);
                applied.map_err(|why| format!("{name}: {why}"))?;
                self.keep(out)?;
                let viewer = self.looking.map_or(Viewer::Spectator, Viewer::Seat);
                let shown = self.host.table().log(viewer).pop().map_or(action, |step| step.action);
                writeln!(out, "seat {seat} ({name}): {shown}")?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Shows the table to the seat on turn; first, if it has something to hide, lets that seat come to the screen.
    /// False if the input has ended.
    fn show(&mut self, seat: Seat, input: &mut impl BufRead, out: &mut impl Write) -> Result<bool, Failure> {
        let picture = self.host.table().picture(Viewer::Seat(seat), true);
        let hidden = picture != self.host.table().picture(Viewer::Spectator, true);
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
                let (seed, never) = (self.host.seed(), AtomicBool::new(false));
                let mut master = master.sit(self.host.table(), seat)?;
                let hint = master.decide(self.host.table(), seat, seed, &never)?;
                writeln!(out, "{}", hint.unwrap_or_else(|| "wait".to_owned()))?;
            }
            ("log", "") => self.print_log(seat, out)?,
            ("save", path) if !path.is_empty() => match files::write(path, &self.host.table().record()) {
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
                match self.host.act(by, action) {
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
        let unbroken: Vec<String> =
            self.host.table().offers(seat).iter().map(|text| text.replace(' ', "\u{a0}")).collect();
        let width = textwrap::termwidth().clamp(20, 100);
        writeln!(out, "{}", textwrap::fill(&unbroken.join("  "), width).replace('\u{a0}', " "))
    }

    fn print_log(&self, seat: Seat, out: &mut impl Write) -> io::Result<()> {
        for Step { by, action } in self.host.table().log(Viewer::Seat(seat)) {
            match by {
                Actor::Seat(seat) => writeln!(out, "{seat}: {action}")?,
                Actor::Chance => writeln!(out, "{QUIET}   {action}{QUIET:#}")?,
            }
        }
        Ok(())
    }

    /// Takes back so many actions of people, or one.
    fn undo(&mut self, count: &str) -> Result<(), String> {
        let count: usize = if count.is_empty() { Ok(1) } else { count.parse() }
            .map_err(|_| format!("undo takes a number of actions, not {count:?}"))?;
        self.host.undo(count, |seat| self.engines[seat.index()].is_none())
    }

    /// Writes the game to the file it is kept in, if there is one. A failure is told and does not end the game.
    fn keep(&self, out: &mut impl Write) -> io::Result<()> {
        match self.host.keep() {
            Ok(()) => Ok(()),
            Err(why) => writeln!(out, "{why}"),
        }
    }
}

/// A typed line, or `None` at the end of the input. No person types a line as long as the limit.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    const MOST: u64 = 10_000;
    let mut line = Vec::new();
    let read = io::Read::take(&mut *input, MOST).read_until(b'\n', &mut line)?;
    Ok((read > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
}
