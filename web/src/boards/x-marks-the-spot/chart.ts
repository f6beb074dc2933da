// The geometry of the chart: squares, what lies topmost on them, and what part of the sea has to be shown.

import type { CardView, DoubloonView, HalfView } from '$gen/views/x-marks-the-spot';
import { ahead } from '../shapes';
import type { Direction } from './cards';

export type Square = { x: number; y: number };
/** From one square to another, both included. */
export type Extent = { left: number; right: number; bottom: number; top: number };

/** The side of a square in the units of the drawing. */
export const SIDE = 24;

/** Clockwise, as a card turns. */
export const DIRECTIONS: readonly Direction[] = ['n', 'e', 's', 'w'];

const STEPS: Record<Direction, readonly [dx: number, dy: number]> = { n: [0, 1], e: [1, 0], s: [0, -1], w: [-1, 0] };

/** The neighbour in a direction. */
export function step({ x, y }: Square, direction: Direction): Square {
	const [dx, dy] = STEPS[direction];
	return { x: x + dx, y: y + dy };
}

/** The next direction, clockwise or back. */
export function turned(direction: Direction, by: 1 | -1 = 1): Direction {
	return DIRECTIONS[(DIRECTIONS.indexOf(direction) + by + 4) % 4] ?? 'n';
}

/** A square as a word of the notation, which also serves to look it up. */
export function key({ x, y }: Square): string {
	return `${x},${y}`;
}

/** The square of such a word. */
export function squareOf(key: string): Square {
	const [x = 0, y = 0] = key.split(',').map(Number);
	return { x, y };
}

export function same(a: Square | null, b: Square | null): boolean {
	return a !== null && b !== null && a.x === b.x && a.y === b.y;
}

/** The square by which cannons and headings name a card: the lower one, then the left one. */
export function lower(card: CardView): Square {
	const [a, b] = card.halves;
	return a.y < b.y || (a.y === b.y && a.x < b.x) ? { x: a.x, y: a.y } : { x: b.x, y: b.y };
}

/** What shows on each square. */
export type Tops = ReadonlyMap<string, { half: HalfView; card: CardView }>;

export function tops(chart: readonly CardView[]): Tops {
	const halves = chart.flatMap((card) => card.halves.map((half) => ({ half, card })));
	return new Map(halves.filter(({ half }) => half.top).map((shown) => [key(shown.half), shown]));
}

/** The height at which a card lies: that of its higher half. */
export function height(card: CardView): number {
	return Math.max(card.halves[0].level, card.halves[1].level);
}

/**
 * How far a card at a height is drawn up and to the left. The higher the stack, the smaller the steps, so that a card stays on
 * its squares.
 */
export function lift(height: number): number {
	return height <= 4 ? height * 1.1 : 4.4 + (height - 4) * 0.3;
}

/**
 * Cards have no names of their own. What a card is and where it lies tells it from all others, and stays the same while those
 * come and go.
 */
export function cardKeys(chart: readonly CardView[]): string[] {
	return chart.map(({ card, direction, halves }) => `${card} ${key(halves[0])} ${direction} ${halves[0].level}`);
}

/** The smallest extent with all these squares; nothing without any. */
export function extent(squares: readonly Square[]): Extent | null {
	if (squares.length === 0) return null;
	const [xs, ys] = [squares.map(({ x }) => x), squares.map(({ y }) => y)];
	return { left: Math.min(...xs), right: Math.max(...xs), bottom: Math.min(...ys), top: Math.max(...ys) };
}

/** The squares of all cards, as far as they are wide; the start where there are none. */
export function chartExtent(chart: readonly CardView[]): Extent {
	return extent(chart.flatMap(({ halves }) => halves)) ?? { left: 0, right: 1, bottom: 0, top: 0 };
}

export function grown({ left, right, bottom, top }: Extent, by: number): Extent {
	return { left: left - by, right: right + by, bottom: bottom - by, top: top + by };
}

/** The middle of a square in the drawing. Rows grow upwards; from the other side, everything is turned half round. */
export function middle({ x, y }: Square, flipped: boolean): Square {
	return flipped ? { x: -x * SIDE, y: y * SIDE } : { x: x * SIDE, y: -y * SIDE };
}

/** The square at a point of the drawing. */
export function squareAt(point: Square, flipped: boolean): Square {
	const x = Math.round(point.x / SIDE);
	const y = Math.round(point.y / SIDE);
	// Adding zero makes a zero of what rounding may have left as minus zero.
	return flipped ? { x: -x + 0, y: y + 0 } : { x: x + 0, y: -y + 0 };
}

/** A direction as it is seen from a side of the table. */
export function seen(direction: Direction, flipped: boolean): Direction {
	return flipped ? turned(turned(direction)) : direction;
}

/** Doubloons, counted on each square: two may lie on one. */
export function doubloonKeys(doubloons: readonly DoubloonView[]): { doubloon: DoubloonView; nth: number; id: string }[] {
	return doubloons.map((doubloon, at) => {
		const nth = doubloons.slice(0, at).filter((other) => same(other, doubloon)).length;
		return { doubloon, nth, id: `${key(doubloon)} ${nth}` };
	});
}

/** The target nearest to a square in a direction; it goes on at none. */
export function nearest(from: Square, direction: Direction, targets: readonly Square[]): Square | null {
	return ahead(from, STEPS[direction], targets);
}

/** The target closest to a square. */
export function closest(from: Square, targets: readonly Square[]): Square | null {
	const far = ({ x, y }: Square) => Math.abs(x - from.x) + Math.abs(y - from.y);
	return targets.reduce<Square | null>((best, target) => (best && far(best) <= far(target) ? best : target), null);
}
