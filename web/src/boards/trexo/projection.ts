// From squares and heights to points of the picture: seen from above, or tilted so that the towers are seen from the side.

export type Point = readonly [x: number, y: number];

/**
 * How space is shown: a step of one square to the right, one down the board and one level up, each as a step in the
 * picture. All values are numbers, so that one picture can turn into the other.
 */
export type Projection = {
	rightX: number;
	rightY: number;
	downX: number;
	downY: number;
	upX: number;
	upY: number;
	/** Towers grow ever more slowly; however high, they look lower than this many levels. */
	highest: number;
	/** By how many degrees symbols and letters are turned, so that they stand upright for who looks on. */
	twist: number;
	/** How far shadows fall. */
	shadow: number;
};

/** The side of a square in the picture, when it is seen from above. */
export const SIDE = 40;

/** Tiles do not touch each other: so much is free on each side, in squares. */
export const GAP = 0.035;
/** How round the corners of a tile are. */
export const ROUND = 4;

/** From above, each level lifts a tile a little up and left; never so far that it hides the symbol beside it. */
export const above: Projection = {
	rightX: SIDE,
	rightY: 0,
	downX: 0,
	downY: SIDE,
	upX: -2.3,
	upY: -2.5,
	highest: 4.2,
	twist: 0,
	shadow: 1,
};

/** Tilted, with the bottom right corner in front. */
export const tilted: Projection = {
	rightX: SIDE * 0.72,
	rightY: SIDE * 0.42,
	downX: SIDE * -0.72,
	downY: SIDE * 0.42,
	upX: 0,
	upY: -11,
	highest: 12,
	twist: -45,
	// It would fall on the sides towards the viewer and look like dirt there.
	shadow: 0,
};

/** How high the top of a level looks, in levels. What is below the board is as thick as it is. */
const rise = (view: Projection, level: number) =>
	level < 0 ? level : view.highest * (1 - Math.exp(-level / view.highest));

/** A point of the board, columns and rows from the top left corner of the squares, at the top of a level. */
export function point(view: Projection, col: number, row: number, level: number): Point {
	const up = rise(view, level);
	return [
		col * view.rightX + row * view.downX + up * view.upX,
		col * view.rightY + row * view.downY + up * view.upY,
	];
}

/** A rectangle of the board as four points, clockwise from its top left. */
export type Area = { col: number; row: number; wide: number; deep: number };

export function corners(view: Projection, { col, row, wide, deep }: Area, level: number): Point[] {
	return [
		point(view, col, row, level),
		point(view, col + wide, row, level),
		point(view, col + wide, row + deep, level),
		point(view, col, row + deep, level),
	];
}

export const grown = ({ col, row, wide, deep }: Area, by: number): Area => ({
	col: col - by,
	row: row - by,
	wide: wide + 2 * by,
	deep: deep + 2 * by,
});

/** The outline of a block between two levels: a top face and the two sides that are seen, as six corners. */
export function outline(view: Projection, area: Area, bottom: number, top: number): Point[] {
	const [topLeft, topRight, , bottomLeft] = corners(view, area, top) as [Point, Point, Point, Point];
	const [, lowRight, lowNear, lowLeft] = corners(view, area, bottom) as [Point, Point, Point, Point];
	return [topLeft, topRight, lowRight, lowNear, lowLeft, bottomLeft];
}

/** The side of a block that looks down the board. */
export function front(view: Projection, area: Area, bottom: number, top: number): Point[] {
	const [, , near, left] = corners(view, area, top) as [Point, Point, Point, Point];
	const [, , lowNear, lowLeft] = corners(view, area, bottom) as [Point, Point, Point, Point];
	return [left, near, lowNear, lowLeft];
}

const show = ([x, y]: Point) => `${+x.toFixed(2)} ${+y.toFixed(2)}`;

/** A closed path through some points, its corners rounded. */
export function path(points: readonly Point[], radius = 0): string {
	const towards = ([x, y]: Point, [toX, toY]: Point): Point => {
		const length = Math.hypot(toX - x, toY - y);
		const part = length === 0 ? 0 : Math.min(radius, length / 2) / length;
		return [x + (toX - x) * part, y + (toY - y) * part];
	};
	const parts = points.map((corner, index) => {
		const before = points.at(index - 1) ?? corner;
		const after = points[(index + 1) % points.length] ?? corner;
		if (radius === 0) return show(corner);
		return `${show(towards(corner, before))}Q${show(corner)} ${show(towards(corner, after))}`;
	});
	return `M${parts.join('L')}Z`;
}

/** An open path through some points. */
export const trace = (points: readonly Point[]): string => `M${points.map(show).join('L')}`;

/** What lays a drawing flat on a level; the drawing's middle comes to this point, and its squares are `SIDE` wide. */
export function flat(view: Projection, col: number, row: number, level: number): string {
	const [x, y] = point(view, col, row, level);
	const steps = [view.rightX, view.rightY, view.downX, view.downY].map((step) => step / SIDE);
	return `matrix(${[...steps, x, y].map((value) => +value.toFixed(4)).join(' ')})`;
}

/** The thickness of the wood, in levels. */
export const BOARD = 1.2;

/** The part of the picture that holds the wood, which is `margin` squares wider than the board, and all towers. */
export function frame(
	view: Projection,
	size: number,
	margin: number,
	towers: readonly { col: number; row: number; level: number }[],
): { left: number; top: number; width: number; height: number } {
	const wood = grown({ col: 0, row: 0, wide: size, deep: size }, margin);
	const tops = towers.flatMap(({ level, ...square }) => corners(view, { ...square, wide: 1, deep: 1 }, level));
	const all = [...corners(view, wood, -BOARD), ...corners(view, wood, 0), ...tops];
	const xs = all.map(([x]) => x);
	const ys = all.map(([, y]) => y);
	const [left, top] = [Math.min(...xs), Math.min(...ys)];
	return { left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}
