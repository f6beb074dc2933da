//! A game at this machine: people at one keyboard, and engines that think in the background.

#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use quincunx_arena::{Contestant, Decider};
use quincunx_core::{DynSession, OutcomeJson, Record, Seat, Turn, Viewer};
use quincunx_engine::{Engine, Level, Thought};

use super::{Hint, Player, Source, Stage, advise};
use crate::app::Key;
use crate::event::{Decided, News, Reporter};
use crate::host::Host;
use crate::moment::{Moment, Said};

/// Who sits on a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sitter {
    Person,
    Engine(Contestant),
}

/// Time for the whole game, and what is added for every move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    pub time: Duration,
    pub increment: Duration,
}

/// How a game at this machine begins.
#[derive(Debug)]
pub struct Opening {
    /// New, or as far as it was played before.
    pub table: Box<dyn DynSession>,
    /// For each seat.
    pub sitters: Vec<Sitter>,
    pub clock: Option<TimeControl>,
    /// Where the game is kept.
    pub file: Option<PathBuf>,
}

/// How engines play that are watched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Pace {
    paused: bool,
    /// Which of [`PAUSES`] comes before a move.
    speed: usize,
    /// When the next move may come.
    next: Instant,
}

/// The times between moves that are watched, in milliseconds.
const PAUSES: [u64; 7] = [0, 125, 250, 500, 1000, 2000, 4000];

/// A game at this machine.
pub struct Local {
    /// Tells the news of this game from those of another one.
    party: u64,
    host: Host,
    chairs: Vec<Chair>,
    moment: Moment,
    log: Vec<Said>,
    /// Whose eyes are before the screen.
    looking: Option<Seat>,
    covered: bool,
    clocks: Option<Clocks>,
    /// Whose time was up, where that ends the game.
    out_of_time: Option<Seat>,
    thinking: Option<Thinking>,
    /// The seats that have been asked about this position and rather wait.
    waiting: Vec<Seat>,
    hint: Advice,
    /// Only where nobody plays but engines.
    pace: Option<Pace>,
    notice: Option<String>,
    reporter: Reporter,
}

impl std::fmt::Debug for Local {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Local").field("host", &self.host).finish_non_exhaustive()
    }
}

struct Chair {
    name: String,
    sitter: Sitter,
    /// Away while it thinks.
    decider: Option<Box<dyn Decider>>,
}

/// A player who thinks now.
struct Thinking {
    seat: Seat,
    stop: Arc<AtomicBool>,
}

enum Advice {
    None,
    Thinking,
    Given(Thought<String>),
}

struct Clocks {
    control: TimeControl,
    left: Vec<Duration>,
    running: Option<(Seat, Instant)>,
}

impl Clocks {
    fn new(control: TimeControl, seats: u8) -> Self {
        Self { control, left: vec![control.time; usize::from(seats)], running: None }
    }

    /// The seat that has to act now, or nobody. The clock runs on while the same seat has to act.
    fn hand_over(&mut self, to: Option<Seat>) {
        if self.running.map(|(seat, _)| seat) == to {
            return;
        }
        if let Some((seat, since)) = self.running.take() {
            let left = &mut self.left[seat.index()];
            *left = left.saturating_sub(since.elapsed()) + self.control.increment;
        }
        self.running = to.map(|seat| (seat, Instant::now()));
    }

    fn left(&self, seat: Seat) -> Duration {
        let used = self.running.filter(|(running, _)| *running == seat).map(|(_, since)| since.elapsed());
        self.left[seat.index()].saturating_sub(used.unwrap_or_default())
    }

    fn fallen(&self) -> Option<Seat> {
        self.running.map(|(seat, _)| seat).filter(|&seat| self.left(seat).is_zero())
    }
}

impl Local {
    pub fn new(opening: Opening, reporter: Reporter) -> Result<Self, String> {
        static PARTIES: AtomicU64 = AtomicU64::new(0);
        let Opening { table, sitters, clock, file } = opening;
        let headers = table.headers().clone();
        let host = Host::new(table, file)?;
        let mut chairs = Vec::new();
        for (seat, sitter) in Seat::all(host.table().seats()).zip(sitters) {
            let name = match &sitter {
                Sitter::Person => {
                    headers.get(&format!("Player {seat}")).cloned().unwrap_or_else(|| format!("Seat {seat}"))
                }
                Sitter::Engine(player) => player.to_string(),
            };
            let decider = sit(&sitter, host.table(), seat)?;
            chairs.push(Chair { name, sitter, decider });
        }
        let watched = chairs.iter().all(|chair| chair.sitter != Sitter::Person);
        let clocks = clock.map(|control| Clocks::new(control, host.table().seats()));
        let mut local = Self {
            party: PARTIES.fetch_add(1, Ordering::Relaxed),
            host,
            chairs,
            moment: Moment::default(),
            log: Vec::new(),
            looking: None,
            covered: false,
            clocks,
            out_of_time: None,
            thinking: None,
            waiting: Vec::new(),
            hint: Advice::None,
            pace: watched.then(|| Pace { paused: false, speed: 3, next: Instant::now() }),
            notice: None,
            reporter,
        };
        local.go_on();
        Ok(local)
    }

