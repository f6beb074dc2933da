//! The terminal itself: taken over while the program runs, and given back whatever happens.

use std::io::{self, Stdout, stdout};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{
    self as input, DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
    enable_raw_mode,
};

use crate::app::{App, Screen};
use crate::event::{Event, Reporter};
use crate::look::Look;

/// How often the screen is looked at when nothing happens: not every change of its size is told.
const AT_LEAST: Duration = Duration::from_millis(500);

/// Whether a picture is on its way to the terminal, and whether the terminal is not ours any more: when one thread panics,
/// another one may be about to draw.
static DRAWING: AtomicBool = AtomicBool::new(false);
static GIVEN_BACK: AtomicBool = AtomicBool::new(false);

/// The terminal while it is ours. Dropped, it is as it was before.
struct Taken {
    terminal: Terminal<CrosstermBackend<Stdout>>,
}

impl Taken {
    fn new() -> io::Result<Self> {
        enable_raw_mode()?;
        let taken = execute!(stdout(), EnterAlternateScreen, EnableMouseCapture, EnableBracketedPaste)
            .and_then(|()| Terminal::new(CrosstermBackend::new(stdout())));
        match taken {
            Ok(terminal) => Ok(Self { terminal }),
            Err(error) => {
                give_back();
                Err(error)
            }
        }
    }

    fn draw(&mut self, app: &mut App) -> io::Result<()> {
        DRAWING.store(true, Ordering::SeqCst);
        let drawn = if GIVEN_BACK.load(Ordering::SeqCst) { Ok(()) } else { self.draw_now(app) };
        DRAWING.store(false, Ordering::SeqCst);
        drawn
    }

    fn draw_now(&mut self, app: &mut App) -> io::Result<()> {
        // A terminal that knows these shows the whole picture at once; the others pass them over.
        execute!(stdout(), BeginSynchronizedUpdate)?;
        self.terminal.draw(|frame| app.draw(frame))?;
        execute!(stdout(), EndSynchronizedUpdate)
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        give_back();
    }
}

/// Makes the terminal as it was before. What fails cannot be helped, and the rest is done all the same.
fn give_back() {
    let _ = execute!(stdout(), DisableBracketedPaste, DisableMouseCapture, LeaveAlternateScreen);
    let _ = execute!(stdout(), ratatui::crossterm::cursor::Show);
    let _ = disable_raw_mode();
}

/// Shows a screen, and those that it leads to, until the last one is closed.
pub fn show(look: Look, first: impl FnOnce(Reporter) -> Result<Box<dyn Screen>, String>) -> Result<(), String> {
    let (sender, events) = mpsc::channel();
    let screen = first(Reporter(sender.clone()))?;
    listen_for_signals(sender.clone())?;
    give_back_on_panic();
    let mut taken = Taken::new().map_err(|error| format!("the terminal cannot be used: {error}"))?;
    thread::spawn(move || read_input(&sender));
    run(&mut taken, App::new(screen, look), &events).map_err(|error| format!("the terminal has gone: {error}"))
}

fn run(taken: &mut Taken, mut app: App, events: &Receiver<Event>) -> io::Result<()> {
    let mut ticked = Instant::now();
    while !app.is_over() {
        taken.draw(&mut app)?;
        let pace = app.pace();
        let wait = pace.map_or(AT_LEAST, |pace| pace.saturating_sub(ticked.elapsed()).min(AT_LEAST));
        match events.recv_timeout(wait) {
            Ok(event) => app.handle(event),
            Err(RecvTimeoutError::Timeout) if pace.is_some_and(|pace| ticked.elapsed() >= pace) => {
                ticked = Instant::now();
                app.handle(Event::Tick);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        // What has piled up meanwhile is drawn once.
        while let Ok(event) = events.try_recv() {
            app.handle(event);
        }
    }
    Ok(())
}

/// Passes on what people type and click, until nobody listens any more.
fn read_input(sender: &Sender<Event>) {
    while let Ok(event) = input::read() {
        let event = match event {
            input::Event::Key(key) => Event::Key(key),
            input::Event::Mouse(mouse) => Event::Mouse(mouse),
            input::Event::Paste(text) => Event::Paste(text),
            input::Event::Resize(..) => Event::Resized,
            input::Event::FocusGained | input::Event::FocusLost => continue,
        };
        if sender.send(event).is_err() {
            return;
        }
    }
    // Nobody can type any more: the terminal has gone.
    let _ = sender.send(Event::Stop);
}

fn listen_for_signals(sender: Sender<Event>) -> Result<(), String> {
    let told = ctrlc::set_handler(move || {
        let _ = sender.send(Event::Stop);
    });
    told.map_err(|error| format!("the system's signals cannot be heard: {error}"))
}

/// A panic, in whichever thread, is told on a terminal that can be read, and ends the program.
fn give_back_on_panic() {
    let tell = panic::take_hook();
    let draws = thread::current().id();
    panic::set_hook(Box::new(move |panicked| {
        GIVEN_BACK.store(true, Ordering::SeqCst);
        if thread::current().id() != draws {
            // A picture takes a few milliseconds.
            for _ in 0..100 {
                if !DRAWING.load(Ordering::SeqCst) {
                    break;
                }
                thread::sleep(Duration::from_millis(2));
            }
        }
        give_back();
        tell(panicked);
        std::process::exit(101);
    }));
}
