// The texts of actions: `+r` takes a stone, `a1c3` exchanges two markers, the lower square first, `-r` returns a
// stone.

import type { Colour } from '$gen/views/figures';
import { squareOrder } from './geometry';
import { colourOf, signs } from './signs';

export type Action =
	| { kind: 'take'; colour: Colour }
	| { kind: 'exchange'; squares: readonly [string, string] }
	| { kind: 'return'; colour: Colour };

export function read(text: string): Action | null {
	const stone = /^([+-])([a-z])$/.exec(text);
	const colour = stone?.[2] && colourOf(stone[2]);
	if (colour) return { kind: stone[1] === '+' ? 'take' : 'return', colour };
	const [, low, high] = /^([a-e][1-5])([a-e][1-5])$/.exec(text) ?? [];
	return low && high ? { kind: 'exchange', squares: [low, high] } : null;
}

export const take = (colour: Colour) => `+${signs[colour].letter}`;
export const giveBack = (colour: Colour) => `-${signs[colour].letter}`;

/** Exchanges the markers on two squares, whichever was chosen first. */
export function exchange(one: string, other: string): string {
	return squareOrder.indexOf(one) <= squareOrder.indexOf(other) ? one + other : other + one;
}

/** The squares with which each square may be exchanged. */
export function partners(actions: readonly string[]): Map<string, string[]> {
	const found = new Map<string, string[]>();
	for (const text of actions) {
		const action = read(text);
		if (action?.kind !== 'exchange') continue;
		const [low, high] = action.squares;
		found.set(low, [...(found.get(low) ?? []), high]);
		found.set(high, [...(found.get(high) ?? []), low]);
	}
	return found;
}
