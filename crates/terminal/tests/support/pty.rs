//! A program in a real pseudo-terminal, with what somebody before it would see.
#![allow(dead_code, reason = "each test needs a part of it")]

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::process::{Child, Command};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pty_process::Size;
use pty_process::blocking::{Command as InPty, Pty};

/// What is not seen after so long is not going to come, however busy the machine is.
const LONGEST: Duration = Duration::from_mins(2);

/// Runs the program as a shell does, and tells afterwards how it ended and how it has left the terminal.
const SHELL: &str = r#""$0" "$@"; code=$?; stty -a | tr ' ;' '\n\n' | grep -E '^-?(icanon|echo)$' | sort | tr '\n' ' '; echo "ended with $code""#;

/// A terminal with a program in it.
pub struct Terminal {
    shell: Child,
    pty: Arc<Pty>,
    screen: Arc<Mutex<vt100::Parser>>,
}

fn whole(number: u16) -> NonZeroU16 {
    NonZeroU16::new(number).expect("a terminal has rows and columns")
}

impl Terminal {
    /// Starts a program in a terminal of so many columns and rows, with these variables in its environment.
    pub fn start<S: AsRef<OsStr>>(
        program: &str,
        arguments: &[S],
        (columns, rows): (u16, u16),
        variables: &[(&str, &str)],
    ) -> Self {
        let (pty, pts) = pty_process::blocking::open().expect("a pseudo-terminal");
        pty.resize(Size::new(rows, columns)).expect("its size");
        let usual = [("TERM", "xterm-256color"), ("LANG", "C.UTF-8"), ("COLORTERM", "truecolor")];
        let mut command = InPty::new("sh").args(["-c", SHELL, program]).args(arguments);
        for name in ["NO_COLOR", "LC_ALL", "LC_CTYPE", "QUINCUNX_TOKEN"] {
            command = command.env_remove(name);
        }
        let command = command.envs(usual).envs(variables.iter().copied());
        let shell = command.spawn(pts).expect("a shell");
        let pty = Arc::new(pty);
        let screen = Arc::new(Mutex::new(vt100::Parser::new(whole(rows), whole(columns), 0)));
        let (output, seen) = (pty.clone(), screen.clone());
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            // On Linux, reading fails when the last program has left the terminal.
            while let Ok(count @ 1..) = (&*output).read(&mut bytes) {
                seen.lock().unwrap_or_else(PoisonError::into_inner).process(&bytes[..count]);
            }
        });
        Self { shell, pty, screen }
    }

    /// Types, as bytes that a terminal sends.
    pub fn press(&self, keys: &str) {
        (&*self.pty).write_all(keys.as_bytes()).expect("the terminal is there");
    }

    /// What is seen now.
    pub fn seen(&self) -> String {
        self.look(vt100::Screen::contents)
    }

    pub fn look<T>(&self, look: impl FnOnce(&vt100::Screen) -> T) -> T {
        look(self.screen.lock().unwrap_or_else(PoisonError::into_inner).screen())
    }

    /// Waits until something is seen; fails with what is seen instead.
    pub fn wait_for(&self, text: &str) -> String {
        self.wait_until(text, |seen| seen.contains(text))
    }

    pub fn wait_until(&self, what: &str, is_there: impl Fn(&str) -> bool) -> String {
        let started = Instant::now();
        loop {
            let seen = self.seen();
            if is_there(&seen) {
                return seen;
            }
            assert!(started.elapsed() < LONGEST, "{what:?} is not there, but:\n{seen}");
            thread::sleep(Duration::from_millis(10));
        }
    }

    pub fn resize(&self, columns: u16, rows: u16) {
        self.screen.lock().unwrap_or_else(PoisonError::into_inner).screen_mut().set_size(whole(rows), whole(columns));
        self.pty.resize(Size::new(rows, columns)).expect("another size");
    }

    /// Sends a signal to the program, not to its shell.
    pub fn signal(&self, name: &str) {
        let parent = self.shell.id().to_string();
        let sent = Command::new("pkill").args([&format!("-{name}"), "-P", &parent]).status();
        assert!(sent.expect("pkill").success(), "the program is there");
    }

    /// Waits until the program has ended, and gives its exit code. The terminal must be as it was before.
    pub fn ended(self) -> i32 {
        let seen = self.wait_for("ended with ");
        self.look(|screen| {
            assert!(!screen.alternate_screen(), "the screen from before is back");
            assert!(!screen.hide_cursor(), "the cursor is back");
            assert!(!screen.bracketed_paste(), "what is pasted is typed again");
            assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None, "the mouse selects text again");
        });
        assert!(seen.contains("echo icanon ended with"), "lines are read and shown again:\n{seen}");
        let code = seen.rsplit("ended with ").next().and_then(|rest| rest.split_whitespace().next());
        code.and_then(|code| code.parse().ok()).expect("an exit code")
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // The program ends as its terminal goes away.
        let _ = self.shell.kill();
        let _ = self.shell.wait();
    }
}
