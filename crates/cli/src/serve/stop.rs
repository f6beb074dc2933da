//! How a server or a worker is told to end: SIGTERM from whoever manages it, or Ctrl-C.

use std::io;

use tokio::signal::ctrl_c;
#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Listens from its making on, so that no signal comes too early.
#[derive(Debug)]
pub(super) struct Stop {
    #[cfg(unix)]
    terminate: Signal,
    #[cfg(unix)]
    interrupt: Signal,
}

impl Stop {
    #[cfg(unix)]
    pub fn listen() -> io::Result<Self> {
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    #[cfg(not(unix))]
    pub fn listen() -> io::Result<Self> {
        Ok(Self {})
    }

    /// Waits until `who` is to end. Whoever presses Ctrl-C once more has no patience for an orderly end.
    pub async fn asked(self, who: &str) {
        self.first().await;
        tracing::info!("{who} ends what it has begun; Ctrl-C once more ends it at once");
        tokio::spawn(async {
            if ctrl_c().await.is_ok() {
                // As a shell reports a program that was interrupted.
                std::process::exit(130);
            }
        });
    }

    #[cfg(unix)]
    async fn first(mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }

    #[cfg(not(unix))]
    async fn first(self) {
        if ctrl_c().await.is_err() {
            // Nobody can ask.
            std::future::pending::<()>().await;
        }
    }
}
