//! The peer smg reads replies with smg's port of response templates. See
//! ../README.md.
use serde_json::{json, Value};
use smg_response_template::{load_response_template, ResponseParser, ResponseTemplate};
use std::io::{BufRead, Write};
use std::time::Instant;

/// Gives a text in chunks of size characters; 0 for all of it.
fn cut(text: &str, size: usize) -> Vec<&str> {
    if size == 0 {
        return vec![text];
    }
    let (mut chunks, mut from) = (Vec::new(), 0);
    for (n, (at, _)) in text.char_indices().enumerate() {
        if n > 0 && n % size == 0 {
            chunks.push(&text[from..at]);
            from = at;
        }
    }
    chunks.push(&text[from..]);
    chunks
}

fn read(template: &ResponseTemplate, request: &Value) -> Result<Value, String> {
    let reply = request["reply"].as_str().ok_or("there is no reply")?;
    let chunks = cut(reply, request["cut"].as_u64().unwrap_or(0) as usize);
    let calls = request["calls"].as_u64().unwrap_or(1);
    let mut message = serde_json::Map::new();
    let start = Instant::now();
    for _ in 0..calls {
        let mut parser = ResponseParser::new(template, "", &[]).map_err(|e| e.to_string())?;
        for chunk in &chunks {
            parser.feed(chunk).map_err(|e| e.to_string())?;
        }
        message = parser.finalize().map_err(|e| e.to_string())?.0;
    }
    let ns = start.elapsed().as_nanos() as u64;
    let text = |key: &str| message.get(key).and_then(Value::as_str).unwrap_or("");
    let calls: Vec<&Value> = message.get("tool_calls").and_then(Value::as_array).into_iter().flatten().map(|call| &call["function"]).collect();
    Ok(json!({"ns": ns, "message": {"thinking": text("thinking"), "content": text("content"), "tool_calls": calls}}))
}

fn answer(line: &str, last: &mut Option<(Value, ResponseTemplate)>) -> Result<Value, String> {
    let request: Value = serde_json::from_str(line).map_err(|e| e.to_string())?;
    let spec = &request["response_template"];
    if last.as_ref().map_or(true, |(known, _)| known != spec) {
        let template = load_response_template(spec).map_err(|e| e.to_string())?;
        *last = Some((spec.clone(), template));
    }
    let (_, template) = last.as_ref().ok_or("there is no template")?;
    read(template, &request)
}

fn main() {
    let mut last = None;
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let text = answer(&line, &mut last).unwrap_or_else(|why| json!({"cannot": why}));
        if writeln!(out, "{text}").and_then(|()| out.flush()).is_err() {
            break;
        }
    }
}
