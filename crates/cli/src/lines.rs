//! Play line by line, for pipes and screen readers: people at one keyboard, and engines in the seats they are given.

use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, channel};

use quincunx_arena::Contestant;
use quincunx_client::{Connection, Event};
use quincunx_core::{Actor, DynSession, Seat, Step, TurnJson, Viewer, find};
use quincunx_engine::{Budget, Engine, Level};
use quincunx_games::GAMES;
use quincunx_table::protocol::Snapshot;
use quincunx_table::{Command, Status};
use quincunx_terminal::files;
use quincunx_terminal::host::{Here, Opened, Opening};
use quincunx_terminal::source::in_words;

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

/// What a line that was typed asks for.
enum Next {
    GoOn,
    ShowTable,
    Quit,
}

/// A game that is played line by line.
struct LineGame {
    connection: Connection,
    here: Here,
    events: Receiver<Event>,
    /// Rings when something has happened that was not typed.
    bell: Receiver<()>,
    snapshot: Snapshot,
    /// How many actions have been told.
    told: usize,
    /// Whether the screen is handed over when hands are hidden: only where a person looks at a screen.
    hand_over: bool,
}

/// Plays a game line by line, until it is over or somebody leaves.
pub(crate) fn play(opening: Opening, input: &mut impl BufRead, out: &mut impl Write) -> Result<(), Failure> {
    let (ring, bell) = channel();
    let told = opening.table.ply();
    let opened = Here::open(opening, None, move || {
        // Where nobody listens any more, nobody has to know.
        let _ = ring.send(());
    })?;
    let Opened { connection, here, snapshot, events, .. } = opened;
    // Nobody watches lines at a pace.
    here.play_at_once();
    let hand_over = io::stdin().is_terminal() && io::stdout().is_terminal();
    LineGame { connection, here, events, bell, snapshot, told, hand_over }.play(input, out)
}

