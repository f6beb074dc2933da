// What has to be drawn for a position, from the lowest and farthest to the highest and nearest.

import type { View } from '$gen/views/trexo';
import { nameOf, same, seen, squareOf, type Square, type Symbol } from './squares';

/** A block on one or two squares of the screen, lying on `level - 1` others. */
export type Piece = {
	/** The same piece keeps its key, also when one of its halves is covered. */
	key: string;
	/** The square nearest to the top left of the screen, and how far the block reaches from there. */
	from: Square;
	wide: number;
	deep: number;
	level: number;
	/** The symbols that are seen. A block without any is only known by its edge. */
	halves: { square: Square; name: string; symbol: Symbol }[];
};

export const symbolOf = (text: string): Symbol => (text === 'X' ? 'X' : 'O');

/** The topmost half on a square; nothing where it is empty or beyond the edge. */
export const topOf = (view: View, square: Square) => view.rows[square.row]?.[square.col] ?? null;

export const levelOf = (view: View, square: Square): number => topOf(view, square)?.level ?? 0;

/** A block over one square, or over two that lie side by side. */
export function block(a: Square, b: Square, level: number): Pick<Piece, 'from' | 'wide' | 'deep' | 'level'> {
	const from = { col: Math.min(a.col, b.col), row: Math.min(a.row, b.row) };
	return { from, wide: Math.abs(a.col - b.col) + 1, deep: Math.abs(a.row - b.row) + 1, level };
}

/**
 * Which of two pieces is drawn first. What is higher hides what is lower; on the same level, what is nearer to the bottom
 * right hides the edge of its neighbour. Where two centres are equally near, two upright tiles overlap sideways and two
 * others downwards.
 */
function farther(a: Piece, b: Piece): number {
	const near = (piece: Piece) => 2 * (piece.from.col + piece.from.row) + piece.wide + piece.deep;
	if (a.level !== b.level) return a.level - b.level;
	if (near(a) !== near(b)) return near(a) - near(b);
	if (a.deep !== b.deep) return a.deep - b.deep;
	return a.deep === 2 ? a.from.col - b.from.col : a.from.row - b.from.row;
}

/** All blocks of a position in the order in which they are drawn. */
export function piecesOf(view: View, flipped: boolean): Piece[] {
	const pieces = new Map<string, Piece>();
	/** Where a tile is known to lie, though other tiles are above it. */
	const known = new Set<string>();
	const on = (square: Square) => seen(square, view.size, flipped);

	const covered = view.rows.flatMap((tops, row) => tops.flatMap((top, col) => (top ? { square: { col, row }, top } : [])));

	for (const { square, top } of covered) {
		const partner = squareOf(top.partner);
		if (!partner) continue;
		const name = nameOf(square);
		const key = `${[name, top.partner].sort().join('')}:${top.level}`;
		const piece = pieces.get(key) ?? { key, ...block(on(square), on(partner), top.level), halves: [] };
		piece.halves.push({ square: on(square), name, symbol: symbolOf(top.symbol) });
		pieces.set(key, piece);
		if (!top.whole) known.add(`${top.partner}:${top.level}`);
	}
	for (const { square, top } of covered) {
		for (let level = 1; level < top.level; level++) {
			const key = `${nameOf(square)}:${level}`;
			if (!known.has(key)) pieces.set(key, { key, ...block(on(square), on(square), level), halves: [] });
		}
	}
	return [...pieces.values()].sort(farther);
}

/** Along a row, along a column, along either diagonal. */
const STEPS: readonly Square[] = [
	{ col: 1, row: 0 },
	{ col: 0, row: 1 },
	{ col: 1, row: 1 },
	{ col: 1, row: -1 },
];

/**
 * The winning squares as straight lines. The view tells the squares of all lines together, so they are taken apart: the
 * longest line first, until every square is on one.
 */
export function linesOf(view: View): Square[][] {
	const squares = view.line.map(squareOf).filter((square) => square !== null);
	const find = ({ col, row }: Square, step: Square, by: number, symbol: string | undefined) => {
		const next = { col: col + by * step.col, row: row + by * step.row };
		return squares.find((square) => same(square, next) && topOf(view, square)?.symbol === symbol);
	};
	const runs = squares.flatMap((start) =>
		STEPS.flatMap((step) => {
			const symbol = topOf(view, start)?.symbol;
			if (find(start, step, -1, symbol)) return [];
			const run = [start];
			for (let next = find(start, step, 1, symbol); next; next = find(next, step, 1, symbol)) run.push(next);
			return [run];
		}),
	);
	runs.sort((a, b) => b.length - a.length);
	const left = new Set(view.line);
	return runs.filter((run) => {
		const fresh = run.some((square) => left.has(nameOf(square)));
		for (const square of run) left.delete(nameOf(square));
		return fresh;
	});
}
