//! The peer minijinja renders prompts with the checkpoint's chat template in
//! minijinja. See ../README.md.
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value as Held};
use minijinja::{context, Environment, Error, ErrorKind};
use serde_json::{json, Value};
use std::io::{BufRead, Write};
use std::time::Instant;

/// Writes JSON as the tojson of chat templates does: with spaces, characters
/// outside ASCII as they are.
struct Spaced;

impl serde_json::ser::Formatter for Spaced {
    fn begin_array_value<W: ?Sized + Write>(&mut self, w: &mut W, first: bool) -> std::io::Result<()> {
        w.write_all(if first { b"" } else { b", " })
    }
    fn begin_object_key<W: ?Sized + Write>(&mut self, w: &mut W, first: bool) -> std::io::Result<()> {
        w.write_all(if first { b"" } else { b", " })
    }
    fn begin_object_value<W: ?Sized + Write>(&mut self, w: &mut W) -> std::io::Result<()> {
        w.write_all(b": ")
    }
}

fn tojson(value: Held) -> Result<String, Error> {
    let bad = |e: &dyn std::fmt::Display| Error::new(ErrorKind::BadSerialization, e.to_string());
    let plain = serde_json::to_value(&value).map_err(|e| bad(&e))?;
    let mut text = Vec::new();
    let mut writer = serde_json::Serializer::with_formatter(&mut text, Spaced);
    serde::Serialize::serialize(&plain, &mut writer).map_err(|e| bad(&e))?;
    String::from_utf8(text).map_err(|e| bad(&e))
}

fn environment(template: &str, date: String) -> Result<Environment<'static>, String> {
    let mut env = Environment::new();
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
    env.set_syntax(syntax.map_err(|e| e.to_string())?);
    env.set_unknown_method_callback(minijinja_contrib::pycompat::unknown_method_callback);
    env.add_function("raise_exception", |text: String| -> Result<String, Error> {
        Err(Error::new(ErrorKind::InvalidOperation, text))
    });
    env.add_function("strftime_now", move |_form: String| date.clone());
    env.add_filter("tojson", tojson);
    // minijinja has no tags of others: that of spans, which write nothing, is left out.
    let plain = ["{%- generation -%}", "{%- endgeneration -%}", "{% generation %}", "{% endgeneration %}"]
        .iter()
        .fold(template.to_owned(), |text, tag| text.replace(tag, if tag.contains('-') { "{#- -#}" } else { "" }));
    env.add_template_owned("chat", plain).map_err(|e| format!("{e:#}"))?;
    Ok(env)
}

fn answer(line: &str, last: &mut Option<(String, Environment<'static>)>) -> Result<Value, String> {
    let request: Value = serde_json::from_str(line).map_err(|e| e.to_string())?;
    let template = request["chat_template"].as_str().ok_or("there is no template")?;
    if last.as_ref().map_or(true, |(known, _)| known != template) {
        let date = request["request"]["date"].as_str().unwrap_or_default();
        *last = Some((template.to_owned(), environment(template, date.to_owned())?));
    }
    let (_, env) = last.as_ref().ok_or("there is no template")?;
    let chat = env.get_template("chat").map_err(|e| e.to_string())?;
    // What a program hands over is minijinja's own values already.
    let held = |key: &str| Held::from(Serde(&request["request"][key]));
    let input = context! {
        messages => held("messages"), tools => held("tools"),
        add_generation_prompt => held("add_generation_prompt"),
    };
    let mut text = String::new();
    let start = Instant::now();
    for _ in 0..request["calls"].as_u64().unwrap_or(1) {
        text = chat.render(&input).map_err(|e| format!("{e:#}"))?;
    }
    Ok(json!({"ns": start.elapsed().as_nanos() as u64, "text": text}))
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
