// The tables of this browser: a connection to the worker in which they stand. It is opened when it is first needed, and the
// games are kept in the browser as they go.

import { compile, Refusal } from '../engine/engine';
import type { Person, Request, Setup } from '$gen/types';
import { t } from '$lib/words.svelte';
import { Denied } from '../online/denied';
import { ids, Requests, type Answer, type Wish } from '../online/protocol';
import type { Connection, Watcher } from './connection';
import type { Told } from './host';
import { keepGame, saved, type Plan } from './saved';

/** How long the worker stays when nobody is at a table. */
const IDLE = 10_000;

const newId = ids();

class Here implements Connection {
	connected = $state(false);
	readonly outdated = false;
	readonly ahead = 0;
	user: Person | null = null;

	#worker: Promise<Worker> | null = null;
	#requests = new Requests();
	#watchers = new Set<Watcher>();
	#idle: ReturnType<typeof setTimeout> | undefined;

	watch(watcher: Watcher): () => void {
		this.#watchers.add(watcher);
		this.watchAnew(watcher);
		return () => {
			this.#watchers.delete(watcher);
			const others = [...this.#watchers].some(({ table }) => table === watcher.table);
			// A worker that is not there has nothing to forget.
			if (this.#worker && !others) this.ask({ type: 'unwatch', table: watcher.table }).catch(() => undefined);
		};
	}

	watchAnew(watcher: Watcher): void {
		const { since } = watcher.known(this.user);
		this.ask({ type: 'watch', table: watcher.table, full: true, since }).catch((why: Denied) => watcher.denied(why));
	}

	async ask(wish: Wish): Promise<Answer> {
		clearTimeout(this.#idle);
		const worker = await (this.#worker ??= this.#start());
		const request: Request = { ...wish, id: newId() };
		const answer = this.#requests.add(request, { sure: false });
		worker.postMessage(request);
		try {
			return await answer;
		} finally {
			clearTimeout(this.#idle);
			this.#idle = setTimeout(() => this.#rest(), IDLE);
		}
	}

	async #start(): Promise<Worker> {
		try {
			const module = await compile();
			const worker = new Worker(new URL('./host.ts', import.meta.url), { type: 'module' });
			worker.onmessage = ({ data }: MessageEvent<Told>) => this.#hear(data);
			worker.onerror = (event) => {
				event.preventDefault();
				this.#end(worker, t('table.worker_failed'));
			};
			worker.postMessage(module);
			return worker;
		} catch (error) {
			this.#worker = null;
			throw error;
		}
	}

	/** Ends the worker if nobody needs it. */
	#rest(): void {
		if (this.#watchers.size === 0 && this.#requests.size === 0) void this.#worker?.then((worker) => this.#end(worker, ''));
	}

	#end(worker: Worker, why: string): void {
		worker.terminate();
		this.#worker = null;
		this.connected = false;
		this.#requests.lost(why);
		for (const watcher of this.#watchers) watcher.denied(new Denied('internal', why));
	}

	#hear({ messages, keep, failed }: Told): void {
		for (const message of messages) {
			switch (message.type) {
				case 'welcome':
					this.user = message.user;
					this.connected = true;
					break;
				case 'done':
				case 'position':
				case 'refused':
					this.#requests.answer(message);
					break;
				case 'snapshot':
				case 'update':
					for (const watcher of this.#at(message.table)) watcher.hear(message);
			}
		}
		for (const game of keep) {
			if (!keepGame(game)) this.#trouble(game.id, t('table.cannot_keep'));
		}
		if (failed) this.#trouble(failed.table, t('table.engine_failed', { why: failed.why }));
	}

	#at(table: string): Watcher[] {
		return [...this.#watchers].filter((watcher) => watcher.table === table);
	}

	#trouble(table: string, why: string): void {
		for (const watcher of this.#at(table)) watcher.denied(new Denied('unknown', why));
	}
}

/** One for the whole page. */
export const here = new Here();

/** Sets up a table and keeps its game; gives its address. A plan against the rules is refused with a sentence. */
export async function setUp({ game, options, seats, clock = { kind: 'none' } }: Plan): Promise<string> {
	const setup: Setup = { game, options, seats, shuffled: false, clock, rated: false, public: false, undo: 'free' };
	const done = await here.ask({ type: 'create', setup });
	const table = done.type === 'done' ? done.table : null;
	if (!table || !saved(table)) throw new Refusal(t('table.cannot_keep'));
	return `/here/${table}`;
}
