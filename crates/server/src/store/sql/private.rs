//! Files that only their owner can read, whatever the umask of the process says: invitations, talk and the hashes
//! of passwords are in them.

use std::fs::{self, DirBuilder, File};
use std::io;
use std::path::Path;

/// Opens a file to add to it, made if there is none.
pub(crate) fn file(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    restrict(path, 0o600)?;
    Ok(file)
}

/// Opens a new file to write to it; what was there before is gone.
pub(crate) fn new_file(path: &Path) -> io::Result<File> {
    let file = file(path)?;
    file.set_len(0)?;
    Ok(file)
}

/// Makes a folder, and those above it. One that exists stays as who made it wants it.
pub(crate) fn folder(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)?;
    restrict(path, 0o700)
}

/// Makes the file of a SQLite database, or takes one that exists from everybody else. SQLite gives the files beside it the
/// permissions of the database; those of an older version are mended.
pub(super) fn database(path: &Path) -> io::Result<()> {
    drop(file(path)?);
    for end in ["-wal", "-shm"] {
        let mut beside = path.as_os_str().to_owned();
        beside.push(end);
        match restrict(Path::new(&beside), 0o600) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(unix)]
fn restrict(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let now = fs::metadata(path)?.permissions().mode() & 0o777;
    // Who may not change it is not its owner; a file on a read-only medium is as it is.
    if now == mode { Ok(()) } else { fs::set_permissions(path, fs::Permissions::from_mode(mode)) }
}

#[cfg(not(unix))]
fn restrict(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}
