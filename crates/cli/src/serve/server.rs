//! Stands for `quincunx_server::http::Server` until that is here: opens the storage, listens, and waits for the end.

use std::future::Future;
use std::io;
use std::net::SocketAddr;

use quincunx_server::config::{Config, Storage};
use quincunx_server::store::{Store, StoreError};
use tokio::net::TcpListener;

pub(super) struct Server {
    store: Store,
    listener: TcpListener,
    address: SocketAddr,
}

impl Server {
    pub async fn start(config: Config) -> io::Result<Self> {
        let opened: Result<Store, StoreError> = match &config.storage {
            Storage::Memory => Ok(Store::memory()),
            Storage::Folder(folder) => Store::sqlite(folder.join("quincunx.db")).await,
            Storage::Postgres(url) => Store::postgres(&url.0).await,
        };
        let store = opened.map_err(io::Error::other)?;
        let listener = TcpListener::bind(config.listen)
            .await
            .map_err(|error| io::Error::other(format!("{}: {error}", config.listen)))?;
        let address = listener.local_addr()?;
        Ok(Self { store, listener, address })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    pub async fn run_until(self, stop: impl Future<Output = ()>) -> io::Result<()> {
        stop.await;
        drop(self.listener);
        self.store.close().await;
        Ok(())
    }
}
