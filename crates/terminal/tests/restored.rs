//! Whatever ends the program, the terminal is as it was before.
#![cfg(unix)]

mod support {
    pub mod pty;
}

use std::env;

use support::pty::Terminal;

/// The example that panics when it is asked to.
fn fragile() -> Terminal {
    let own = env::current_exe().expect("this test knows where it is");
    let built = own.ancestors().nth(2).expect("the folder of the profile").join("examples/panics");
    let terminal = Terminal::start::<&str>(&built.to_string_lossy(), &[], (80, 24), &[]);
    terminal.wait_for("p and t panic.");
    terminal.look(|screen| assert!(screen.alternate_screen(), "the screen is taken"));
    terminal
}

#[test]
fn after_a_panic_the_terminal_is_back_and_tells_why() {
    for (key, why) in [("p", "as was asked for"), ("t", "in a thread, as was asked for")] {
        let terminal = fragile();
        terminal.press(key);
        terminal.wait_for(why);
        assert_eq!(terminal.ended(), 101);
    }
}

#[test]
fn signals_and_ctrl_c_end_it_in_order() {
    for signal in ["TERM", "INT", "HUP"] {
        let terminal = fragile();
        terminal.signal(signal);
        assert_eq!(terminal.ended(), 0, "{signal}");
    }
    let terminal = fragile();
    terminal.press("\x03");
    assert_eq!(terminal.ended(), 0);
}

#[test]
fn a_terminal_that_is_too_small_says_what_is_needed() {
    let terminal = fragile();
    for (columns, rows) in [(79, 24), (80, 23), (20, 5), (1, 1), (200, 3)] {
        terminal.resize(columns, rows);
        if columns > 30 && rows > 2 {
            terminal.wait_for(&format!("the terminal has {columns} x {rows}"));
        }
    }
    terminal.resize(80, 24);
    terminal.wait_for("p and t panic.");
    terminal.press("\x03");
    assert_eq!(terminal.ended(), 0);
}
