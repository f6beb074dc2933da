// The live connection without the connection: what is waited for, what is said again, and when.

import type { Message, Refused, Request } from '$gen/wire';
import { isMessage } from './guards';

const SHORTEST_PAUSE = 500;
const LONGEST_PAUSE = 15_000;

/**
 * How long to wait before the next attempt to connect, in milliseconds. The pauses double, and differ by chance from page
 * to page, so that not all come back in the same moment after a server was away.
 */
export function pauseBefore(attempt: number, chance = Math.random()): number {
	const longest = Math.min(SHORTEST_PAUSE * 2 ** Math.min(attempt, 20), LONGEST_PAUSE);
	return Math.round(Math.max(SHORTEST_PAUSE, longest * (0.5 + chance / 2)));
}

/** A message of the server; nothing if it is none that this client understands. */
export function understood(text: unknown): Message | null {
	if (typeof text !== 'string') return null;
	try {
		const message: unknown = JSON.parse(text);
		return isMessage(message) ? message : null;
	} catch {
		return null;
	}
}

export type Done = Extract<Message, { type: 'done' }>;

export class Denied extends Error {
	readonly code: Refused;

	constructor(code: Refused, reason: string) {
		super(reason);
		this.code = code;
	}
}

type Waiting = { request: Request; sure: boolean; resolve: (done: Done) => void; reject: (why: Denied) => void };

/** Requests that wait for an answer. Those that must not be lost are said again, with the same id, until there is one. */
export class Requests {
	#waiting = new Map<string, Waiting>();

	/** What is answered once it is settled. */
	add(request: Request, { sure }: { sure: boolean }): Promise<Done> {
		return new Promise((resolve, reject) => {
			this.#waiting.set(request.id, { request, sure, resolve, reject });
		});
	}

	/** Takes an answer; gives the request that has to be said again in a while, because nobody knows whether it was done. */
	answer(message: Done | Extract<Message, { type: 'refused' }>): Request | null {
		const waiting = message.id === undefined ? undefined : this.#waiting.get(message.id);
		if (!waiting) return null;
		if (message.type === 'refused' && message.code === 'unknown' && waiting.sure) return waiting.request;
		this.#waiting.delete(waiting.request.id);
		if (message.type === 'done') waiting.resolve(message);
		else waiting.reject(new Denied(message.code, message.reason));
		return null;
	}

	/** The connection is lost: what need not be said again is given up. */
	lost(): void {
		for (const [id, { sure, reject }] of this.#waiting) {
			if (sure) continue;
			this.#waiting.delete(id);
			reject(new Denied('trouble', 'the connection was lost'));
		}
	}

	has(id: string): boolean {
		return this.#waiting.has(id);
	}

	/** What has to be said again over a new connection, in the order in which it was said first. */
	again(): Request[] {
		return [...this.#waiting.values()].map(({ request }) => request);
	}

	get size(): number {
		return this.#waiting.size;
	}
}

/** Ids that are new in all runs of all clients. */
export function ids(): () => string {
	const run = Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => byte.toString(36)).join('');
	let last = 0;
	return () => `${run}-${++last}`;
}
