// From the first tile to a five that climbs over three levels.

import type { Lesson, Scene } from '../contract';

const SIX = { size: 6 };
const COLUMNS = 'abcdef';

/** Every tile on an empty board of six by six squares, both ways round. */
const anywhere = [...COLUMNS].flatMap((letter, col) =>
	Array.from({ length: SIX.size }, (_, row) => `${letter}${row + 1}`).flatMap((square, row) => {
		const right = col + 1 < SIX.size ? [`${COLUMNS[col + 1]}${row + 1}`] : [];
		const up = row + 1 < SIX.size ? [`${letter}${row + 2}`] : [];
		return [...right, ...up].flatMap((other) => [square + other, other + square]);
	}),
);

/** Small boards: what matters is near. */
const small = (...actions: string[]): Scene => ({ seats: 2, options: SIX, actions, me: 0 });

/** X has four in a row, but the middle square shows O; the tiles on d4 and d5 are there to climb on. */
const CLIMB = ['b3b4', 'd2d3', 'c3c2', 'd5d4', 'e3e2', 'a1a2', 'f3f4', 'b6c6'];
/** Four of each side by side. */
const CAREFUL = ['b3b4', 'c3c4', 'd3d4', 'e3e4'];
/** A game of two engines, one tile before its end. */
const REAL = [
	...['i6j6', 'i7h7', 'f7g7', 'f6f5', 'e6e5', 'e6f6', 'f5e5', 'e7d7', 'c8d8', 'f7e7'],
	...['f6f5', 'e6e7', 'i5j5', 'f6e6', 'f4f3', 'g4g5', 'e4d4', 'c6c5', 'd7d8'],
];

export const lesson: Lesson = {
	steps: [
		{ id: 'first', scene: small(), wanted: anywhere },
		{ id: 'turn', scene: small('c3d3', 'd4c4'), wanted: ['b3b2'] },
		{
			id: 'five',
			scene: small('b3b2', 'a5b5', 'c3c4', 'f5e5', 'd3d2', 'd6c6', 'e3e4', 'f1e1'),
			wanted: ['a3a2', 'a3a4', 'f3f2', 'f3f4'],
		},
		{ id: 'bridge', scene: small('c3d3', 'd4c4'), wanted: ['c3c4', 'c4c3', 'd3d4', 'd4d3'] },
		{
			id: 'cover',
			scene: small('b5b4', 'c5c4', 'f1f2', 'd3d4', 'a1b1', 'e5e4'),
			wanted: ['b4c4', 'c4b4', 'c4d4', 'd4c4', 'd4e4', 'e4d4'],
			then: ['f5f4'],
		},
		{ id: 'climb', scene: small(...CLIMB), wanted: ['d3d4'] },
		{ id: 'careful', scene: small(...CAREFUL), wanted: ['a3a2', 'f3f2'] },
		{ id: 'find', scene: { seats: 2, actions: REAL, me: 1 }, wanted: ['d6d5'] },
	],
	examples: [
		{ id: 'tiles', section: 1, scene: { seats: 2, options: { size: 5 }, actions: ['b2c2', 'd4d3'], me: 0 } },
		{ id: 'bridge', section: 1, scene: { seats: 2, options: { size: 5 }, actions: ['b3c3', 'd3e3', 'c3d3'], me: 0 } },
		{ id: 'levels', section: 2, scene: small(...CLIMB, 'd3d4') },
		{ id: 'both', section: 2, scene: small(...CAREFUL, 'f3f4') },
		{
			id: 'draw',
			section: 3,
			scene: { seats: 2, options: { size: 5, tiles: 5 }, actions: ['c3c4', 'b3b4', 'd3d2', 'b4c4', 'a1b1'], me: 0 },
		},
	],
};
