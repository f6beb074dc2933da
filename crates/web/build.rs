//! Puts the client where it is taken from: a copy of `web/dist`, or a page that says how it is built.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// What is shown where the client was not built.
const INSTEAD: &str = include_str!("src/instead.html");

fn main() -> io::Result<()> {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo says where to write")).join("client");
    if out.exists() {
        fs::remove_dir_all(&out)?;
    }
    println!("cargo:rerun-if-changed=src/instead.html");
    let built = web.join("dist");
    if built.join("index.html").exists() {
        println!("cargo:rerun-if-changed={}", built.display());
        return copy(&built, &out);
    }
    // A folder that is not there would count as changed at every build; the one around it shows when it comes.
    println!("cargo:rerun-if-changed={}", web.display());
    fs::create_dir_all(&out)?;
    fs::write(out.join("index.html"), INSTEAD)
}

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            copy(&from, &to)?;
        } else {
            fs::copy(from, to)?;
        }
    }
    Ok(())
}
