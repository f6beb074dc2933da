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
/** A roof below its tip. */
export const roof = roofPath(ROOF.half, ROOF.height);
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

/** Seen from the other side, the first tower stands at the right. */
export function layout(heights: readonly number[], flipped: boolean) {
	const towers = heights.length;
	const rows = Math.max(1, ...heights);
	const width = LEFT + (towers - 1) * PITCH + STONE.width + RIGHT;
	const ground = SKY + POLE + ROOF.height + CORNICE + rows * STOREY;
	const height = ground + HILL;
	return {
		width,
		height,
		/** Where the towers stand. */
		ground,
		/** The left edge of the stones of a tower, by its index in the view. */
		x: (tower: number) => LEFT + (flipped ? towers - 1 - tower : tower) * PITCH,
		/** The upper edge of the stones of a row, from 0 at the bottom. */
		y: (row: number) => ground - (row + 1) * STOREY,
		/** The upper edge of a tower of this height. */
		top: (storeys: number) => ground - storeys * STOREY - CORNICE,
		/** Where the shields of the rows and their pennants stand. */
		shields: LEFT - WALL - 12 - SHIELD,
		pennants: width - RIGHT + WALL + 16,
		hill: hillPath(width, ground - 6, height),
		/** A second one, far away. */
		far: farPath(width, ground, height),
	};
}

function roofPath(half: number, height: number): string {
	const [bendX, bendY] = [half * 0.4, height * 0.55];
	return `M0 0Q${bendX} ${bendY} ${half} ${height}H${-half}Q${-bendX} ${bendY} 0 0Z`;
}

// Meadows go on beyond the drawing, so that there is ground wherever there is room.

/** The hill of the castle, flat below the towers. */
function hillPath(width: number, top: number, foot: number): string {
	const up = `C${-LEFT * 0.2} ${foot} ${LEFT * 0.1} ${top} ${LEFT} ${top}`;
	const down = `C${width - RIGHT * 0.2} ${top} ${width + RIGHT * 0.2} ${foot} ${width + RIGHT} ${foot}`;
	return `M${-FAR} ${foot + FAR}V${foot}H${-LEFT}${up}H${width - RIGHT}${down}H${width + FAR}V${foot + FAR}Z`;
}

/** Two hills behind it. */
function farPath(width: number, ground: number, foot: number): string {
	const at = (share: number, above: number) => `${width * share} ${ground - above}`;
	const first = `C${at(-0.1, 0)} ${at(0.05, 78)} ${at(0.25, 78)}S${at(0.5, 36)} ${at(0.62, 48)}`;
	const second = `S${at(0.85, 100)} ${at(1, 92)}S${at(1.3, 0)} ${at(1.5, 0)}`;
	return `M${-FAR} ${foot + FAR}V${ground}H${-width * 0.4}${first}${second}H${width + FAR}V${foot + FAR}Z`;
}
