// Games of X Marks the Spot for the tests, played with the module of the rules.

import type { Look } from '$gen/types';
import { openEngine } from '../scripts/engine.mjs';
import type { Seen } from '../src/boards/x-marks-the-spot/words';
import type { Scene } from '../src/learn/contract';
import { lesson } from '../src/learn/lessons/x-marks-the-spot';

// The settings ask for the colours of the system, which the test's page does not know: this file is imported before them.
window.matchMedia = (media: string) =>
	({ matches: false, media, addEventListener() {}, removeEventListener() {} }) as unknown as MediaQueryList;

export const GAME = 'x-marks-the-spot';
export const NAMES = ['Ann', 'Bob', 'Cem', 'Dee'];

export const call: (method: string, params?: object) => unknown = await openEngine('src/generated/engine.wasm');

export type Acted = Scene['actions'][number];

/** Makes an action; gives the position as somebody sees it who sees everything. */
export function apply(session: number, acted: Acted): Seen {
	const [seat, action] = typeof acted === 'string' ? [undefined, acted] : acted;
	return call('apply', { session, action, seat }) as Seen;
}

/** Plays a scene; gives its session. */
export function play({ seats, options = {}, actions }: Omit<Scene, 'me'>): number {
	const { session } = call('new', { game: GAME, seats, options }) as { session: number };
	for (const action of actions) apply(session, action);
	return session;
}

export function look(session: number, seat?: number): Look & { position: Seen } {
	return call('look', { session, seat }) as Look & { position: Seen };
}

/** A step of the lesson. */
export function stepOf(id: string) {
	const found = lesson.steps.find((step) => step.id === id);
	if (!found) throw new Error(`the lesson has no step ${id}`);
	return found;
}
