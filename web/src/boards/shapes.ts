// Colours that also colour-blind people tell apart, each with a shape.

import type { Mark } from './contract';

/** The colours of LOOK, by name. */
export const colours = {
	vermilion: '#d55e00',
	sky: '#56b4e9',
	green: '#009e73',
	yellow: '#f0e442',
	blue: '#0072b2',
	purple: '#cc79a7',
	ink: '#22252b',
} as const;

const shapes: readonly Mark[] = [
	{ colour: colours.vermilion, shape: 'M0-8A8 8 0 1 1 0 8A8 8 0 1 1 0-8Z', name: '●' },
	{ colour: colours.blue, shape: 'M-7-7H7V7H-7Z', name: '■' },
	{ colour: colours.green, shape: 'M0-9L9 7H-9Z', name: '▲' },
	{ colour: colours.purple, shape: 'M0-9L9 0L0 9L-9 0Z', name: '◆' },
];

/** The mark of a seat that has none of its game. */
export const shapeOf = (seat: number): Mark => shapes[seat % shapes.length]!;
