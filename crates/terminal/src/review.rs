//! What an engine makes of a whole game, thought of in a thread of its own while somebody looks at the game.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use quincunx_arena::{Threads, WallClock};
use quincunx_core::DynSession;
use quincunx_engine::{Budget, Control, Engine, Judged, Level, Review, Thought};

use crate::event::{News, Reporter};

/// What a move may take: enough to tell a blunder, short enough to wait for a whole game.
const BUDGET: Budget = Budget { nodes: None, time: Some(Duration::from_millis(100)), memory: 64 << 20 };

/// One game reviewed twice is judged the same way, but for what the clock allows.
const SEED: u64 = 1;

/// A review that goes on in the background. Dropped, it ends at once.
#[derive(Debug)]
pub struct Reviewer {
    /// Tells the news of this review from those of another one.
    number: u64,
    stop: Arc<AtomicBool>,
    began: Instant,
    /// How many actions were looked at, and how many there are.
    done: usize,
    of: usize,
    moves: Vec<Judged>,
    over: bool,
}

impl Reviewer {
    /// Begins to think about all actions of a game.
    pub fn begin(table: &dyn DynSession, reporter: Reporter) -> Self {
        let reviewer = Self::idle(table.ply());
        let (number, stop, table) = (reviewer.number, reviewer.stop.clone(), table.boxed_clone());
        thread::spawn(move || think_through(&*table, number, &stop, &reporter));
        reviewer
    }

    /// A review of so many actions that nobody works on.
    pub fn idle(of: usize) -> Self {
        static REVIEWS: AtomicU64 = AtomicU64::new(0);
        Self {
            number: REVIEWS.fetch_add(1, Ordering::Relaxed),
            stop: Arc::new(AtomicBool::new(false)),
            began: Instant::now(),
            done: 0,
            of,
            moves: Vec::new(),
            over: false,
        }
    }

    /// Takes what is meant for it; says whether anything is different now.
    pub fn hear(&mut self, news: &mut Option<News>) -> bool {
        let ours = |news: &mut News| matches!(news, News::Reviewed { review, .. } if *review == self.number);
        let Some(News::Reviewed { done, moves, over, .. }) = news.take_if(ours) else { return false };
        self.learn(done, moves, over);
        true
    }

    /// How far it is, what was found so far, and whether nothing more will come.
    pub fn learn(&mut self, done: usize, moves: Vec<Judged>, over: bool) {
        (self.done, self.moves, self.over) = (done, moves, over);
    }

    pub fn moves(&self) -> &[Judged] {
        &self.moves
    }

    /// How far it is, in words; nothing where all is done.
    pub fn progress(&self) -> Option<String> {
        match (self.over, self.done) {
            (true, done) if done >= self.of => None,
            (true, _) => Some("came no further".to_owned()),
            (false, done) => {
                let percent = 100 * done / self.of.max(1);
                let left = time_left(self.began.elapsed(), done, self.of);
                Some(left.map_or_else(|| format!("{percent} %"), |left| format!("{percent} %, {left} left")))
            }
        }
    }
}

impl Drop for Reviewer {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// How long the rest will take, if it goes on as it went so far.
fn time_left(passed: Duration, done: usize, of: usize) -> Option<String> {
    let rest = of.checked_sub(done).filter(|_| done > 0)?;
    let seconds = (passed.as_secs_f64() / done as f64 * rest as f64).ceil() as u64;
    Some(if seconds < 100 { format!("{seconds} s") } else { format!("{} min", seconds.div_ceil(60)) })
}

fn think_through(table: &dyn DynSession, number: u64, stop: &AtomicBool, reporter: &Reporter) {
    let mut review = Review::of(table);
    let mut thinker = Engine::Level(Level::Master).thinker(table.kind().id());
    let clock = WallClock::default();
    let mut judge = |table: &dyn DynSession, action: &str| -> Option<Thought> {
        let alone = Threads(NonZeroUsize::MIN);
        let control = Control::new(BUDGET, SEED, &clock, stop).with_crew(&alone);
        thinker.as_mut()?.judge(table, action, &control)
    };
    loop {
        let over = review.done() == review.of_actions() || !review.step(&mut judge);
        // What was thought last is of no worth when it was broken off.
        if stop.load(Ordering::Relaxed) {
            return;
        }
        reporter.tell(News::Reviewed { review: number, done: review.done(), moves: review.moves().to_vec(), over });
        if over {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{self, Receiver};

    use super::*;
    use crate::event::Event;
    use crate::testing::after;

    /// A game in which seat 1 lets seat 0 make five in a row.
    fn game(actions: &[&str]) -> Box<dyn DynSession> {
        after("trexo", 2, &serde_json::json!({}), actions.iter().copied())
    }

    fn next(events: &Receiver<Event>) -> Option<News> {
        match events.recv_timeout(Duration::from_secs(30)) {
            Ok(Event::News(news)) => Some(news),
            _ => None,
        }
    }

    #[test]
    fn a_game_is_reviewed_action_by_action() {
        let (sender, events) = mpsc::channel();
        let mut reviewer = Reviewer::begin(&*game(&["a1b1", "e5f5", "c1d1"]), Reporter(sender));
        assert_eq!(reviewer.progress().as_deref(), Some("0 %"));
        while reviewer.progress().is_some() {
            let mut news = next(&events);
            assert!(news.is_some() && reviewer.hear(&mut news) && news.is_none());
        }
        let moves: Vec<_> = reviewer.moves().iter().map(|made| (made.ply, made.action.as_str())).collect();
        assert_eq!(moves, [(1, "a1b1"), (2, "e5f5"), (3, "c1d1")]);
        assert!(reviewer.moves().iter().all(|made| made.expected.len() == 2));
    }

    #[test]
    fn who_looks_away_is_told_nothing_more() {
        let (sender, events) = mpsc::channel();
        drop(Reviewer::begin(&*game(&["a1b1", "e5f5", "c1d1"]), Reporter(sender)));
        // The thread lets go of its end when it stops.
        let told = events.iter().count();
        assert!(told <= 1, "{told}");
    }

    #[test]
    fn the_news_of_another_review_are_left_to_it() {
        let mut reviewer = Reviewer::idle(10);
        let mut news = Some(News::Reviewed { review: u64::MAX, done: 5, moves: Vec::new(), over: true });
        assert!(!reviewer.hear(&mut news) && news.is_some());
        reviewer.learn(4, Vec::new(), true);
        assert_eq!(reviewer.progress().as_deref(), Some("came no further"));
    }

    #[test]
    fn the_time_that_is_left_is_told_from_the_time_that_it_took() {
        assert_eq!(time_left(Duration::from_secs(1), 0, 50), None);
        assert_eq!(time_left(Duration::from_secs(3), 30, 50).as_deref(), Some("2 s"));
        assert_eq!(time_left(Duration::from_secs(30), 10, 100).as_deref(), Some("5 min"));
    }
}
