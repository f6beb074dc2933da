// The live connection: one for the page, opened when it is first needed, and opened again by itself whenever it is lost.

import type { Listing, Message, Person, Request } from '$gen/types';
import { PROTOCOL } from '$gen/live-checks';
import type { Connection, Watcher } from '../table/connection';
import type { Denied } from './denied';
import { ids, pauseBefore, Requests, understood, type Answer, type Wish } from './protocol';
import { who } from './who.svelte';

/** A silent connection is asked after this time whether it lives, and is taken for lost if no answer comes in time. */
const SILENT = 25_000;
const ANSWERED = 6000;
/** How long a connection that nobody needs is kept. */
const IDLE = 10_000;
/** How long to wait before something is said again of which nobody knows whether it was done. */
const UNSURE = 1000;

export interface LobbyWatcher {
	listed(table: Listing): void;
	/** The connection is there, for the first time or again: something may have been missed before. */
	back(): void;
}

const newId = ids();

class Live implements Connection {
	connected = $state(false);
	outdated = $state(false);
	user = $state.raw<Person | null>(null);
	ahead = $state(0);

	#socket: WebSocket | null = null;
	#requests = new Requests();
	#watchers = new Set<Watcher>();
	#lobby = new Set<LobbyWatcher>();
	#attempt = 0;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#idle: ReturnType<typeof setTimeout> | undefined;
	#pulse: ReturnType<typeof setTimeout> | undefined;

	constructor() {
		addEventListener('online', () => this.#hurry());
		addEventListener('offline', () => this.#check());
		document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && this.#hurry());
		// Who the client is, is settled when it connects.
		who.onChange(() => this.#socket && this.#reconnect());
	}

	watch(watcher: Watcher): () => void {
		this.#watchers.add(watcher);
		this.#need();
		if (this.connected) this.#watch(watcher);
		return () => {
			this.#watchers.delete(watcher);
			const others = [...this.#watchers].some(({ table }) => table === watcher.table);
			if (this.connected && !others) this.#say({ type: 'unwatch', id: newId(), table: watcher.table });
			this.#rest();
		};
	}

	watchAnew(watcher: Watcher): void {
		if (this.connected && this.#watchers.has(watcher)) this.#watch(watcher);
	}

	watchLobby(watcher: LobbyWatcher): () => void {
		this.#lobby.add(watcher);
		this.#need();
		if (this.connected) this.#say({ type: 'watch_lobby', id: newId() });
		return () => {
			this.#lobby.delete(watcher);
			if (this.connected && this.#lobby.size === 0) this.#say({ type: 'unwatch_lobby', id: newId() });
			this.#rest();
		};
	}

	/** Asks for something; it is said until it is answered, over as many connections as that takes. */
	ask(wish: Wish): Promise<Answer> {
		const request: Request = { ...wish, id: newId() };
		return who.named(() => this.#ask(request));
	}

	async #ask(request: Request): Promise<Answer> {
		const answer = this.#requests.add(request, { sure: true });
		this.#need();
		if (this.connected) this.#say(request);
		try {
			return await answer;
		} finally {
			this.#rest();
		}
	}

	#say(request: Request): void {
		this.#socket?.send(JSON.stringify(request));
	}

	#watch(watcher: Watcher): void {
		const { table, invitation } = watcher;
		const request: Request = { type: 'watch', id: newId(), table, invitation, full: true, ...watcher.known(this.user) };
		this.#requests.add(request, { sure: false }).catch((why: Denied) => {
			// What has to do with the connection settles itself with the next one.
			if (why.code !== 'internal') watcher.denied(why);
		});
		this.#say(request);
	}

	/** Somebody needs the connection. */
	#need(): void {
		clearTimeout(this.#idle);
		this.#idle = undefined;
		if (!this.#socket && this.#timer === undefined) this.#connect();
	}

	/** Ends the connection if nobody needs it for a while. */
	#rest(): void {
		if (this.#needed() || this.#idle !== undefined) return;
		this.#idle = setTimeout(() => {
			this.#idle = undefined;
			if (!this.#needed()) this.#close();
		}, IDLE);
	}

	#needed(): boolean {
		return this.#watchers.size > 0 || this.#lobby.size > 0 || this.#requests.size > 0;
	}

	#connect(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		const address = new URL('/api/live', location.href);
		address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
		const socket = new WebSocket(address);
		this.#socket = socket;
		socket.onmessage = ({ data }: MessageEvent<unknown>) => {
			if (socket === this.#socket) this.#hear(understood(data));
		};
		socket.onclose = () => {
			if (socket === this.#socket) this.#lost();
		};
		// A connection that is never opened is never closed either, on some networks.
		this.#pulse = setTimeout(() => socket === this.#socket && !this.connected && this.#reconnect(), ANSWERED * 2);
	}

	#lost(): void {
		this.#close();
		if (this.#needed()) this.#timer = setTimeout(() => this.#connect(), pauseBefore(this.#attempt++));
	}

	#close(): void {
		clearTimeout(this.#pulse);
		clearTimeout(this.#timer);
		this.#timer = undefined;
		const socket = this.#socket;
		this.#socket = null;
		this.connected = false;
		this.#requests.lost();
		socket?.close();
	}

	#reconnect(): void {
		this.#close();
		if (this.#needed()) this.#connect();
	}

	/** The network is there, or somebody looks again: no pause now. */
	#hurry(): void {
		if (this.connected) this.#check();
		else if (this.#timer !== undefined) this.#reconnect();
	}

	/** Finds out whether the connection lives. */
	#check(): void {
		clearTimeout(this.#pulse);
		if (!this.connected) return;
		const request: Request = { type: 'ping', id: newId() };
		this.#requests.add(request, { sure: false }).catch(() => undefined);
		this.#say(request);
		this.#pulse = setTimeout(() => this.#requests.has(request.id) && this.#reconnect(), ANSWERED);
	}

	#hear(message: Message | null): void {
		if (this.connected) {
			clearTimeout(this.#pulse);
			this.#pulse = setTimeout(() => this.#check(), SILENT);
		}
		switch (message?.type) {
			case 'welcome':
				return this.#welcome(message);
			case 'done':
			case 'position':
			case 'refused': {
				const unsure = this.#requests.answer(message);
				if (unsure) setTimeout(() => this.connected && this.#requests.has(unsure.id) && this.#say(unsure), UNSURE);
				return;
			}
			case 'snapshot':
			case 'update':
			case 'said':
			case 'present':
				for (const watcher of this.#watchers) if (watcher.table === message.table) watcher.hear(message);
				return;
			case 'listed':
				for (const watcher of this.#lobby) watcher.listed(message);
				return;
			case 'closing':
				// It will be back in a moment; the end of the connection follows.
				this.#attempt = 0;
		}
	}

	#welcome({ protocol, user, now }: Extract<Message, { type: 'welcome' }>): void {
		this.outdated = protocol !== PROTOCOL;
		this.user = user;
		who.me = user;
		this.ahead = now - Date.now();
		this.#attempt = 0;
		this.connected = true;
		for (const watcher of this.#watchers) this.#watch(watcher);
		if (this.#lobby.size > 0) this.#say({ type: 'watch_lobby', id: newId() });
		for (const request of this.#requests.again()) if (request.type !== 'watch') this.#say(request);
		for (const watcher of this.#lobby) watcher.back();
		clearTimeout(this.#pulse);
		this.#pulse = setTimeout(() => this.#check(), SILENT);
	}
}

/** One for the whole page. */
export const live = new Live();
