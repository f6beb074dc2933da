// Squares of the display and the lines through figures.

import type { Figure } from '$gen/views/figures';

export type Point = { x: number; y: number };

const COLUMNS = 'abcde';
export const SIZE = 5;

/** As the rules count them: a1, b1, .. e1, a2, .. e5. */
export const squareOrder: readonly string[] = Array.from(
	{ length: SIZE * SIZE },
	(_, index) => `${COLUMNS[index % SIZE]}${Math.floor(index / SIZE) + 1}`,
);

/** Column and row of a square from the upper left corner, as it is seen from this side or the other. */
export function cellOf(square: string, flipped = false): Point {
	const column = COLUMNS.indexOf(square.charAt(0));
	const row = Number(square.slice(1)) - 1;
	return flipped ? { x: SIZE - 1 - column, y: row } : { x: column, y: SIZE - 1 - row };
}

/** The names of the columns from the left and of the rows from above. */
export function edges(flipped: boolean): { columns: string[]; rows: string[] } {
	const columns = [...COLUMNS];
	const rows = columns.map((_, index) => String(SIZE - index));
	return flipped ? { columns: columns.reverse(), rows: rows.reverse() } : { columns, rows };
}

/** The strokes with which a figure is drawn through the five points of its markers. */
export function strokes(figure: Figure, points: readonly Point[]): Point[][] {
	if (figure === 'cross' || figure === 'plus') {
		const middle = { x: mean(points.map(({ x }) => x)), y: mean(points.map(({ y }) => y)) };
		const away = (point: Point) => Math.hypot(point.x - middle.x, point.y - middle.y);
		// The four outer points in a circle: each lies opposite to the next but one.
		const angle = (point: Point) => Math.atan2(point.y - middle.y, point.x - middle.x);
		const outer = [...points].sort((a, b) => away(a) - away(b)).slice(1).sort((a, b) => angle(a) - angle(b));
		return outer.slice(0, 2).map((start, index) => [start, middle, outer[index + 2] ?? middle]);
	}
	// One stroke, along whichever direction no two of the points are level in: a column each, a row each, or a step each.
	const along = [
		({ x }: Point) => x,
		({ y }: Point) => y,
		({ x, y }: Point) => x + y,
		({ x, y }: Point) => x - y,
	];
	const key = along.find((key) => new Set(points.map(key)).size === points.length);
	return [key ? [...points].sort((a, b) => key(a) - key(b)) : [...points]];
}

const mean = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

/** Strokes as a path of SVG. */
export function pathOf(lines: readonly (readonly Point[])[]): string {
	return lines.map((line) => `M${line.map(({ x, y }) => `${x} ${y}`).join('L')}`).join('');
}

/** Each figure where it is drawn small: around the middle of a box, one unit from square to square. */
export const models: Record<Figure, readonly Point[]> = {
	cross: [{ x: 0, y: 0 }, { x: -1, y: -1 }, { x: 1, y: -1 }, { x: 1, y: 1 }, { x: -1, y: 1 }],
	plus: [{ x: 0, y: 0 }, { x: 0, y: -1 }, { x: 1, y: 0 }, { x: 0, y: 1 }, { x: -1, y: 0 }],
	line: [-2, -1, 0, 1, 2].map((x) => ({ x, y: 0 })),
	zig_zag: [-2, -1, 0, 1, 2].map((x) => ({ x, y: x % 2 === 0 ? 0.5 : -0.5 })),
};

export const figureOrder = Object.keys(models) as Figure[];
