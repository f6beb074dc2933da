// What pieces and markers look like. Each colour has its own cross-ends, and the corners of its markers are cut in the
// same way, so that nobody needs to see colours.

import type { Colour, Piece } from '$gen/views/mod-x';
import { colours } from '../shapes';

type End = 'round' | 'square' | 'pointed' | 'forked';

/** A colour as it is painted; where there are two tones, the first is for a light page and the second for a dark one. */
export type Paint = {
	/** The piece itself. */
	body: string;
	/** The line around it, which sets it off from the wood and from a marker of its own colour. */
	rim: string;
	/** A flat marker. */
	tile: string;
	/** A sign on the page, outside the board. */
	sign: string;
};

const light = (body: string) => `color-mix(in srgb, ${body} 70%, white)`;
const dark = (body: string) => `color-mix(in srgb, ${body} 76%, black)`;

function paint(body: string, rims: [string, string], signs: [string, string]): Paint {
	return {
		body,
		rim: `light-dark(${rims.join(', ')})`,
		tile: `light-dark(${light(body)}, ${dark(body)})`,
		sign: `light-dark(${signs.join(', ')})`,
	};
}

/** Four steps of lightness: they stay apart where their hues do not. */
export const bodies: Record<Colour, string> = {
	red: '#c2301c',
	black: colours.ink,
	orange: '#f08c1e',
	yellow: colours.yellow,
};

export const paints: Record<Colour, Paint> = {
	red: paint(bodies.red, ['#6d1508', '#ffab96'], ['#c2301c', '#f0624c']),
	// Black on a dark page is known by its light rim.
	black: paint(bodies.black, ['#0b0c0e', '#c3c8d1'], [colours.ink, '#949cab']),
	orange: paint(bodies.orange, ['#6b3600', '#ffd9ae'], ['#c06400', '#f5a144']),
	yellow: paint(bodies.yellow, ['#5c5200', '#fffbc4'], ['#988000', colours.yellow]),
};

const ends: Record<Colour, End> = { red: 'round', black: 'square', orange: 'pointed', yellow: 'forked' };

/** Half the width of a cross's arm. */
const ARM = 3.7;

/** One arm's end, along the arm and across it, from its one side to the other. */
const arms: Record<End, string | [number, number][]> = {
	round: `A${ARM} ${ARM} 0 0 1`,
	square: [
		[11.2, -ARM],
		[11.2, ARM],
	],
	pointed: [
		[9.6, -ARM],
		[14, 0],
		[9.6, ARM],
	],
	forked: [
		[12.4, -ARM - 0.6],
		[9.6, 0],
		[12.4, ARM + 0.6],
	],
};

/** A cross, as a path in a box from -10 to 10. */
function cross(end: End): string {
	const parts = [45, 135, 225, 315].map((degrees) => {
		const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
		const point = ([along, across]: [number, number]) =>
			`${(along * cos - across * sin).toFixed(2)} ${(along * sin + across * cos).toFixed(2)}`;
		const arm = arms[end];
		const tip =
			typeof arm === 'string' ? `L${point([9.4, -ARM])}${arm} ${point([9.4, ARM])}` : arm.map((p) => `L${point(p)}`).join('');
		return `L${point([ARM, -ARM])}${tip}`;
	});
	return `M${parts.join('').slice(1)}Z`;
}

/** How a marker's corner of each kind is cut: how far from the corner, and by which line. */
const corners: Record<End, [cut: number, line: string]> = {
	round: [5.5, 'A5.5 5.5 0 0 1'],
	square: [0.6, 'L'],
	pointed: [4, 'L'],
	forked: [3.6, 'A3.6 3.6 0 0 0'],
};

/** A flat marker, as a path in a box from -10 to 10. */
function tile(end: End): string {
	const [cut, line] = corners[end];
	const short = 10 - cut;
	return (
		`M${-short} -10H${short}${line} 10 ${-short}V${short}${line} ${short} 10` +
		`H${-short}${line} -10 ${short}V${-short}${line} ${-short} -10Z`
	);
}

const each = <T>(draw: (end: End) => T): Record<Colour, T> => ({
	red: draw(ends.red),
	black: draw(ends.black),
	orange: draw(ends.orange),
	yellow: draw(ends.yellow),
});

export const tiles: Record<Colour, string> = each(tile);
export const crosses: Record<Piece, string> = { ...each(cross), joker: cross('round') };
