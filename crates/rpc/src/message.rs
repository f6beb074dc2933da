//! The messages of JSON-RPC 2.0.

use std::fmt;

use quincunx_core::Reason;
use serde_json::{Map, Value, json};

/// A call that is well formed as a message.
pub(crate) struct Call {
    pub(crate) method: String,
    pub(crate) params: Map<String, Value>,
    /// Without an id it is a notification, which is carried out and not answered.
    pub(crate) id: Option<Value>,
}

impl Call {
    /// Takes a message apart; an error comes with the id to answer to.
    pub(crate) fn read(message: Value) -> Result<Self, (Value, Error)> {
        let Value::Object(mut message) = message else {
            return Err((Value::Null, Error::invalid_request("a call is a JSON object")));
        };
        let id = message.remove("id");
        if !matches!(id, None | Some(Value::Null | Value::String(_) | Value::Number(_))) {
            return Err((Value::Null, Error::invalid_request("an id is a number, a text or null")));
        }
        let refuse = |error| (id.clone().unwrap_or(Value::Null), error);
        if message.get("jsonrpc").is_some_and(|version| version != "2.0") {
            return Err(refuse(Error::invalid_request("\"jsonrpc\" is \"2.0\"")));
        }
        let Some(Value::String(method)) = message.remove("method") else {
            return Err(refuse(Error::invalid_request("\"method\" is missing, or not a text")));
        };
        let params = match message.remove("params") {
            None => Map::new(),
            Some(Value::Object(params)) => params,
            Some(_) => return Err(refuse(Error::invalid_params("params are given by name, in an object"))),
        };
        Ok(Self { method, params, id })
    }
}

/// An error of a call: a code for programs, a sentence for people, and the reason where the rules have one.
#[derive(Debug)]
pub(crate) struct Error {
    code: i32,
    message: String,
    reason: Option<Box<Reason>>,
}

impl Error {
    pub(crate) fn not_json(error: &serde_json::Error) -> Self {
        Self::new(-32700, format!("the line is not JSON: {error}"))
    }

    pub(crate) fn line_too_long(most: usize) -> Self {
        Self::new(-32700, format!("the line is longer than {} MiB", most >> 20))
    }

    pub(crate) fn invalid_request(message: &str) -> Self {
        Self::new(-32600, message)
    }

    pub(crate) fn unknown_method(method: &str, known: &[&str]) -> Self {
        let method: String = method.chars().take(60).collect();
        Self::new(-32601, format!("there is no method {method:?}; the methods are {}", known.join(", ")))
    }

    pub(crate) fn invalid_params(message: impl Into<String>) -> Self {
        Self::new(-32602, message)
    }

    /// The call was understood, and what it asks for cannot be done.
    pub(crate) fn refused(message: impl Into<String>) -> Self {
        Self::new(-32000, message)
    }

    /// The same, where the rules refuse it.
    pub(crate) fn by_rules(why: impl fmt::Display + Into<Reason>) -> Self {
        let message = why.to_string();
        Self { reason: Some(Box::new(why.into())), ..Self::refused(message) }
    }

    fn new(code: i32, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), reason: None }
    }
}

/// Answers to calls.
pub(crate) struct Reply;

impl Reply {
    /// Put together by hand: `json!` would copy the result, which may be large.
    pub(crate) fn result(id: Value, result: Value) -> Value {
        Value::Object(Map::from_iter([
            ("jsonrpc".to_owned(), json!("2.0")),
            ("id".to_owned(), id),
            ("result".to_owned(), result),
        ]))
    }

    pub(crate) fn error(id: Value, error: Error) -> Value {
        let mut told = json!({ "code": error.code, "message": error.message });
        if let Some(reason) = error.reason {
            told["data"] = json!(reason);
        }
        json!({ "jsonrpc": "2.0", "id": id, "error": told })
    }
}
