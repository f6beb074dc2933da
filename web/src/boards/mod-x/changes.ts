// What one action changed on the board, found by comparing what was seen before and after it: for drawing only.

import type { Piece, SquareView, View } from '$gen/views/mod-x';

export type Stone = { index: number; piece: Piece };

export type Change = {
	/** Pieces that left the board, among them one that was placed and scored by the same action. */
	lifted: Stone[];
	placed: Stone | null;
};

/** The piece that has left a square; `null` if none has. */
function gone(before: SquareView, after: SquareView): Piece | null {
	if (after.piece !== null) return null;
	// A marker more where no piece stood: the piece that completed the pattern was lifted at once.
	return before.piece ?? (after.markers > before.markers ? after.marker : null);
}

/** What happened from one view to the next one; `null` if that was more than one action, such as a jump in a replay. */
export function change(before: View, after: View): Change | null {
	const lifted: Stone[] = [];
	const placed: Stone[] = [];
	for (const [index, square] of after.squares.entries()) {
		const old = before.squares[index];
		if (!old || (old.piece === square.piece && old.markers === square.markers)) continue;
		const piece = gone(old, square);
		if (piece) lifted.push({ index, piece });
		else if (square.piece && old.piece === null) placed.push({ index, piece: square.piece });
		else return null;
	}
	const [one = null, ...others] = placed;
	return others.length > 0 || (one && lifted.length > 0) ? null : { lifted, placed: one };
}