    /// The seats of people.
    fn people(&self) -> impl Iterator<Item = Seat> + '_ {
        Seat::all(self.host.table().seats()).filter(|seat| self.is_person(*seat))
    }

    fn is_person(&self, seat: Seat) -> bool {
        self.chairs[seat.index()].sitter == Sitter::Person
    }

    fn is_over(&self) -> bool {
        self.out_of_time.is_some() || self.host.table().turn() == Turn::Over
    }

    /// The game has another position now: chance draws, the clocks and the eyes before the screen change, engines think.
    fn go_on(&mut self) {
        self.waiting.clear();
        self.hint = Advice::None;
        if let Err(why) = self.host.draw_all().and_then(|()| self.host.keep()) {
            self.notice = Some(why);
        }
        let on_turn = match self.host.table().turn() {
            Turn::Seat(seat) => Some(seat),
            Turn::Chance | Turn::Over => None,
        };
        let fallen = self.out_of_time.is_some();
        if let Some(clocks) = &mut self.clocks {
            clocks.hand_over(on_turn.filter(|_| !fallen));
        }
        self.choose_eyes(on_turn);
        self.look();
        if let Some(pace) = &mut self.pace {
            pace.next = Instant::now() + Duration::from_millis(PAUSES[pace.speed]);
        }
        self.let_engines_think();
    }

    /// Who sits before the screen: a single person always, of several the one who is on turn.
    fn choose_eyes(&mut self, on_turn: Option<Seat>) {
        let mut people = self.people();
        let first = people.next();
        let alone = people.next().is_none();
        drop(people);
        if alone {
            self.looking = first;
        } else if let Some(seat) = on_turn.filter(|&seat| self.is_person(seat) && self.looking != Some(seat)) {
            // Where nothing is hidden, nobody has to look away.
            self.covered = self.host.table().kind().hidden_information();
            self.looking = Some(seat);
        }
    }

    fn look(&mut self) {
        // Who only watches engines sees everything, and so does everybody when the game is over.
        let viewer = match self.looking {
            Some(seat) if !self.is_over() => Viewer::Seat(seat),
            _ => Viewer::Everything,
        };
        let table = self.host.table();
        self.moment = Moment::of(table, viewer);
        if self.out_of_time.is_some() {
            self.moment.offers.clear();
        }
        self.log = table.log(viewer).into_iter().map(Into::into).collect();
    }

    /// Asks the next engine that may act, unless one thinks already.
    fn let_engines_think(&mut self) {
        let held = self.pace.is_some_and(|pace| pace.paused || Instant::now() < pace.next);
        if self.thinking.is_some() || self.is_over() || held {
            return;
        }
        let may_act = self.host.may_act();
        let asked = may_act.into_iter().find(|seat| !self.is_person(*seat) && !self.waiting.contains(seat));
        let Some(seat) = asked else { return };
        let Some(mut decider) = self.chairs[seat.index()].decider.take() else { return };
        let (party, ply, seed) = (self.party, self.host.table().ply(), self.host.seed());
        let (table, reporter, stop) =
            (self.host.table().boxed_clone(), self.reporter.clone(), Arc::new(AtomicBool::new(false)));
        self.thinking = Some(Thinking { seat, stop: stop.clone() });
        thread::spawn(move || {
            let action = decider.decide(&*table, seat, seed, &stop);
            reporter.tell(News::Decided(Decided { party, seat, ply, decider, action }));
        });
    }

    /// A player comes back with a decision. One about a position that is no longer there is passed over.
    fn decided(&mut self, Decided { seat, ply, decider, action, .. }: Decided) {
        self.chairs[seat.index()].decider = Some(decider);
        let Some(thinking) = self.thinking.take() else { return };
        let stale = thinking.stop.load(Ordering::Relaxed) || ply != self.host.table().ply() || self.is_over();
        if stale {
            self.let_engines_think();
            return;
        }
        match action {
            Ok(None) => {
                self.waiting.push(seat);
                self.let_engines_think();
            }
            Ok(Some(action)) => match self.host.act(Some(u64::from(seat.number())), &action) {
                Ok(()) => self.go_on(),
                Err(why) => self.lose_player(seat, &why),
            },
            Err(why) => self.lose_player(seat, &why),
        }
    }

    /// A player cannot play on, such as a program that has ended: whoever sits here plays its seat.
    fn lose_player(&mut self, seat: Seat, why: &str) {
        let chair = &mut self.chairs[seat.index()];
        self.notice = Some(format!("{} cannot play on, its seat is yours now: {why}", chair.name));
        (chair.sitter, chair.decider, self.pace) = (Sitter::Person, None, None);
        self.go_on();
    }

    /// What the engine thinks of is not asked for any more.
    fn stop_thinking(&self) {
        if let Some(thinking) = &self.thinking {
            thinking.stop.store(true, Ordering::Relaxed);
        }
    }

    fn undo(&mut self) -> Result<(), String> {
        let people: Vec<Seat> = self.people().collect();
        if people.is_empty() {
            return Err("Engines take nothing back.".to_owned());
        }
        self.host.undo(1, |seat| people.contains(&seat)).map_err(|_| "There is nothing to take back.".to_owned())?;
        self.stop_thinking();
        self.out_of_time = None;
        self.go_on();
        Ok(())
    }

    /// The time of a seat is up. Between two sides the other one wins; else the engine plays on for it.
    fn flag_falls(&mut self, seat: Seat) {
        let table = self.host.table();
        let sides = Seat::all(table.seats()).map(|seat| table.side(seat)).max().unwrap_or(0) + 1;
        if sides <= 2 {
            self.out_of_time = Some(seat);
            self.stop_thinking();
        } else {
            let club = Sitter::Engine(Engine::Level(Level::Club).into());
            if let Ok(decider) = sit(&club, table, seat) {
                let name = std::mem::take(&mut self.chairs[seat.index()].name);
                self.notice = Some(format!("The time of {name} is up: the engine plays on."));
                self.chairs[seat.index()] = Chair { name: format!("{name} (engine)"), sitter: club, decider };
            }
            if let Some(clocks) = &mut self.clocks {
                clocks.left[seat.index()] = clocks.control.time;
                clocks.running = Some((seat, Instant::now()));
            }
        }
        self.go_on();
    }

    fn change_speed(&mut self, faster: bool) -> Option<String> {
        let pace = self.pace.as_mut()?;
        pace.speed = if faster { pace.speed.saturating_sub(1) } else { (pace.speed + 1).min(PAUSES.len() - 1) };
        pace.next = Instant::now() + Duration::from_millis(PAUSES[pace.speed]);
        Some(match PAUSES[pace.speed] {
            0 => "As fast as they think.".to_owned(),
            millis => format!("A move every {} s, if they are quick enough.", millis as f64 / 1000.0),
        })
    }
}

