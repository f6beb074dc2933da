// The graph of a game: what each seat could expect, from ply to ply, and where a line is drawn for it.

import type { Judged } from '$gen/types';
import { isBad } from './verdicts';

/** What each seat could expect after so many actions, from 0 (lost) to 1 (won). */
export type Sample = { ply: number; shares: readonly number[] };

/** A box to draw in: the inner part of a picture. */
export type Box = { left: number; top: number; width: number; height: number };

/** What lies between the bottom and the top of the picture. */
export type Range = { low: number; high: number };
export const chances: Range = { low: 0, high: 1 };

/** How the line of a seat is dashed, so that nobody needs to tell colours apart. */
export const dashes = ['none', '7 4', '2 4', '10 4 2 4'] as const;

/**
 * What was expected in each judged position, which is that before the action, and at last what the game brought. In a
 * draw everybody gets the same, and what all get together is what they expected together.
 */
export function samples(moves: readonly Judged[], plies: number, winners: readonly number[] | null): Sample[] {
	const found = moves.map(({ ply, expected }) => ({ ply: ply - 1, shares: expected }));
	const last = found.at(-1)?.shares;
	if (winners === null || !last) return found;
	const drawn = last.reduce((sum, share) => sum + share, 0) / last.length;
	const share = (seat: number) => (winners.length === 0 ? drawn : winners.includes(seat) ? 1 : 0);
	return [...found, { ply: plies, shares: last.map((_, seat) => share(seat)) }];
}

/** What could be expected after so many actions: as in the last position before that was judged. */
export function sampleAt(found: readonly Sample[], ply: number): Sample | undefined {
	return found.findLast((sample) => sample.ply <= ply) ?? found[0];
}

export function x(ply: number, plies: number, { left, width }: Box): number {
	return left + (plies === 0 ? 0 : (ply / plies) * width);
}

/** Where a value is drawn: chances go from 0 to 1, luck as far below nothing as above it. */
export function y(value: number, { top, height }: Box, { low, high }: Range = chances): number {
	return top + ((high - value) / (high - low)) * height;
}

/** The ply nearest to a place in the picture. */
export function plyAt(at: number, plies: number, { left, width }: Box): number {
	if (width <= 0) return 0;
	return Math.min(plies, Math.max(0, Math.round(((at - left) / width) * plies)));
}

/** The line of a seat, as the path of a picture. */
export function line(found: readonly Sample[], seat: number, plies: number, box: Box, range: Range = chances): string {
	const place = ({ ply, shares }: Sample) => `${round(x(ply, plies, box))} ${round(y(shares[seat] ?? 0, box, range))}`;
	return found.length === 0 ? '' : `M${found.map(place).join('L')}`;
}

/** Plies to write below the picture: about so many, at round distances. */
export function ticks(plies: number, about: number): number[] {
	const rough = plies / Math.max(1, about);
	const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
	const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? 1);
	return Array.from({ length: Math.floor(plies / step) + 1 }, (_, index) => index * step);
}

/** The actions that gave something away, in the order of the game. */
export function turningPoints(moves: readonly Judged[]): Judged[] {
	return moves.filter(({ verdict }) => isBad(verdict));
}

/**
 * The turning points that are marked with a sign where there is no room for all: the worst first, and none so near to
 * another that one would lie on the other.
 */
export function signed(turns: readonly Judged[], plies: number, box: Box): ReadonlySet<Judged> {
	const chosen = new Set<Judged>();
	for (const turn of [...turns].sort((one, other) => other.loss - one.loss)) {
		const free = [...chosen].every(({ ply }) => Math.abs(x(ply, plies, box) - x(turn.ply, plies, box)) >= ROOM);
		if (free) chosen.add(turn);
	}
	return chosen;
}

/** As wide as the sign of a turning point. */
const ROOM = 20;

/** Half a pixel is as fine as anybody sees. */
function round(value: number): number {
	return Math.round(value * 2) / 2;
}
