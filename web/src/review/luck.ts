// Luck: what draws brought each seat, above or below what could be expected, added up over the game.

import type { Judged } from '$gen/types';
import type { Sample } from './graph';

/** A judged action after which something was drawn. */
export type Drawn = { move: Judged; gains: readonly number[]; sums: readonly number[] };

/** In the order of the game. Analyses from before know nothing of luck. */
export function draws(moves: readonly Judged[]): Drawn[] {
	let sums: readonly number[] = [];
	return moves.flatMap((move) => {
		const gains = move.luck ?? [];
		if (gains.length === 0) return [];
		sums = gains.map((gain, seat) => (sums[seat] ?? 0) + gain);
		return { move, gains, sums };
	});
}

/**
 * The curve: nothing at the beginning, level as long as nothing is drawn, and up or down from an action to the next
 * decision, before which the draws were. Empty if nothing was drawn in the whole game.
 */
export function luckCurve(moves: readonly Judged[], plies: number): Sample[] {
	const drawn = draws(moves);
	if (drawn.length === 0) return [];
	let before: readonly number[] = drawn[0]!.sums.map(() => 0);
	const curve: Sample[] = [{ ply: 0, shares: before }];
	for (const { move, sums } of drawn) {
		const next = moves.find(({ ply }) => ply > move.ply);
		curve.push({ ply: move.ply, shares: before }, { ply: next ? next.ply - 1 : plies, shares: sums });
		before = sums;
	}
	curve.push({ ply: plies, shares: before });
	return curve;
}

/** How far the curve goes from nothing, in a round step that is high enough to be read. */
export function reach(curve: readonly Sample[]): number {
	const most = Math.max(0, ...curve.flatMap(({ shares }) => shares.map(Math.abs)));
	return Math.max(0.1, Math.ceil(most * 10) / 10);
}
