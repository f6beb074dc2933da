//! Lines of bounded length from any input, answered on any output.

use std::io::{self, BufRead, Write};

use serde_json::Value;

use crate::{
    Rpc,
    message::{Error, Reply},
};

/// The longest line that is read. A longer one is skipped to its end, without being kept, and answered with an error.
pub const MAX_LINE: usize = 16 << 20;

enum Line {
    Text,
    TooLong,
    End,
}

/// Answers lines until the input ends. Each answer is flushed, so that a waiting client gets it.
pub fn serve(rpc: &mut Rpc, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut buffer = Vec::new();
    loop {
        let reply = match read_line(&mut input, &mut buffer)? {
            Line::End => return Ok(()),
            Line::TooLong => Some(Reply::error(Value::Null, Error::line_too_long(MAX_LINE)).to_string()),
            Line::Text => rpc.line(&String::from_utf8_lossy(&buffer)),
        };
        if let Some(reply) = reply {
            writeln!(output, "{reply}")?;
            output.flush()?;
        }
        // One long line does not keep its memory for the rest of the life of the process.
        buffer.shrink_to(1 << 16);
    }
}

fn read_line(input: &mut impl BufRead, buffer: &mut Vec<u8>) -> io::Result<Line> {
    buffer.clear();
    let mut too_long = false;
    let mut empty = true;
    loop {
        let available = match input.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if available.is_empty() {
            return Ok(match (empty, too_long) {
                (true, _) => Line::End,
                (_, true) => Line::TooLong,
                (_, false) => Line::Text,
            });
        }
        empty = false;
        let newline = available.iter().position(|&byte| byte == b'\n');
        let part = newline.unwrap_or(available.len());
        too_long |= buffer.len() + part > MAX_LINE;
        if too_long {
            buffer.clear();
        } else {
            buffer.extend_from_slice(&available[..part]);
        }
        input.consume(newline.map_or(part, |at| at + 1));
        if newline.is_some() {
            return Ok(if too_long { Line::TooLong } else { Line::Text });
        }
    }
}
