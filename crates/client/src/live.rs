//! The live connection.

use std::collections::VecDeque;

use futures_util::{SinkExt, StreamExt};
use quincunx_table::protocol::Request;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message, Utf8Bytes};
use tokio_tungstenite::{Connector, MaybeTlsStream, WebSocketStream, connect_async_tls_with_config};

use crate::{Client, ClientError, random};

/// A live connection to a server.
#[derive(Debug)]
pub struct Live {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// What came while an answer was waited for.
    earlier: VecDeque<Value>,
    /// What the ids of this connection begin with: a server that has seen an id before does not do a command again.
    prefix: u64,
    asked: u64,
}

impl Live {
    pub(crate) async fn connect(client: &Client) -> Result<Self, ClientError> {
        // http becomes ws, and https becomes wss.
        let address = client.address().replacen("http", "ws", 1);
        let request = format!("{address}/api/live").into_client_request();
        let mut request = request.map_err(|_| ClientError::Address(client.address().to_owned()))?;
        if let Some(token) = client.token() {
            let value = HeaderValue::from_str(&format!("Bearer {token}"));
            let value = value.map_err(|_| ClientError::Nonsense("the token is not one".to_owned()))?;
            request.headers_mut().insert("authorization", value);
        }
        // Some programs have thousands of connections.
        let config = WebSocketConfig::default().read_buffer_size(4096).write_buffer_size(0);
        let connector = client.tls.clone().map(Connector::Rustls);
        let connected = connect_async_tls_with_config(request, Some(config), true, connector).await;
        let (socket, _) = connected.map_err(|error| refused(&error))?;
        Ok(Self { socket, earlier: VecDeque::new(), prefix: random(), asked: 0 })
    }

    /// Sends a message.
    pub async fn send(&mut self, message: &Value) -> Result<(), ClientError> {
        self.send_text(message.to_string().into()).await
    }

    /// Sends a request.
    pub async fn request(&mut self, request: &Request) -> Result<(), ClientError> {
        let text = serde_json::to_string(request).expect("requests are plain data with text keys");
        self.send_text(text.into()).await
    }

    /// Sends a text as it is.
    pub async fn send_text(&mut self, text: Utf8Bytes) -> Result<(), ClientError> {
        self.send_frame(Message::Text(text)).await
    }

    /// Sends any frame.
    pub async fn send_frame(&mut self, frame: Message) -> Result<(), ClientError> {
        self.socket.send(frame).await.map_err(|error| ClientError::Unreachable(error.to_string()))
    }

    /// The next message; nothing when the connection has ended.
    pub async fn next(&mut self) -> Option<Value> {
        match self.earlier.pop_front() {
            Some(message) => Some(message),
            None => self.receive().await,
        }
    }

    /// The next message as it came, for those who read it in their own way. What [`Live::ask`] has put aside is passed over.
    pub async fn next_text(&mut self) -> Option<Utf8Bytes> {
        loop {
            match self.socket.next().await?.ok()? {
                Message::Text(text) => return Some(text),
                Message::Close(_) => return None,
                _ => {}
            }
        }
    }

    async fn receive(&mut self) -> Option<Value> {
        let text = self.next_text().await?;
        serde_json::from_str(&text).ok()
    }

    /// Sends a request with an id of its own and waits for the answer: `done`, or why not. What comes meanwhile is kept for
    /// [`Live::next`].
    pub async fn ask(&mut self, mut request: Value) -> Result<Value, ClientError> {
        if request.get("id").is_none() {
            self.asked += 1;
            request["id"] = json!(format!("{:x}-{}", self.prefix, self.asked));
        }
        let id = request["id"].clone();
        self.send(&request).await?;
        let ended = || ClientError::Unreachable("the connection has ended".to_owned());
        loop {
            let message = self.receive().await.ok_or_else(ended)?;
            if message["id"] != id {
                self.earlier.push_back(message);
            } else if message["type"] == "done" {
                return Ok(message);
            } else {
                let word = |name: &str| message[name].as_str().unwrap_or_default().to_owned();
                return Err(ClientError::Refused { status: 0, code: word("code"), reason: word("reason") });
            }
        }
    }

    /// Puts a message back, for [`Live::next`] to give it again.
    pub fn put_back(&mut self, message: Value) {
        self.earlier.push_front(message);
    }

    /// Forgets what [`Live::ask`] has put aside.
    pub fn forget(&mut self) {
        self.earlier.clear();
    }

    /// Says goodbye.
    pub async fn close(mut self) {
        // Whoever has gone already needs no goodbye.
        let _ = self.socket.close(None).await;
    }
}

fn refused(error: &Error) -> ClientError {
    if let Error::Http(response) = error {
        let body = response.body().as_deref().unwrap_or_default();
        if let Ok(problem) = serde_json::from_slice::<Value>(body) {
            let word = |name: &str| problem[name].as_str().unwrap_or_default().to_owned();
            let status = response.status().as_u16();
            return ClientError::Refused { status, code: word("code"), reason: word("reason") };
        }
    }
    ClientError::Unreachable(error.to_string())
}
