// The two symbols: their shapes and colours, the same on tiles, in panels and in marks.

import { colours } from '../shapes';
import type { Projection } from './projection';
import type { Symbol } from './squares';

/** Each in a box from -10 to 10. */
export const SHAPES: Readonly<Record<Symbol, string>> = {
	X: 'M-6.2-9L0-2.8L6.2-9L9-6.2L2.8 0L9 6.2L6.2 9L0 2.8L-6.2 9L-9 6.2L-2.8 0L-9-6.2Z',
	// The inner circle runs the other way round, which makes it a hole.
	O: 'M0-9.2A9.2 9.2 0 1 1 0 9.2A9.2 9.2 0 1 1 0-9.2ZM0-5A5 5 0 1 0 0 5A5 5 0 1 0 0-5Z',
};

export const COLOURS: Readonly<Record<Symbol, string>> = { X: colours.blue, O: colours.vermilion };

/** What makes a shape as large as it is on a tile, and lets it stand upright for who looks on. */
export const standing = ({ twist }: Projection): string => `scale(1.12) rotate(${twist})`;
