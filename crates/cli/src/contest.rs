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
use quincunx_arena::{
    Contest, Contestant, Game, Rating, Repeats, Score, SequentialTest, Sprt, Standings, Verdict, games_at_once,
    pairings, play,
};
use serde_json::json;

use crate::{
    Start,
    commands::BOLD,
    failure::{self, Failure},
    plot,
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
    /// Players: beginner, novice, casual, club, strong, expert, master, mcts, greedy, random or cmd:COMMAND, with a budget a move and threads if you like:
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
    /// Draw the score of the first player, round by round, into this SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    conditions: Conditions,
    /// One JSON object for the whole match
    #[arg(long)]
    json: bool,
}

/// How the games of a match or a tournament are played.
#[derive(Args)]
struct Conditions {
    /// Random turns at the beginning of each game, the same for all seatings; none ends the game
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
    fn games_at_once(&self, players: &[Contestant]) -> NonZeroUsize {
        let cores = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        self.parallel.unwrap_or_else(|| games_at_once(cores, players))
    }
}

/// What the games so far came to.
#[derive(Default)]
struct Tally {
    games: u32,
    wins: Vec<u32>,
    draws: u32,
    repeats: Repeats,
    /// The score of the first player after each round.
    history: Vec<Score>,
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
        let mut test = self.test()?;
        let interrupted = interruption()?;
        let players: Vec<Contestant> =
            self.players.iter().map(|player| self.conditions.machine.given_to(player)).collect();
        let contest = Contest {
            table: &*table,
            players: &players,
            games: self.games,
            opening: self.conditions.opening,
            seed: self.conditions.seed,
            threads: self.conditions.games_at_once(&players),
        };
        let bar = bar(u64::from(self.games), "{bar:30} {pos}/{len}  {msg}  about {eta} left");
        let mut tally = Tally { wins: vec![0; self.players.len()], ..Tally::default() };
        let scores = play(&contest, &mut |game, scores| {
            tally.add(game, &scores[0]);
            if let Some(folder) = &self.records {
                tally.failed = tally.failed.take().or(self.write_record(folder, game, tally.games).err());
            }
            show(&bar, &tally, scores);
            let decided = test.as_mut().and_then(|test| test.look(&scores[0]));
            decided.is_none() && tally.failed.is_none() && !interrupted.load(Ordering::Relaxed)
        })?;
        bar.finish_and_clear();
        if let Some(error) = tally.failed {
            return Err(format!("cannot write the records: {error}").into());
        }
        if let Some(file) = &self.svg {
            let caption = format!("{}: score of {}, with its 95 % band", table.kind().title(), self.players[0]);
            let drawn = plot::draw_running_score(file, &caption, &tally.history, self.fair_share());
            drawn.map_err(|error| format!("{}: {error}", file.display()))?;
        }
        if self.json { self.print_json(&tally, &scores, test, out) } else { self.print(&tally, &scores, test, out) }
    }

    /// The sequential test that was asked for.
    fn test(&self) -> Result<Option<SequentialTest>, Failure> {
        match self.sprt.as_deref() {
            None => Ok(None),
            Some(&[elo0, elo1]) if elo0.is_finite() && elo1.is_finite() && (elo1 - elo0).abs() > 0.0 => {
                Ok(Some(SequentialTest::new(Sprt { elo0, elo1 })))
            }
            Some(_) => Err("--sprt takes two different numbers of Elo, such as 0 50".into()),
        }
    }

    /// What the first player would score against equals.
    fn fair_share(&self) -> f64 {
        1.0 / self.players.len() as f64
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

    fn print_json(
        &self,
        tally: &Tally,
        scores: &[Score],
        test: Option<SequentialTest>,
        out: &mut impl Write,
    ) -> Result<(), Failure> {
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
            "repeated": tally.repeats.count(),
            "sprt": test.map(|test| json!({
                "elo0": test.sprt().elo0,
                "elo1": test.sprt().elo1,
                "log_likelihood": (test.log_likelihood() * 1e3).round() / 1e3,
                "verdict": test.verdict().map(|verdict| match verdict {
                    Verdict::Elo0 => "elo0",
                    Verdict::Elo1 => "elo1",
                }),
            })),
        });
        writeln!(out, "{line}")?;
        Ok(())
    }

    fn print(
        &self,
        tally: &Tally,
        scores: &[Score],
        test: Option<SequentialTest>,
        out: &mut impl Write,
    ) -> Result<(), Failure> {
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
        let picture = plot::running_score(&tally.history, self.fair_share());
        if !picture.is_empty() {
            writeln!(out, "\nThe score of {}, round by round, with its 95 % band:", self.players[0])?;
            picture.iter().try_for_each(|line| writeln!(out, "{line}"))?;
        }
        if let Some(why) = &tally.forfeit {
            writeln!(out, "Games were forfeited, first in {why}")?;
        }
        warn_of_repeats(tally.repeats.count(), tally.games, out)?;
        if let Some(test) = test {
            let Sprt { elo0, elo1 } = test.sprt();
            match test.verdict() {
                None => writeln!(out, "The test came to no decision.")?,
                Some(Verdict::Elo0) => writeln!(out, "Decided: rather {elo0:+} than {elo1:+} Elo.")?,
                Some(Verdict::Elo1) => writeln!(out, "Decided: rather {elo1:+} than {elo0:+} Elo.")?,
            }
        }
        Ok(())
    }
}

