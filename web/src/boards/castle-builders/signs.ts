// What is engraved in the stones, and how the two builders are told apart: by colour, by the cut of their stones, and by
// the mark that each mason leaves in them.

import { colours } from '../shapes';
import { STONE } from './layout';
import type { Arrows, Kind } from './plays';

/** The masons' marks in a box from -10 to 10: a ring of yellow, a lozenge of green. */
export const masons = [
	{ colour: colours.yellow, shape: 'M0-8A8 8 0 1 1 0 8A8 8 0 1 1 0-8Z' },
	{ colour: colours.green, shape: 'M0-10L8 0L0 10L-8 0Z' },
] as const;

export function mason(seat: number): (typeof masons)[number] {
	return seat === 0 ? masons[0] : masons[1];
}

const BONUS: Record<Arrows, string> = {
	vertical: 'M0-19V19M-9-10L0-19L9-10M-9 10L0 19L9 10',
	horizontal: 'M-32 0H32M-23-9L-32 0L-23 9M23-9L32 0L23 9',
};

/** Lines around the middle of a stone; an ordinary one carries nothing but its mason's mark. */
const SIGNS: Record<Exclude<Kind, 'B' | 'O'>, string> = {
	C: 'M-15-13L-2 0L-15 13M4-13L17 0L4 13',
	R: 'M-13-13L13 13M13-13L-13 13',
	K: 'M-31-10L-11 10M-11-10L-31 10M3-11L14 0L3 11M19-11L30 0L19 11',
	S: 'M-8-19H8L19-8V8L8 19H-8L-19 8V-8ZM-9 0H9',
};

export function sign(kind: Kind, arrows: Arrows | null): string {
	if (kind === 'O') return '';
	return kind === 'B' ? BONUS[arrows ?? 'vertical'] : SIGNS[kind];
}

/** The outline of a stone of this height: yellow ones are rounded, green ones have their corners cut off. */
export function cut(seat: number, height: number = STONE.height): string {
	const { width } = STONE;
	const corner = seat === 0 ? 10 : 12;
	const turn = (x: number, y: number) => (seat === 0 ? `a10 10 0 0 1 ${x} ${y}` : `l${x} ${y}`);
	return (
		`M${corner} 0H${width - corner}${turn(corner, corner)}V${height - corner}${turn(-corner, corner)}` +
		`H${corner}${turn(-corner, -corner)}V${corner}${turn(corner, -corner)}Z`
	);
}