/// Lets an engine sit down at a table.
fn sit(sitter: &Sitter, table: &dyn DynSession, seat: Seat) -> Result<Option<Box<dyn Decider>>, String> {
    match sitter {
        Sitter::Person => Ok(None),
        Sitter::Engine(player) => player.sit(table, seat).map(Some).map_err(|why| format!("{player}: {why}")),
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        self.stop_thinking();
    }
}

impl Source for Local {
    fn title(&self) -> String {
        self.host.table().kind().title().to_owned()
    }

    fn moment(&self) -> &Moment {
        &self.moment
    }

    fn log(&self) -> &[Said] {
        &self.log
    }

    fn players(&self) -> Vec<Player> {
        let thinking = self.thinking.as_ref().map(|thinking| thinking.seat);
        let player = |(seat, chair): (Seat, &Chair)| Player {
            name: chair.name.clone(),
            note: (thinking == Some(seat)).then(|| "thinks".to_owned()),
            clock: self.clocks.as_ref().map(|clocks| clocks.left(seat)),
        };
        Seat::all(self.host.table().seats()).zip(&self.chairs).map(player).collect()
    }

    fn stage(&self) -> Stage {
        if let Some(seat) = self.out_of_time {
            return Stage::Over(format!("{} is out of time.", self.chairs[seat.index()].name));
        }
        if let Some(outcome) = &self.moment.outcome {
            let names: Vec<&str> = self.chairs.iter().map(|chair| chair.name.as_str()).collect();
            return Stage::Over(in_words(outcome, &names));
        }
        match self.looking.filter(|_| self.covered) {
            Some(seat) => Stage::Covered(seat.number()),
            None => Stage::Playing,
        }
    }

