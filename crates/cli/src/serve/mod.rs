//! `quincunx serve`: settings from everywhere, logs, an orderly end.

mod logs;
mod settings;
mod show;
mod sources;
mod stop;
mod value;

use std::io::Write;

use clap::Args;
use quincunx_server::cluster::{self, Nats};
use quincunx_server::http::{Pages, Server};

use crate::failure::Failure;
use settings::Setting;
pub(crate) use sources::{Flags, Given};
use stop::Stop;

/// Arguments of `serve`.
#[derive(Args)]
pub(crate) struct Serve {
    #[command(flatten)]
    given: Given<All>,
    /// Print every setting with its value and where it comes from, and end
    #[arg(long)]
    show_config: bool,
}

/// A server has flags for everything.
struct All;

impl Flags for All {
    const BEFORE_SUBCOMMANDS: bool = false;

    fn takes(_: &Setting) -> bool {
        true
    }
}

/// A worker has flags for where its work comes from, and how much of it to do.
struct Thinking;

impl Flags for Thinking {
    const BEFORE_SUBCOMMANDS: bool = false;

    fn takes(setting: &Setting) -> bool {
        matches!(setting.key, "nats" | "nats-ca" | "cluster-secret" | "thinkers" | "log-format" | "log-level")
    }
}

/// Arguments of `worker`.
#[derive(Args)]
pub(crate) struct Worker {
    #[command(flatten)]
    given: Given<Thinking>,
}

impl Worker {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let gathered = self.given.gather()?;
        logs::start(&gathered.settings)?;
        let config = gathered.settings.config;
        let Some(url) = &config.nats else {
            return Err("a worker needs to know where its work comes from: --nats nats://host:4222".into());
        };
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(async {
            let stop = Stop::listen()?;
            let nats =
                Nats::connect_with(url, cluster::PREFIX, &config.keys).await.map_err(|error| error.to_string())?;
            let threads = config.thinkers.max(1);
            writeln!(out, "Thinking for the servers at {url}, {threads} at once")?;
            out.flush()?;
            cluster::work(&nats, threads, stop.asked("the worker")).await;
            Ok(())
        })
    }
}

/// A command that only looks at what is kept has flags for where that is.
pub(crate) struct Kept;

impl Flags for Kept {
    const BEFORE_SUBCOMMANDS: bool = true;

    fn takes(setting: &Setting) -> bool {
        matches!(setting.key, "data" | "database")
    }
}

impl Serve {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let gathered = self.given.gather()?;
        if self.show_config {
            return gathered.show(out);
        }
        logs::start(&gathered.settings)?;
        let config = gathered.settings.config;
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(async {
            let stop = Stop::listen()?;
            let server = Server::start(config).await.map_err(|error| error.to_string())?;
            let server = server.with_pages(Pages::new(quincunx_web::files()));
            writeln!(out, "Quincunx is at http://{}", server.address())?;
            out.flush()?;
            server.run_until(stop.asked("the server")).await.map_err(|error| error.to_string().into())
        })
    }
}
