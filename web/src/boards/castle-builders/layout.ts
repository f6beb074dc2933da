// Where everything stands in the drawing of a castle, whatever the heights of its towers.

/** A counter in a tower. */
export const STONE = { width: 100, height: 60 } as const;
/** From a stone to the one above it. */
const STOREY = 62;
/** From a tower to the next one. */
const PITCH = 118;
/** How far a wall reaches beyond its stones. */
export const WALL = 5;
export const ROOF = { half: 58, height: 68 } as const;
/** The pole above a roof. */
export const POLE = 42;
/** The radius of the shields with points on them. */
export const SHIELD = 21;
const LEFT = 64;
const RIGHT = 88;
const SKY = 10;
const HILL = 58;

export type Layout = {
	width: number;
	height: number;
	/** Where the towers stand. */
	ground: number;
	/** The left edge of the stones of a tower, by its index in the view. */
	x: (tower: number) => number;
	/** The upper edge of the stones of a row, from 0 at the bottom. */
	y: (row: number) => number;
	/** The upper edge of a tower of this height. */
	top: (height: number) => number;
	/** Where the shields of the rows and their pennants stand. */
	shields: number;
	pennants: number;
	hill: string;
	/** A second one, far away. */
	far: string;
};

/** Seen from the other side, the first tower stands at the right. */
export function layout(heights: readonly number[], flipped: boolean): Layout {
	const towers = heights.length;
	const rows = Math.max(1, ...heights);
	const width = LEFT + (towers - 1) * PITCH + STONE.width + RIGHT;
	const ground = SKY + POLE + ROOF.height + rows * STOREY;
	const height = ground + HILL;
	const place = (tower: number) => (flipped ? towers - 1 - tower : tower);
	const edge = width - RIGHT;
	return {
		width,
		height,
		ground,
		x: (tower) => LEFT + place(tower) * PITCH,
		y: (row) => ground - (row + 1) * STOREY,
		top: (storeys) => ground - storeys * STOREY,
		shields: LEFT - WALL - 12 - SHIELD,
		pennants: edge + WALL + 16,
		hill:
			`M-20 ${height}C${LEFT * 0.1} ${height - 12} ${LEFT * 0.2} ${ground - 6} ${LEFT} ${ground - 6}` +
			`H${edge}C${width - RIGHT * 0.2} ${ground - 6} ${width - RIGHT * 0.1} ${height - 12} ${width + 20} ${height}Z`,
		far:
			`M0 ${height}V${ground - 30}C${width * 0.15} ${ground - 84} ${width * 0.3} ${ground - 78} ${width * 0.45} ${ground - 44}` +
			`S${width * 0.8} ${ground - 96} ${width} ${ground - 34}V${height}Z`,
	};
}
