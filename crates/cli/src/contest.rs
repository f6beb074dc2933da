//! `quincunx match` and `quincunx tournament`: players against each other, and what it proves.

use std::{
    fs, io,
    io::Write,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    sync::atomic::Ordering,
    thread,
};

use clap::Args;
use indicatif::ProgressBar;
use quincunx_arena::{Contest, Contestant, Game, Score, Sprt, Standings, Verdict, pairings, play};
use serde_json::json;

use crate::{
    Start,
    commands::BOLD,
    failure::Failure,
    progress::{bar, interruption},
    think::Machine,
};

/// Arguments of `match`.
#[derive(Args)]
pub(crate) struct Match {
    /// A game, such as trexo
    #[arg(long)]
    game: String,
    #[command(flatten)]
    start: Start,
    /// Players: novice, casual, club, expert, master, mcts, greedy, random or cmd:COMMAND, with a budget a move and threads if you like:
    /// master@100ms,2threads
    #[arg(long, num_args = 2..=4, required = true, value_name = "NAME[@BUDGET]")]
    players: Vec<Contestant>,
    /// How many games, rounded up so that every seating comes equally often
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Stop as soon as it is proved that the first player is rather ELO1 than ELO0 stronger, or the other way round
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    /// Write a record of each game to this folder
    #[arg(long, value_name = "FOLDER")]
    records: Option<PathBuf>,
    #[command(flatten)]
    conditions: Conditions,
    /// One JSON object for the whole match
    #[arg(long)]
    json: bool,
}

/// How the games of a match or a tournament are played.
#[derive(Args)]
struct Conditions {
    /// Random actions at the beginning of each game, the same for all seatings
    #[arg(long, default_value_t = 2)]
    opening: u32,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at the same time [default: as many as the cores have threads for]
    #[arg(long, value_name = "GAMES")]
    parallel: Option<NonZeroUsize>,
    #[command(flatten)]
    machine: Machine,
}

impl Conditions {
    fn games_at_once(&self) -> NonZeroUsize {
        let cores = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let fit = NonZeroUsize::new(cores.get() / self.machine.threads).unwrap_or(NonZeroUsize::MIN);
        self.parallel.unwrap_or(fit)
    }
}

/// What the games so far came to.
#[derive(Default)]
struct Tally {
    games: u32,
    wins: Vec<u32>,
    draws: u32,
    /// What went wrong with players, the first time.
    forfeit: Option<String>,
    /// Why a record could not be written, if one could not.
    failed: Option<io::Error>,
}

impl Match {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let table = self.start.table(&self.game)?;
        if let Some(folder) = &self.records {
            fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        let interrupted = interruption()?;
        let players: Vec<Contestant> =
            self.players.iter().map(|player| self.conditions.machine.given_to(player)).collect();
        let contest = Contest {
            table: &*table,
            players: &players,
            games: self.games,
            opening: self.conditions.opening,
            seed: self.conditions.seed,
            threads: self.conditions.games_at_once(),
        };
        let sprt = self.sprt.as_ref().map(|elos| Sprt { elo0: elos[0], elo1: elos[1] });
        let bar = bar(u64::from(self.games), "{bar:30} {pos}/{len}  {msg}  about {eta} left");
        let mut tally = Tally { wins: vec![0; self.players.len()], ..Tally::default() };
        let scores = play(&contest, &mut |game, scores| {
            tally.add(game);
            if let Some(folder) = &self.records {
                tally.failed = tally.failed.take().or(self.write_record(folder, game, tally.games).err());
            }
            show(&bar, &tally, scores);
            let decided = sprt.is_some_and(|sprt| sprt.verdict(&scores[0]).is_some());
            !decided && tally.failed.is_none() && !interrupted.load(Ordering::Relaxed)
        })?;
        bar.finish_and_clear();
        if let Some(error) = tally.failed {
            return Err(format!("cannot write the records: {error}").into());
        }
        if self.json { self.print_json(&tally, &scores, out) } else { self.print(&tally, &scores, sprt, out) }
    }

    /// Writes a record with the names of the players.
    fn write_record(&self, folder: &Path, game: &Game, number: u32) -> io::Result<()> {
        let mut record = game.table.record();
        for (seat, &player) in game.seating.iter().enumerate() {
            record.headers.insert(format!("Player {seat}"), self.players[player].to_string());
        }
        if let Some((seat, why)) = &game.forfeit {
            record.headers.insert("Forfeit".to_owned(), format!("seat {seat}: {why}"));
        }
        record.headers.insert("Round".to_owned(), (game.round + 1).to_string());
        fs::write(folder.join(format!("{}-{number:05}.txt", self.game)), record.to_text())
    }

    fn print_json(&self, tally: &Tally, scores: &[Score], out: &mut impl Write) -> Result<(), Failure> {
        let elo = (scores.len() == 2).then(|| scores[0].elo());
        let round = |number: f64| (number * 10.0).round() / 10.0;
        let line = json!({
            "games": tally.games,
            "players": self.players.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "wins": tally.wins,
            "draws": tally.draws,
            "score": scores.iter().map(|score| (score.mean() * 1e4).round() / 1e4).collect::<Vec<_>>(),
            "elo": elo.map(|elo| round(elo.difference)),
            "elo95": elo.map(|elo| [round(elo.low), round(elo.high)]),
        });
        writeln!(out, "{line}")?;
        Ok(())
    }