/// Says that games came up again, if they did.
fn warn_of_repeats(repeated: u32, games: u32, out: &mut impl Write) -> io::Result<()> {
    let style = failure::STYLE;
    let what = match repeated {
        0 => return Ok(()),
        1 => format!("1 of {games} games had been played before, action for action, and proves"),
        _ => format!("{repeated} of {games} games had been played before, action for action, and prove"),
    };
    writeln!(out, "{style}Warning:{style:#} {what} nothing new. More random turns (--opening) make games differ.")
}

impl Tally {
    /// Adds a game, with the score of the first player after it.
    fn add(&mut self, game: &Game, score: &Score) {
        self.games += 1;
        self.repeats.add(game);
        if score.rounds() as usize > self.history.len() {
            self.history.push(*score);
        }
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
        let [mut repeated, mut games] = [0, 0];
        for pair in pairings {
            let players = pair.map(|player| self.conditions.machine.given_to(&self.players[player]));
            bar.set_message(format!("{} : {}", players[0], players[1]));
            let contest = Contest {
                table: &*table,
                players: &players,
                games: self.games,
                opening: self.conditions.opening,
                seed: self.conditions.seed,
                threads: self.conditions.games_at_once(&players),
            };
            let mut repeats = Repeats::default();
            play(&contest, &mut |game, _| {
                standings.add(pair, game.round, game.points(2)[0]);
                repeats.add(game);
                games += 1;
                bar.inc(1);
                !interrupted.load(Ordering::Relaxed)
            })?;
            repeated += repeats.count();
            if interrupted.load(Ordering::Relaxed) {
                break;
            }
        }
        bar.finish_and_clear();
        self.print(&standings, out)?;
        if !self.json {
            warn_of_repeats(repeated, games, out)?;
        }
        Ok(())
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
                "{BOLD}    {:<18}{:>7}{:>6}{:>6}{:>9}{:>7}{numbers}{BOLD:#}",
                "player", "rating", "low", "high", "points", "games"
            )?;
        }
        for (place, &player) in order.iter().enumerate() {
            let (Rating { rating, low, high }, name) = (ratings[player], self.players[player].to_string());
            let (points, games) = (standings.points(player), standings.games(player));
            let against: Vec<Option<f64>> = order.iter().map(|&other| standings.against(player, other)).collect();
            if self.json {
                let line = json!({
                    "player": name, "rating": rating.round(), "low": low.round(), "high": high.round(),
                    "points": points, "games": games, "against": against,
                });
                writeln!(out, "{line}")?;
                continue;
            }
            let cell =
                |share: &Option<f64>| share.map_or("    -".to_owned(), |share| format!("{:>5.0}", share * 100.0));
            let cells: String = against.iter().map(cell).collect();
            let place = place + 1;
            writeln!(out, "{place:>2}. {name:<18}{rating:>7.0}{low:>6.0}{high:>6.0}{points:>9.1}{games:>7}{cells}")?;
        }
        Ok(())
    }
}
