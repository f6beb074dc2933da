//! The page on which people read what the server offers to programs, made from the description that programs read.

use std::fmt::Write as _;

use serde_json::Value;

/// How the page looks.
pub const STYLE: &str = include_str!("docs.css");

/// The page, from an OpenAPI document.
pub fn page(document: &Value) -> String {
    let mut page = String::from(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>Quincunx for programs</title><link rel=\"stylesheet\" href=\"/api/docs.css\"></head><body><main>\n",
    );
    let info = &document["info"];
    let _ = write!(page, "<h1>{}</h1>\n<p>{}</p>\n", text(&info["title"]), text(&info["description"]));
    let _ = writeln!(page, "<p>This page is made from <a href=\"/api/openapi.json\">the OpenAPI document</a>.</p>");
    for tag in document["tags"].as_array().into_iter().flatten() {
        let _ = write!(page, "<h2>{}</h2>\n<p>{}</p>\n", text(&tag["name"]), text(&tag["description"]));
        for (path, operations) in members(&document["paths"]) {
            for (method, operation) in members(operations) {
                if operation["tags"][0] == tag["name"] {
                    describe(&mut page, path, method, operation, document);
                }
            }
        }
    }
    page.push_str("</main></body></html>\n");
    page
}

fn describe(page: &mut String, path: &str, method: &str, operation: &Value, document: &Value) {
    let _ = writeln!(
        page,
        "<details><summary><b class=\"{method}\">{}</b> <code>{}</code> {}</summary>",
        method.to_uppercase(),
        escaped(path),
        text(&operation["summary"])
    );
    let description = text(&operation["description"]);
    if !description.is_empty() {
        let _ = writeln!(page, "<p>{description}</p>");
    }
    let parameters: Vec<&Value> = operation["parameters"].as_array().into_iter().flatten().collect();
    if !parameters.is_empty() {
        page.push_str("<table><tr><th>parameter</th><th>in</th><th>needed</th><th></th></tr>\n");
        for parameter in parameters {
            let needed = if parameter["required"] == true { "yes" } else { "no" };
            let _ = writeln!(
                page,
                "<tr><td><code>{}</code></td><td>{}</td><td>{needed}</td><td>{}</td></tr>",
                text(&parameter["name"]),
                text(&parameter["in"]),
                text(&parameter["description"])
            );
        }
        page.push_str("</table>\n");
    }
    for (kind, content) in members(&operation["requestBody"]["content"]) {
        let _ = writeln!(page, "<h3>body: {}</h3>{}", escaped(kind), schema(&content["schema"], document));
    }
    for (status, response) in members(&operation["responses"]) {
        let _ = writeln!(page, "<h3>answer {}</h3>", escaped(status));
        for (kind, content) in members(&response["content"]) {
            let _ = writeln!(page, "<p>{}</p>{}", escaped(kind), schema(&content["schema"], document));
        }
    }
    page.push_str("</details>\n");
}

/// A schema as JSON; one that is only a name is shown with what the name stands for.
fn schema(schema: &Value, document: &Value) -> String {
    let named = schema["$ref"].as_str().or(schema["items"]["$ref"].as_str());
    let meant = named.and_then(|name| document.pointer(name.trim_start_matches('#')));
    let shown = match meant {
        Some(meant) if schema["items"].is_object() => serde_json::json!({"type": "array", "items": meant}),
        Some(meant) => meant.clone(),
        None => schema.clone(),
    };
    format!("<pre>{}</pre>", escaped(&format!("{shown:#}")))
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

/// A text in which code stands between backticks.
fn text(value: &Value) -> String {
    let mut page = String::new();
    for (number, part) in value.as_str().unwrap_or_default().split('`').enumerate() {
        let (open, close) = if number % 2 == 1 { ("<code>", "</code>") } else { ("", "") };
        page.extend([open, &escaped(part), close]);
    }
    page
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
