//! A client that keeps to no rules: bytes over TCP.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Longer than anything takes, and shorter than for ever.
const LONG: Duration = Duration::from_secs(20);

pub struct Raw {
    stream: TcpStream,
}

/// A frame of a WebSocket with this first byte, as clients send it.
pub fn frame(first: u8, content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![first];
    match content.len() {
        short @ 0..126 => bytes.push(0x80 | short as u8),
        middle @ 126..0x1_0000 => {
            bytes.push(0x80 | 0x7e);
            bytes.extend((middle as u16).to_be_bytes());
        }
        long => {
            bytes.push(0x80 | 0x7f);
            bytes.extend((long as u64).to_be_bytes());
        }
    }
    // A mask of zeros is a mask.
    bytes.extend([0; 4]);
    bytes.extend(content);
    bytes
}

impl Raw {
    pub async fn connect(address: &str) -> Self {
        Self { stream: TcpStream::connect(address).await.expect("the server listens") }
    }

    /// A live connection of nobody.
    pub async fn upgrade(address: &str) -> Self {
        Self::upgrade_as(address, None).await
    }

    pub async fn upgrade_as(address: &str, token: Option<&str>) -> Self {
        let mut raw = Self::connect(address).await;
        let token = token.map(|token| format!("authorization: Bearer {token}\r\n")).unwrap_or_default();
        let head = format!(
            "GET /api/live HTTP/1.1\r\nhost: {address}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
             sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n{token}\r\n"
        );
        raw.send(head.as_bytes()).await;
        assert!(raw.hears("101 Switching").await);
        raw
    }

    pub async fn send(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).await.expect("the connection is open");
    }

    /// Sends what can be sent within a moment; gives whether it was all of it.
    pub async fn try_send(&mut self, bytes: &[u8]) -> bool {
        matches!(timeout(Duration::from_millis(200), self.stream.write_all(bytes)).await, Ok(Ok(())))
    }

    /// Whether this text comes.
    pub async fn hears(&mut self, text: &str) -> bool {
        let mut heard = Vec::new();
        let listening = async {
            while !String::from_utf8_lossy(&heard).contains(text) {
                if self.stream.read_buf(&mut heard).await.unwrap_or(0) == 0 {
                    return false;
                }
            }
            true
        };
        timeout(LONG, listening).await.unwrap_or(false)
    }

    /// Whether the server ends the connection.
    pub async fn is_closed(&mut self) -> bool {
        let mut heard = Vec::new();
        timeout(LONG, self.stream.read_to_end(&mut heard)).await.is_ok()
    }

    /// Sends a request, and gives all that comes until the server ends the connection.
    pub async fn ask(address: &str, request: &[u8]) -> String {
        let mut raw = Self::connect(address).await;
        // A server that has read enough may close before all is sent.
        let _ = raw.stream.write_all(request).await;
        raw.rest().await
    }

    /// The same, and says that nothing more will be sent.
    pub async fn ask_and_close(address: &str, request: &[u8]) -> String {
        let mut raw = Self::connect(address).await;
        raw.send(request).await;
        raw.stream.shutdown().await.expect("the connection is open");
        raw.rest().await
    }

    async fn rest(&mut self) -> String {
        let mut heard = Vec::new();
        // A connection that is reset has told what it has told.
        let _ = self.stream.read_to_end(&mut heard).await;
        String::from_utf8_lossy(&heard).into_owned()
    }
}