impl LineGame {
    fn play(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> Result<(), Failure> {
        let title = find(GAMES, &self.snapshot.setup.game)?.title();
        writeln!(out, "{BOLD}{title}{BOLD:#} for {}. Type help for help.", self.snapshot.position.seats)?;
        let engines_only = self.snapshot.seats.iter().all(|seated| seated.engine.is_some());
        // An engine may have begun before anybody looked.
        self.tell(out)?;
        while let Some(seat) = self.next_person(out)? {
            if engines_only {
                return Err("no engine plays on".into());
            }
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
        let session = self.session()?;
        writeln!(out, "\n{}\n\n{}", session.picture(Viewer::Spectator, true).trim_end(), status(&*session))?;
        if let Some(ending) = self.snapshot.ending.as_ref().filter(|_| session.outcome().is_none()) {
            let names: Vec<String> = (0..session.seats()).map(|seat| format!("Seat {seat}")).collect();
            writeln!(out, "{}", in_words(&ending.winners, &ending.reason, &names))?;
        }
        Ok(())
    }

    fn session(&self) -> Result<Box<dyn DynSession>, Failure> {
        Ok(self.here.session(&self.snapshot.table).ok_or("the table is gone")?)
    }

    /// Tells what engines do until a person is on turn; nothing when the game is over.
    fn next_person(&mut self, out: &mut impl Write) -> Result<Option<Seat>, Failure> {
        loop {
            // What comes after this question rings.
            let thinking = self.here.is_thinking(&self.snapshot.table);
            self.hear(out)?;
            if self.snapshot.status != Status::Playing {
                return Ok(None);
            }
            if !thinking && let TurnJson::Seat { seat } = self.snapshot.position.turn {
                return Ok(Seat::at_table(seat.into(), self.snapshot.position.seats));
            }
            // It rings no more when the host has ended.
            self.bell.recv().map_err(|_| "the table is gone")?;
        }
    }

    /// Takes what has happened by now, and tells of it. Gives why something was refused, if it was.
    fn hear(&mut self, out: &mut impl Write) -> Result<Option<String>, Failure> {
        let mut refused = None;
        for event in self.events.try_iter().collect::<Vec<_>>() {
            match event {
                Event::Table(snapshot) => {
                    self.snapshot = *snapshot;
                    self.tell(out)?;
                }
                Event::Answered { answer, .. } => refused = answer.err(),
                _ => {}
            }
        }
        for notice in self.here.notices() {
            writeln!(out, "{notice}")?;
        }
        Ok(refused)
    }

    /// Tells what engines have done.
    fn tell(&mut self, out: &mut impl Write) -> io::Result<()> {
        for Step { by, action } in self.snapshot.log.iter().skip(self.told) {
            let engine = |seat: &Seat| self.snapshot.seats.get(seat.index())?.engine.as_ref();
            if let Some((seat, name)) = by.seat().and_then(|seat| Some((seat, engine(&seat)?))) {
                writeln!(out, "seat {seat} ({name}): {action}")?;
            }
        }
        self.told = self.snapshot.log.len();
        Ok(())
    }

    /// Shows the table to the seat on turn; first, if it has something to hide, lets that seat come to the screen.
    /// False if the input has ended.
    fn show(&mut self, seat: Seat, input: &mut impl BufRead, out: &mut impl Write) -> Result<bool, Failure> {
        if let Some(called) = self.snapshot.hand_over {
            if self.hand_over {
                write!(
                    out,
                    "\x1b[2J\x1b[3J\x1b[HThe screen is for seat {seat} now. Press Enter when the others look away. "
                )?;
                out.flush()?;
                if read_line(input)?.is_none() {
                    return Ok(false);
                }
            }
            self.connection.look(&self.snapshot.table, called);
            self.hear(out)?;
        }
        writeln!(out, "\n{}\n", self.session()?.picture(Viewer::Seat(seat), true).trim_end())?;
        Ok(true)
    }

    fn obey(&mut self, line: &str, seat: Seat, out: &mut impl Write) -> Result<Next, Failure> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (word, rest.trim()) {
            ("", _) => return Ok(Next::GoOn),
            ("quit", "") => return Ok(Next::Quit),
            ("help", "") => writeln!(out, "{HELP}")?,
            ("actions", "") => self.list_actions(out)?,
            ("hint", "") => {
                // A hint overlooks nothing, and nobody waits for it.
                let master = Contestant::from(Engine::Level(Level::Master)).with_budget(Budget::HINT);
                let (session, never) = (self.session()?, AtomicBool::new(false));
                let hint = master.sit(&*session, seat)?.decide(&*session, seat, self.snapshot.version, &never)?;
                writeln!(out, "{}", hint.unwrap_or_else(|| "wait".to_owned()))?;
            }
            ("log", "") => self.print_log(out)?,
            ("save", path) if !path.is_empty() => {
                let record = self.here.record(&self.snapshot.table).ok_or("the table is gone")?;
                match files::write(path, &record) {
                    Ok(()) => writeln!(out, "Saved to {path}.")?,
                    Err(error) => writeln!(out, "{path}: {error}")?,
                }
            }
            ("undo", count) => {
                let number: Result<u32, _> = if count.is_empty() { Ok(1) } else { count.parse() };
                match number {
                    Ok(0) => return Ok(Next::ShowTable),
                    Ok(count) if count as usize > self.made_by_people() => {
                        writeln!(out, "so many actions were not made")?;
                    }
                    Ok(count) => return self.command(seat, Command::AskUndo { count }, out),
                    Err(_) => writeln!(out, "undo takes a number of actions, not {count:?}")?,
                }
            }
            _ => {
                let labelled = line.split_once(": ").and_then(|(label, action)| Some((label.parse().ok()?, action)));
                let (by, action) = labelled.map_or((seat.number(), line), |(by, action): (u8, &str)| (by, action));
                let Some(by) = Seat::at_table(by.into(), self.snapshot.position.seats) else {
                    writeln!(out, "There is no seat {by}.")?;
                    return Ok(Next::GoOn);
                };
                return self.command(by, Command::Act { action: action.to_owned(), ply: None }, out);
            }
        }
        Ok(Next::GoOn)
    }

    /// How many actions can be taken back.
    fn made_by_people(&self) -> usize {
        let person = |seat: Seat| self.snapshot.seats.get(seat.index()).is_some_and(|seated| seated.engine.is_none());
        self.snapshot.log.iter().filter(|step| step.by.seat().is_some_and(person)).count()
    }

    /// Does something at the table, and says why not if it is refused.
    fn command(&mut self, seat: Seat, command: Command, out: &mut impl Write) -> Result<Next, Failure> {
        self.connection.command(&self.snapshot.table, Some(seat.number()), command);
        match self.hear(out)? {
            None => Ok(Next::ShowTable),
            Some(why) => {
                writeln!(out, "{why}")?;
                // A flag may have fallen while nobody typed.
                Ok(if self.snapshot.status == Status::Playing { Next::GoOn } else { Next::ShowTable })
            }
        }
    }

    fn list_actions(&self, out: &mut impl Write) -> io::Result<()> {
        // An action of several words stays on one line.
        let offers = self.snapshot.position.actions.iter();
        let unbroken: Vec<String> = offers.map(|offer| offer.action.replace(' ', "\u{a0}")).collect();
        let width = textwrap::termwidth().clamp(20, 100);
        writeln!(out, "{}", textwrap::fill(&unbroken.join("  "), width).replace('\u{a0}', " "))
    }

    fn print_log(&self, out: &mut impl Write) -> io::Result<()> {
        for Step { by, action } in &self.snapshot.log {
            match by {
                Actor::Seat(seat) => writeln!(out, "{seat}: {action}")?,
                Actor::Chance => writeln!(out, "{QUIET}   {action}{QUIET:#}")?,
            }
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