    fn print(&self, tally: &Tally, scores: &[Score], sprt: Option<Sprt>, out: &mut impl Write) -> Result<(), Failure> {
        const WIDTH: f64 = 24.0;
        let Tally { games, draws, .. } = tally;
        writeln!(out, "{BOLD}{}, {games} games, {draws} drawn{BOLD:#}", self.game)?;
        for ((player, score), wins) in self.players.iter().zip(scores).zip(&tally.wins) {
            let [low, high] = score.interval().map(|share| share * 100.0);
            let (share, bars) = (score.mean() * 100.0, "▇".repeat((score.mean() * WIDTH).round() as usize));
            writeln!(out, "{:<18}{wins:>6} won {share:>6.1} % [{low:.1}, {high:.1}]  {bars}", player.to_string())?;
        }
        if scores.len() == 2 {
            let elo = scores[0].elo();
            writeln!(out, "Elo difference {:+.0} [{:+.0}, {:+.0}] (95 %)", elo.difference, elo.low, elo.high)?;
        }
        if let Some(why) = &tally.forfeit {
            writeln!(out, "Games were forfeited, first in {why}")?;
        }
        match sprt.map(|sprt| (sprt, sprt.verdict(&scores[0]))) {
            None => {}
            Some((_, None)) => writeln!(out, "The test came to no decision.")?,
            Some((Sprt { elo0, .. }, Some(Verdict::Elo0))) => writeln!(out, "Decided: rather {elo0:+} Elo.")?,
            Some((Sprt { elo1, .. }, Some(Verdict::Elo1))) => writeln!(out, "Decided: rather {elo1:+} Elo.")?,
        }
        Ok(())
    }
}

impl Tally {
    fn add(&mut self, game: &Game) {
        self.games += 1;
        if let (None, Some((seat, why))) = (&self.forfeit, &game.forfeit) {
            self.forfeit = Some(format!("game {}, seat {seat}: {why}", self.games));
        }
        let mut winners: Vec<usize> = game.outcome.winners.iter().map(|seat| game.seating[seat.index()]).collect();
        winners.dedup();
        match winners[..] {
            [] => self.draws += 1,
            [winner, ..] => self.wins[winner] += 1,
        }
    }
}

fn show(bar: &ProgressBar, tally: &Tally, scores: &[Score]) {
    bar.set_position(u64::from(tally.games));
    let shares: Vec<String> = scores.iter().map(|score| format!("{:.1} %", score.mean() * 100.0)).collect();
    bar.set_message(shares.join(" : "));
}

/// Arguments of `tournament`.
#[derive(Args)]
pub(crate) struct Tournament {
    /// A game, such as trexo
    #[arg(long)]
    game: String,
    #[command(flatten)]
    start: Start,
    /// Players, as in a match
    #[arg(long, num_args = 2..=40, required = true, value_name = "NAME[@BUDGET]")]
    players: Vec<Contestant>,
    /// Games of each pair, rounded up so that every seating comes equally often
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    games: u32,
    #[command(flatten)]
    conditions: Conditions,
    /// One JSON object a player
    #[arg(long)]
    json: bool,
}

impl Tournament {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let table = self.start.table(&self.game)?;
        let interrupted = interruption()?;
        let pairings = pairings(self.players.len());
        let rounds = u64::from(self.games) * pairings.len() as u64;
        let bar = bar(rounds, "{bar:30} {pos}/{len}  {msg}  about {eta} left");
        let mut standings = Standings::new(self.players.len());
        for pair in pairings {
            let players = pair.map(|player| self.conditions.machine.given_to(&self.players[player]));
            bar.set_message(format!("{} : {}", players[0], players[1]));
            let contest = Contest {
                table: &*table,
                players: &players,
                games: self.games,
                opening: self.conditions.opening,
                seed: self.conditions.seed,
                threads: self.conditions.games_at_once(),
            };
            play(&contest, &mut |game, _| {
                standings.add(pair, game.points(2)[0]);
                bar.inc(1);
                !interrupted.load(Ordering::Relaxed)
            })?;
            if interrupted.load(Ordering::Relaxed) {
                break;
            }
        }
        bar.finish_and_clear();
        self.print(&standings, out)
    }

    /// Prints the players, best first, with what each scored against each.
    fn print(&self, standings: &Standings, out: &mut impl Write) -> Result<(), Failure> {
        let ratings = standings.ratings();
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        order.sort_by(|&one, &other| ratings[other].rating.total_cmp(&ratings[one].rating));
        if !self.json {
            let numbers: String = (1..=order.len()).fold(String::new(), |row, place| format!("{row}{place:>5}"));
            writeln!(
                out,
                "{BOLD}    {:<18}{:>7}{:>6}{:>9}{:>7}{numbers}{BOLD:#}",
                "player", "rating", "+-", "points", "games"
            )?;
        }
        for (place, &player) in order.iter().enumerate() {
            let (rating, name) = (&ratings[player], self.players[player].to_string());
            let (points, games) = (standings.points(player), standings.games(player));
            let against: Vec<Option<f64>> = order.iter().map(|&other| standings.against(player, other)).collect();
            if self.json {
                let line = json!({
                    "player": name, "rating": rating.rating.round(), "deviation": rating.deviation.round(),
                    "points": points, "games": games, "against": against,
                });
                writeln!(out, "{line}")?;
                continue;
            }
            let cell =
                |share: &Option<f64>| share.map_or("    -".to_owned(), |share| format!("{:>5.0}", share * 100.0));
            let cells: String = against.iter().map(cell).collect();
            let deviation = 1.96 * rating.deviation;
            let place = place + 1;
            writeln!(
                out,
                "{place:>2}. {name:<18}{:>7.0}{deviation:>6.0}{points:>9.1}{games:>7}{cells}",
                rating.rating
            )?;
        }
        Ok(())
    }
}
