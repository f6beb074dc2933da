// How near to the best play each seat was over a game.

import type { Judged } from '$gen/types';

/**
 * From 0 to 100, by seat: the mean over the actions of the seat. Nothing for a seat without any, and where an analysis is
 * from before there was such a number.
 */
export function accuracies(moves: readonly Judged[], seats: number): (number | null)[] {
	return Array.from({ length: seats }, (_, seat) => {
		const own = moves.flatMap((move) => (move.seat === seat && typeof move.accuracy === 'number' ? move.accuracy : []));
		return own.length === 0 ? null : own.reduce((sum, one) => sum + one, 0) / own.length;
	});
}
