// The live connection without the connection: what is waited for, what is said again, and when.

import type { Message, Request } from '$gen/types';
import { liveShapes } from '$gen/live-checks';
import { is, isObject } from '$lib/check';
import { Denied } from './denied';

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
		const known = isObject(message) && Object.hasOwn(liveShapes.Message['type='], String(message['type']));
		return known && is('Message', message, liveShapes) ? message : null;
	} catch {
		return null;
	}
}

/** A request that has no id yet. */
export type Wish = Request extends infer One ? (One extends Request ? Omit<One, 'id'> : never) : never;

/** What answers a request that is not refused. */
export type Answer = Extract<Message, { type: 'done' | 'position' }>;

type Waiting = { request: Request; sure: boolean; resolve: (answer: Answer) => void; reject: (why: Denied) => void };

/** Requests that wait for an answer. Those that must not be lost are said again, with the same id, until there is one. */
export class Requests {
	#waiting = new Map<string, Waiting>();

	/** What is answered once it is settled. */
	add(request: Request, { sure }: { sure: boolean }): Promise<Answer> {
		return new Promise((resolve, reject) => {
			this.#waiting.set(request.id, { request, sure, resolve, reject });
		});
	}

	/** Takes an answer; gives the request that has to be said again in a while, because nobody knows whether it was done. */
	answer(message: Answer | Extract<Message, { type: 'refused' }>): Request | null {
		const waiting = this.#waiting.get(message.id ?? '');
		if (!waiting) return null;
		if (message.type === 'refused' && message.code === 'unknown' && waiting.sure) return waiting.request;
		this.#waiting.delete(waiting.request.id);
		if (message.type === 'refused') waiting.reject(new Denied(message.code, message.reason, message.why ?? null));
		else waiting.resolve(message);
		return null;
	}

	/** The connection is lost: what need not be said again is given up. */
	lost(why = 'the connection was lost'): void {
		for (const [id, { sure, reject }] of this.#waiting) {
			if (sure) continue;
			this.#waiting.delete(id);
			reject(new Denied('internal', why));
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