    fn act(&mut self, action: &str) -> Result<(), String> {
        if self.out_of_time.is_some() {
            return Err("The time is up.".to_owned());
        }
        // Whoever acts out of turn says so, as in the log: `2: claim c3`.
        let (by, action) = match action.split_once(": ") {
            Some((label, action)) if label.bytes().all(|byte| byte.is_ascii_digit()) => (label.parse().ok(), action),
            _ => (self.looking.map(|seat| u64::from(seat.number())), action),
        };
        let seat = by.and_then(|number| Seat::at_table(number, self.host.table().seats()));
        if let Some(seat) = seat.filter(|&seat| !self.is_person(seat)) {
            return Err(format!("Seat {seat} is played by an engine."));
        }
        self.host.act(by, action)?;
        self.stop_thinking();
        self.go_on();
        Ok(())
    }

    fn uncover(&mut self) {
        self.covered = false;
    }

    fn commands(&self) -> Vec<Key> {
        match self.pace {
            Some(_) => {
                vec![("Space", "pause, go on"), ("+ -", "faster, slower"), (".", "one move, while it is paused")]
            }
            None => vec![("u", "take back your last action")],
        }
    }

    fn command(&mut self, key: &str) -> Result<Option<String>, String> {
        match (key, &mut self.pace) {
            ("u", None) => self.undo().map(|()| Some("Taken back.".to_owned())),
            (" ", Some(pace)) => {
                pace.paused = !pace.paused;
                let said = if pace.paused { "Paused; Space goes on." } else { "" };
                self.let_engines_think();
                Ok(Some(said.to_owned()))
            }
            (".", Some(pace)) if pace.paused => {
                *pace = Pace { paused: false, next: Instant::now(), ..*pace };
                self.let_engines_think();
                if let Some(pace) = &mut self.pace {
                    pace.paused = true;
                }
                Ok(None)
            }
            ("+" | "=", Some(_)) => Ok(self.change_speed(true)),
            ("-", Some(_)) => Ok(self.change_speed(false)),
            _ => Ok(None),
        }
    }

    fn ask_hint(&mut self) -> Result<(), String> {
        let Turn::Seat(seat) = self.host.table().turn() else { return Err("Nobody is on turn.".to_owned()) };
        if self.is_over() || self.looking != Some(seat) {
            return Err("A hint is for whoever is on turn.".to_owned());
        }
        let (table, seed) = (self.host.table().boxed_clone(), self.host.seed());
        advise(table, seat, seed, self.party, self.reporter.clone())?;
        self.hint = Advice::Thinking;
        Ok(())
    }

    fn hint(&self) -> Hint<'_> {
        match &self.hint {
            Advice::None => Hint::None,
            Advice::Thinking => Hint::Thinking,
            Advice::Given(thought) => Hint::Given(thought),
        }
    }

    fn hear(&mut self, news: &mut Option<News>) -> bool {
        let ours = match news {
            Some(News::Decided(decided)) => decided.party == self.party,
            Some(News::Hinted { party, .. }) => *party == self.party,
            _ => false,
        };
        match news.take_if(|_| ours) {
            Some(News::Decided(decided)) => self.decided(decided),
            Some(News::Hinted { ply, thought, .. }) if ply == self.host.table().ply() => {
                self.hint = thought.map_or(Advice::None, Advice::Given);
            }
            _ => {}
        }
        ours
    }

    fn tick(&mut self) -> bool {
        if let Some(seat) = self.clocks.as_ref().and_then(Clocks::fallen).filter(|_| !self.is_over()) {
            self.flag_falls(seat);
        }
        self.let_engines_think();
        true
    }

    fn pace(&self) -> Option<Duration> {
        let moves = self.clocks.is_some() || self.pace.is_some();
        (moves && !self.is_over()).then_some(Duration::from_millis(100))
    }

    fn notice(&mut self) -> Option<String> {
        self.notice.take()
    }

    fn record(&mut self) -> Result<Record, String> {
        Ok(self.host.table().record())
    }
}

/// How a game ended between those who play it.
pub fn in_words(outcome: &OutcomeJson, names: &[impl AsRef<str>]) -> String {
    let name = |&seat: &u8| names.get(usize::from(seat)).map(AsRef::as_ref);
    let winners: Vec<&str> = outcome.winners.iter().filter_map(name).collect();
    let reason = outcome.reason.replace('-', " ");
    match winners.as_slice() {
        [] => format!("A draw: {reason}."),
        [one] => format!("{one} wins: {reason}."),
        several => format!("{} win: {reason}.", several.join(" and ")),
    }
}
