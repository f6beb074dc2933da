//! How far long work is, and how it is ended before its time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::failure::Failure;

/// A progress bar on standard error, shown only on a terminal.
pub(crate) fn bar(length: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).expect("the template is a constant of this program");
    ProgressBar::new(length).with_style(style)
}

/// Becomes true when the user presses Ctrl-C, or the system asks the program to end: what has been done by then still counts.
/// Whoever presses it once more has no patience for that.
pub(crate) fn interruption() -> Result<&'static AtomicBool, Failure> {
    static INTERRUPTED: AtomicBool = AtomicBool::new(false);
    let told = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            // As a shell reports a program that was interrupted.
            std::process::exit(130);
        }
    });
    told.map_err(|error| format!("the system's signals cannot be heard: {error}"))?;
    Ok(&INTERRUPTED)
}

/// Does something that takes about so long, with a bar that runs with the clock.
pub(crate) fn with_clock<T: Send>(about: Option<Duration>, what: &str, work: impl FnOnce() -> T + Send) -> T {
    const STEP: Duration = Duration::from_millis(50);
    let bar = match about {
        Some(time) => bar(time.as_millis() as u64, "{bar:30} {msg}, about {eta} left"),
        None => bar(0, "{spinner} {msg} for {elapsed}"),
    };
    bar.set_message(what.to_owned());
    let done = std::thread::scope(|scope| {
        let worker = scope.spawn(work);
        while !worker.is_finished() {
            std::thread::park_timeout(STEP);
            bar.set_position(bar.elapsed().as_millis() as u64);
            bar.tick();
        }
        worker.join()
    });
    bar.finish_and_clear();
    done.unwrap_or_else(|panicked| std::panic::resume_unwind(panicked))
}
