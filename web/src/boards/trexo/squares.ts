// Squares by their names, tiles by the texts of their actions, and where they are seen on the screen.

/** A square as counted from `a1`, column and row from 0. */
export type Square = { col: number; row: number };

export type Symbol = 'X' | 'O';

/** A tile by the squares of its halves. */
export type Tile = { x: Square; o: Square };

export const nameOf = ({ col, row }: Square): string => `${String.fromCharCode(97 + col)}${row + 1}`;

/** The square with a name such as `e5`. */
export function squareOf(name: string): Square | null {
	const match = /^([a-z])([1-9]\d*)$/.exec(name);
	return match?.[1] && match[2] ? { col: match[1].charCodeAt(0) - 97, row: Number(match[2]) - 1 } : null;
}

/** The tile that an action such as `e5f5` lays; nothing for an action of another kind. */
export function tileOf(action: string): Tile | null {
	const match = /^([a-z]\d+)([a-z]\d+)$/.exec(action);
	const x = match?.[1] ? squareOf(match[1]) : null;
	const o = match?.[2] ? squareOf(match[2]) : null;
	return x && o ? { x, o } : null;
}

export const actionOf = ({ x, o }: Tile): string => nameOf(x) + nameOf(o);

export const same = (a: Square, b: Square): boolean => a.col === b.col && a.row === b.row;

/** A square as a place on the screen: columns from the left, rows from the top. It is the same sum the other way round. */
export function seen({ col, row }: Square, size: number, flipped: boolean): Square {
	return flipped ? { col: size - 1 - col, row } : { col, row: size - 1 - row };
}

const inside = ({ col, row }: Square, size: number) => col >= 0 && row >= 0 && col < size && row < size;

/** The sides to which the other half of a tile can lie, on the screen and clockwise: right, down, left, up. */
const WAYS: readonly Square[] = [
	{ col: 1, row: 0 },
	{ col: 0, row: 1 },
	{ col: -1, row: 0 },
	{ col: 0, row: -1 },
];

/** How a tile is held: to which side of its square the other half lies, and which symbol is on its square. */
export type Hold = { way: number; symbol: Symbol };

/** The square beside one, to a side of the screen; nothing beyond the edge. */
export function beside(square: Square, way: number, size: number, flipped: boolean): Square | null {
	const from = seen(square, size, flipped);
	const step = WAYS[way % WAYS.length];
	if (!step) return null;
	const to = { col: from.col + step.col, row: from.row + step.row };
	return inside(to, size) ? seen(to, size, flipped) : null;
}

/** The sides of a square that are on the board, clockwise from `way` on. */
export function waysFrom(square: Square, way: number, size: number, flipped: boolean): number[] {
	return WAYS.map((_, turn) => (way + turn) % WAYS.length).filter((to) => beside(square, to, size, flipped));
}

/** The tile that is held over a square; beyond the edge it is turned until it is on the board. */
export function heldOver(square: Square, hold: Hold, size: number, flipped: boolean): Tile | null {
	const way = waysFrom(square, hold.way, size, flipped)[0];
	const other = way === undefined ? null : beside(square, way, size, flipped);
	if (!other) return null;
	return hold.symbol === 'X' ? { x: square, o: other } : { x: other, o: square };
}

/** The next way round that keeps the tile on the board; `by` is 1 clockwise and -1 the other way. */
export function turned(square: Square, way: number, by: 1 | -1, size: number, flipped: boolean): number {
	const ways = waysFrom(square, way, size, flipped);
	// The first one is how the tile lies now, whatever was asked for.
	return (by === 1 ? ways[1] : ways.at(-1)) ?? way;
}
