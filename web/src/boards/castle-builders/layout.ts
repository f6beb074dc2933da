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
const SKY = 8;
/** Between a tower's highest stone and its roof. */
const CORNICE = 6;
const HILL = 52;
/** Farther than any container reaches. */
const FAR = 4000;

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
	const ground = SKY + POLE + ROOF.height + CORNICE + rows * STOREY;
	const height = ground + HILL;
	const place = (tower: number) => (flipped ? towers - 1 - tower : tower);
	const edge = width - RIGHT;
	return {
		width,
		height,
		ground,
		x: (tower) => LEFT + place(tower) * PITCH,
		y: (row) => ground - (row + 1) * STOREY,
		top: (storeys) => ground - storeys * STOREY - CORNICE,
		shields: LEFT - WALL - 12 - SHIELD,
		pennants: edge + WALL + 16,
		// Meadows go on beyond the drawing, so that there is ground wherever there is room.
		hill:
			`M${-FAR} ${height + FAR}V${height}H${-LEFT}C${-LEFT * 0.2} ${height} ${LEFT * 0.1} ${ground - 6} ${LEFT} ${ground - 6}` +
			`H${edge}C${width - RIGHT * 0.2} ${ground - 6} ${width + RIGHT * 0.2} ${height} ${width + RIGHT} ${height}H${width + FAR}V${height + FAR}Z`,
		far:
			`M${-FAR} ${height + FAR}V${ground}H${-width * 0.4}C${-width * 0.1} ${ground} ${width * 0.05} ${ground - 78} ${width * 0.25} ${ground - 78}` +
			`S${width * 0.5} ${ground - 36} ${width * 0.62} ${ground - 48}S${width * 0.85} ${ground - 100} ${width} ${ground - 92}` +
			`S${width * 1.3} ${ground} ${width * 1.5} ${ground}H${width + FAR}V${height + FAR}Z`,
	};
}
