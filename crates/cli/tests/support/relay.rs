//! A way between two programs of one machine that can be cut.

use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// Passes on everything between its own port and another one, as long as it is open.
pub struct Relay {
    pub port: u16,
    state: watch::Sender<Line>,
    accepting: JoinHandle<()>,
}

/// What the way is like.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    Open,
    /// Connections end, and new ones are turned away.
    Closed,
    /// Nothing arrives, and nobody is told.
    Silent,
}

impl Relay {
    /// A way to a port of this machine.
    pub async fn to(target: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = listener.local_addr().expect("its own port").port();
        let (state, line) = watch::channel(Line::Open);
        let accepting = tokio::spawn(async move {
            loop {
                if let Ok((near, _)) = listener.accept().await {
                    tokio::spawn(pass_on(near, target, line.clone()));
                }
            }
        });
        Self { port, state, accepting }
    }

    /// Ends all connections, and turns away new ones for a while.
    pub async fn close_for(&self, time: Duration) {
        self.be(Line::Closed, time).await;
    }

    /// Lets nothing through for a while, and loses what was under way: connections that saw it end afterwards.
    pub async fn silence_for(&self, time: Duration) {
        self.be(Line::Silent, time).await;
    }

    async fn be(&self, line: Line, time: Duration) {
        self.state.send_replace(line);
        tokio::time::sleep(time).await;
        self.state.send_replace(Line::Open);
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.accepting.abort();
        self.state.send_replace(Line::Closed);
    }
}

async fn pass_on(mut near: TcpStream, target: u16, mut line: watch::Receiver<Line>) {
    if *line.borrow_and_update() != Line::Open {
        return;
    }
    let Ok(mut far) = TcpStream::connect(("127.0.0.1", target)).await else { return };
    let _ = (near.set_nodelay(true), far.set_nodelay(true));
    let cut = tokio::select! {
        _ = tokio::io::copy_bidirectional(&mut near, &mut far) => false,
        cut = line.wait_for(|line| *line != Line::Open) => cut.is_ok(),
    };
    if cut {
        // Both ends keep a connection over which nothing comes, until the silence is over.
        let _ = line.wait_for(|line| *line != Line::Silent).await;
    }
}
