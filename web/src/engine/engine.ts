// Calls to the rules and the engines: typed methods over lines of JSON-RPC to a worker.

import wasm from '$gen/engine.wasm?url';
import { t } from '$lib/words.svelte';
import type { About, GameEntry, Look, Opened, Position, Progress, Reason, Thought } from '$gen/types';

/** Something was refused; the reason is there where the rules have one. */
export class Refusal extends Error {
	readonly reason: Reason | null;

	constructor(message: string, reason: Reason | null = null) {
		super(message);
		this.reason = reason;
	}
}

type Session = { session: number };

/** How long an engine thinks, how many lines it tells, and for whom if not for who is on turn. */
export type Question = { millis: number; lines: number; seat?: number };

/** What is asked of the module here: what it takes, and what it gives. */
type Methods = {
	games: (of: object) => GameEntry[];
	about: (of: { game: string }) => About;
	new: (of: { game: string; seats: number; options: object }) => Opened;
	load: (of: { record: string }) => Opened;
	/** What a seat sees or, where none is given, somebody who sees everything. */
	look: (of: Session & { seat?: number; ply?: number }) => Look;
	/** `?` draws at a chance turn. */
	apply: (of: Session & { action: string; seat?: number }) => Position;
	/** Why a seat cannot make an action now; `null` if it can. */
	check: (of: Session & { action: string; seat?: number }) => Reason | null;
	undo: (of: Session & { count: number }) => Position;
	record: (of: Session) => string;
	close: (of: Session) => null;
	/** `null` if it is not on turn and rather waits. */
	bestmove: (of: Session & Question) => Thought | null;
	review: (of: Session & { millis: number }) => Progress;
};

type Answer = { id: number; result: unknown; error?: { message: string; data?: Reason } };

let compiled: Promise<WebAssembly.Module> | undefined;

/** The module is loaded and compiled once for all workers. */
export function compile(): Promise<WebAssembly.Module> {
	const loading = (compiled ??= WebAssembly.compileStreaming(fetch(wasm)).catch((cause: unknown) => {
		// What the browser says about it is not for people.
		throw new Error(t('app.no_rules'), { cause });
	}));
	// A call after a failure asks the network again.
	loading.catch(() => (compiled = undefined));
	return loading;
}

type Waiting = { resolve: (result: unknown) => void; reject: (error: Error) => void };

/** A worker with the module in it. */
class Engine {
	#worker: Worker | undefined;
	#waiting = new Map<number, Waiting>();
	#last = 0;
	#stops = 0;

	async call<Name extends keyof Methods>(method: Name, params: Parameters<Methods[Name]>[0]): Promise<ReturnType<Methods[Name]>> {
		const stops = this.#stops;
		const module = this.#worker ? undefined : await compile();
		if (stops !== this.#stops) throw new Error('stopped');
		const worker = (this.#worker ??= this.#start(module!));
		const id = ++this.#last;
		return new Promise((resolve, reject) => {
			this.#waiting.set(id, { resolve: resolve as (result: unknown) => void, reject });
			worker.postMessage(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
		});
	}

	/** Ends the worker, whatever it does; the next call begins with a new one. */
	stop(why = new Error('stopped')): void {
		this.#stops += 1;
		this.#worker?.terminate();
		this.#worker = undefined;
		for (const { reject } of this.#waiting.values()) reject(why);
		this.#waiting.clear();
	}

	#start(module: WebAssembly.Module): Worker {
		const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
		worker.onmessage = ({ data }: MessageEvent<string>) => this.#hear(data);
		worker.onerror = (event) => this.stop(new Error(event.message || 'the engine has failed'));
		worker.postMessage(module);
		return worker;
	}

	#hear(line: string): void {
		const { id, result, error } = JSON.parse(line) as Answer;
		const waiting = this.#waiting.get(id);
		this.#waiting.delete(id);
		if (error) waiting?.reject(new Refusal(error.message, error.data));
		else waiting?.resolve(result);
	}
}

/** The rules: answers at once, since nobody thinks in this worker. */
class Rules extends Engine {
	#games: Promise<GameEntry[]> | undefined;

	games(): Promise<GameEntry[]> {
		const games = (this.#games ??= this.call('games', {}));
		games.catch(() => (this.#games = undefined));
		return games;
	}
}

/** One for the whole page. */
export const rules = new Rules();

/** An engine that thinks about one thing at a time, and can be stopped at any moment: what is under way is answered with an error. */
export class Thinker extends Engine {
	/** What it would do, with the best lines. */
	async think(record: string, question: Question): Promise<Thought | null> {
		const { session } = await this.call('load', { record });
		const thought = await this.call('bestmove', { session, ...question });
		await this.call('close', { session });
		// Who has no opinion tells no lines either.
		if (thought?.lines.length === 0) thought.lines = [{ expected: thought.expected, visits: 0, depth: 0, steps: thought.line }];
		return thought;
	}

	/** Judges a whole game, and tells after every action what was found so far. */
	async review(record: string, millis: number, told: (progress: Progress) => void): Promise<Progress> {
		const { session } = await this.call('load', { record });
		for (;;) {
			const progress = await this.call('review', { session, millis });
			told(progress);
			if (progress.done === progress.of) {
				await this.call('close', { session });
				return progress;
			}
		}
	}
}
