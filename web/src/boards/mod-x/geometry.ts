// The board as a plane: names of squares, where they are drawn, and which one lies beside which.

import { ARROWS } from '../shapes';

export const SIZE = 8;
/** The side of a square in the picture. */
export const CELL = 100;
/** The side of all squares together. */
export const FIELD = SIZE * CELL;

/** The number of a square in the order a1, b1, .. h1, a2, .. h8; `null` if there is no such square. */
export function indexOf(square: string): number | null {
	if (!/^[a-h][1-8]$/.test(square)) return null;
	return (Number(square[1]) - 1) * SIZE + square.charCodeAt(0) - 'a'.charCodeAt(0);
}

export const columnName = (column: number): string => String.fromCharCode('a'.charCodeAt(0) + column);

/** Where a square is drawn: its column from the left and its row from the top. */
export function spot(index: number, flipped: boolean): { column: number; row: number } {
	const column = index % SIZE;
	const row = Math.floor(index / SIZE);
	return flipped ? { column: SIZE - 1 - column, row } : { column, row: SIZE - 1 - row };
}

/** The square that is drawn at a spot. */
export function at(column: number, row: number, flipped: boolean): number {
	return flipped ? row * SIZE + SIZE - 1 - column : (SIZE - 1 - row) * SIZE + column;
}

/** The middle of a square in the picture. */
export function centre(index: number, flipped: boolean): { x: number; y: number } {
	const { column, row } = spot(index, flipped);
	return { x: (column + 0.5) * CELL, y: (row + 0.5) * CELL };
}

const STEPS: typeof ARROWS = {
	...ARROWS,
	Home: [-SIZE, 0],
	End: [SIZE, 0],
	PageUp: [0, -SIZE],
	PageDown: [0, SIZE],
};

/** The square to which a key leads, as the board is seen; `null` if the key leads nowhere. At the edge one stays. */
export function walk(index: number, key: string, flipped: boolean): number | null {
	const step = STEPS[key];
	if (!step) return null;
	const { column, row } = spot(index, flipped);
	const within = (value: number) => Math.min(SIZE - 1, Math.max(0, value));
	return at(within(column + step[0]), within(row + step[1]), flipped);
}
