// The five colours: a tone that also colour-blind people tell apart, a sign that is engraved on every piece, a letter.

import type { Colour } from '$gen/views/figures';
import { colours } from '../shapes';

type Sign = {
	/** The colour of the piece. */
	face: string;
	/** The colour of what is engraved in it. */
	engraved: string;
	/** The path of the sign in a box from -10 to 10. */
	shape: string;
	/** How action texts call the colour. */
	letter: string;
};

const ivory = '#fffdf8';

/** The bright colours of the table have no brown. This one is darker than all of them, whatever colours one sees. */
const brown = '#6b4423';

export const signs: Record<Colour, Sign> = {
	red: {
		face: colours.vermilion,
		engraved: ivory,
		// A heart.
		shape: 'M0 8C-10 1.5-9.5-6.6-4.4-7C-1.8-7.2-.4-5.4 0-3.8C.4-5.4 1.8-7.2 4.4-7C9.5-6.6 10 1.5 0 8Z',
		letter: 'r',
	},
	yellow: {
		face: colours.yellow,
		engraved: colours.ink,
		// A sun with eight rays.
		shape:
			'M0-9L1.7-4.2L6.4-6.4L4.2-1.7L9 0L4.2 1.7L6.4 6.4L1.7 4.2' +
			'L0 9L-1.7 4.2L-6.4 6.4L-4.2 1.7L-9 0L-4.2-1.7L-6.4-6.4L-1.7-4.2Z',
		letter: 'y',
	},
	green: {
		face: colours.green,
		engraved: ivory,
		// A leaf on its stalk.
		shape: 'M-8.5 8.5L-6.6 4.4C-8.4-3.6-1.6-8.2 8-8C8.2 1.6 3.6 8.4-4.4 6.6L-7 9.2Z',
		letter: 'g',
	},
	blue: {
		face: colours.blue,
		engraved: ivory,
		// Two waves.
		shape:
			'M-8.5-5C-5.5-8-3-8 0-5S5.5-2 8.5-5V-1C5.5 2 3 2 0-1S-5.5-4-8.5-1Z' +
			'M-8.5 2C-5.5-1-3-1 0 2S5.5 5 8.5 2V6C5.5 9 3 9 0 6S-5.5 3-8.5 6Z',
		letter: 'b',
	},
	brown: {
		face: brown,
		engraved: ivory,
		// A mountain and a smaller one.
		shape: 'M-9.5 6.5L-2.6-7L1.6 1L4-2.6L9.5 6.5Z',
		letter: 'n',
	},
};

/** In the order of the point board and of the bank. */
export const colourOrder = Object.keys(signs) as Colour[];

export function colourOf(letter: string): Colour | undefined {
	return colourOrder.find((colour) => signs[colour].letter === letter);
}
