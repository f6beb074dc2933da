// Mod X from the first joker to five of them in a row. Red is who learns.

import type { Lesson, Scene } from '../contract';

const moves = (text: string): string[] => text.trim().split(/\s+/);

/** A game of red against black. */
const duel = (actions: string, me = 0): Scene => ({ seats: 2, actions: moves(actions), me });

/** A game in which everybody says done after each piece and claims nothing. */
const unseen = (seats: number, jokers: string, pieces: string): Scene => ({
	seats,
	options: { claims: 'manual' },
	actions: [...moves(jokers), ...moves(pieces).flatMap((piece) => [piece, 'done'])],
	me: 0,
});

/** Red's line needs a3 or f3, with a joker on d3. */
const line = '*d3 *a1 *h8 *a8 *h1  f6 b3 g4 c3 c7 e3 g7';
/** Black has scored the line c5 to g5, and red's plus lies across it. */
const across = '*a1 *h1 *a8 *h8 *a3  c5 d3 e5 c4 f5 e4 g5 b2 d5 d5 g2';

export const lesson: Lesson = {
	steps: [
		{
			id: 'jokers',
			scene: duel('*b2 *g2 *b7 *g7'),
			wanted: moves(
				'*d1 *e1 *d2 *e2 *d3 *e3 *a4 *b4 *c4 *d4 *e4 *f4 *g4 *h4 *a5 *b5 *c5 *d5 *e5 *f5 *g5 *h5 *d6 *e6 *d7 *e7 *d8 *e8',
			),
		},
		{ id: 'plus', scene: duel('*a1 *h1 *a8 *h8 *h4  f7 d5 c7 d3 g3 c4 b2 e4 f2'), wanted: ['d4'] },
		{ id: 'line', scene: duel(line), wanted: ['a3', 'f3'] },
		{
			id: 'back',
			scene: duel('*d3 *a1 *h8 *a8 *h1  f8 b3 g4 c3 b7 e3 g7 c6 b2 d6 g2 e6 d8 f3'),
			wanted: ['*b6', '*f6'],
			then: ['a6'],
		},
		{ id: 'cover', scene: duel(across), wanted: ['d4'] },
		{ id: 'block', scene: duel('*a1 *h1 *a8 *h8 *h4  b6 a6 c6 g3 d6 c3 e6'), wanted: ['f6'] },
		{ id: 'five_jokers', scene: duel('*a1 *c1 *e1 *a4 *c4  h7 b4 f7 d4 g5 e4 *b1'), wanted: ['*d1'] },
		{
			id: 'touch',
			scene: unseen(3, '*a1 *h1 *a8 *h8 *a4', 'd7 f3 b2 c6 g5 f7 e6 b4 c3 d5 g2 h6 d6'),
			wanted: ['!d6', '!c6', '!e6', '!d7', '!d5'],
		},
	],
	examples: [
		{
			id: 'patterns',
			section: 1,
			scene: unseen(3, '*h1 *h8 *h5 *a5 *e1', 'f7 b2 b5 e6 c2 d5 g6 d2 b7 f5 e2 d7 f6 f2 c6'),
		},
		{ id: 'set_up', section: 2, scene: duel('*b2 *g2 *b7 *g7 *d4', 1) },
		{ id: 'scoring', section: 4, scene: duel(`${line} f3`) },
		{ id: 'cover', section: 4, scene: duel(`${across} d4`) },
		{ id: 'double', section: 4, scene: duel('*a1 *h1 *a8 *h8 *h5  f7 c3 b2 e3 g3 c5 a6 e5 f2 d3 c7 d5 g6 c4 b7 e4 g7 d4') },
		{ id: 'forbidden', section: 5, scene: duel('*d3 *a1 *h8 *a8 *h1  c6 b3 d6 c3 e6 e3 f6 f3') },
	],
};
