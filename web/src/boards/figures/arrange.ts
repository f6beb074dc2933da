// Where everything lies on the table: two arrangements, a wide and a tall one, of which the one is taken that is larger
// in the room there is. A square of the display is 100 wide.

import type { Colour, Figure, View } from '$gen/views/figures';
import { cellOf, figureOrder, type Point } from './geometry';
import { colourOrder } from './signs';

export type Box = { x: number; y: number; width: number; height: number };

export type Arrangement = {
	width: number;
	height: number;
	display: Box;
	bank: Box;
	points: Box;
	/** The hands: of the side that sits nearer, and of the other one. */
	near: Box;
	far: Box;
};

export const CELL = 100;
/** The wooden frame around the felt, with the names of the columns and rows. */
export const FRAME = 34;
const DISPLAY = 5 * CELL + 2 * FRAME;

const box = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height });

export const wide: Arrangement = {
	width: 924,
	height: 688,
	display: box(356, 0, DISPLAY, DISPLAY),
	bank: box(356, 584, DISPLAY, 104),
	points: box(0, 120, 340, 448),
	near: box(0, 584, 340, 104),
	far: box(0, 0, 340, 104),
};

export const tall: Arrangement = {
	width: 684,
	height: 866,
	display: box(0, 0, DISPLAY, DISPLAY),
	bank: box(0, 580, DISPLAY, 100),
	points: box(0, 692, 684, 174),
	near: box(580, 346, 104, 334),
	far: box(580, 0, 104, 334),
};

export function arrange(width: number, height: number): Arrangement {
	const scale = (room: Arrangement) => Math.min(width / room.width, height / room.height);
	return scale(tall) > scale(wide) ? tall : wide;
}

/** The middle of a square. */
export function squareAt(room: Arrangement, square: string, flipped: boolean): Point {
	const { x, y } = cellOf(square, flipped);
	const { display } = room;
	return { x: display.x + FRAME + (x + 0.5) * CELL, y: display.y + FRAME + (y + 0.5) * CELL };
}

/** The middle of a colour's field in the bank, below the columns of the display. */
export function bankAt({ bank }: Arrangement, colour: Colour): Point {
	return { x: bank.x + FRAME + (colourOrder.indexOf(colour) + 0.5) * CELL, y: bank.y + bank.height / 2 };
}

/** The middle of the first or second place in a hand. */
export function handAt(hand: Box, place: number): Point {
	const far = 48 + (1 - place) * 92;
	return hand.width > hand.height
		? { x: hand.x + hand.width - 8 - far, y: hand.y + hand.height / 2 }
		: { x: hand.x + hand.width / 2, y: hand.y + hand.height - 12 - far };
}

/** Where a bank stone lies: in the bank or in the hand of a side. `near` is the side that sits nearer. */
export function stoneAt(room: Arrangement, view: View, colour: Colour, near: number): Point {
	for (const [side, { stones }] of view.sides.entries()) {
		const place = stones.indexOf(colour);
		if (place >= 0) return handAt(side === near ? room.near : room.far, place);
	}
	return bankAt(room, colour);
}

/** The rows of the point board. */
export const steps: readonly number[] = [5, 3, 2, 1];

/** The fields of the point board and where the small stones lie in them. */
export function pointFields({ points }: Arrangement) {
	const upright = points.height > points.width;
	const side = upright ? 44 : 54;
	const head = upright ? 84 : 50;
	const width = (points.width - side - 10) / figureOrder.length;
	const height = (points.height - head - 8) / steps.length;
	const column = (figure: Figure) => points.x + side + (figureOrder.indexOf(figure) + 0.5) * width;
	const row = (value: number) => points.y + head + (Math.max(steps.indexOf(value), 0) + 0.5) * height;
	const inField = (colour: Colour): Point => {
		const index = colourOrder.indexOf(colour);
		if (!upright) return { x: ((index - 2) * width) / 5.4, y: 0 };
		const [x, y] = QUINCUNX[index] ?? [0, 0];
		return { x: (x * width) / 3.6, y: (y * height) / 3.6 };
	};
	return {
		width,
		height,
		radius: upright ? 12.5 : 13,
		head: (figure: Figure): Point => ({ x: column(figure), y: points.y + head / 2 + 2 }),
		label: (value: number): Point => ({ x: points.x + side / 2 + 2, y: row(value) }),
		field: (figure: Figure, value: number): Point => ({ x: column(figure), y: row(value) }),
		stone: (figure: Figure, colour: Colour, value: number): Point => {
			const { x, y } = inField(colour);
			return { x: column(figure) + x, y: row(value) + y };
		},
	};
}

/** Five stones in a field lie like the five of a die: each colour always at its own place. */
const QUINCUNX: readonly (readonly [number, number])[] = [
	[-1, -1],
	[1, -1],
	[0, 0],
	[-1, 1],
	[1, 1],
];
