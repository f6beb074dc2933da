// X Marks the Spot: from the first card to the third way of getting at a card that one does not have.

import type { Example, Lesson, Scene, Step } from '../contract';

/** The flags and the hands that are dealt, seat by seat. */
function deal(...seats: readonly [flag: string, hand: string][]): string[] {
	const hands = seats.flatMap(([, hand]) => hand.split(' '));
	return [...seats.map(([flag]) => `flag:${flag}`), ...hands.map((card) => `+${card}`)];
}

/** Draws, and what is drawn. */
function draw(cards: string): string[] {
	return ['draw', ...cards.split(' ').map((card) => `+${card}`)];
}

const two = (...actions: readonly string[]): Scene => ({ seats: 2, actions, me: 0 });

/** Three Condents in a row, with an end to be covered by somebody. */
const row = ['place cc 0,0 e', 'place cr -1,0 w'];

/** All ways to lay a card with one of its icons on a square. */
function around(card: string, x: number, y: number, directions = 'nesw'): string[] {
	return [...directions].map((direction) => `place ${card} ${x},${y} ${direction}`);
}

const opening = [...deal(['c', 'cc cr ko rw'], ['r', 'ra aw ww ro']), ...draw('ca cannon')];

const cover = two(
	...opening,
	...row,
	...draw('ak rk'),
	'place ro 2,1 w',
	'place ww 3,0 n',
	...draw('wo ag'),
);

const mark = two(
	...deal(['c', 'cc cr ca ag'], ['r', 'ra aw ww ro']),
	...draw('rw ko'),
	...row,
	...draw('ak rk'),
	'place ra 2,1 e',
	'place aw 3,0 s',
	...draw('cannon wo'),
	'place ag 0,2 s',
);

const cannon = two(
	...deal(['c', 'cc cr aw ww'], ['r', 'rr ra rw ak']),
	...draw('cannon ko'),
	...row,
	...draw('ro wk'),
	'place rr 2,1 e',
	'place ra 3,2 n',
	...draw('wo ag'),
	'place aw -2,1 n',
	'place ww -1,2 e',
	...draw('gk ca'),
	'place rw 4,1 e',
	'place ak 5,2 e',
	...draw('rk aa'),
);

const heading = two(
	...deal(['c', 'cc cr ag ca'], ['r', 'rk aw ww ro']),
	...draw('heading ko'),
	...row,
	...draw('ak ra'),
	'place rk 1,-1 w',
	'place ww 2,0 n',
	...draw('rw wo'),
	'place ag 0,2 s',
);

const parlay = two(
	...deal(['c', 'cc cr ko ak'], ['r', 'ra aw ww cg']),
	...draw('parlay wk'),
	...row,
	...draw('ca ro'),
	'place ra 2,1 e',
	'place aw 3,0 s',
	...draw('rk rw'),
);

/** One doubloon is missing, and so is a card. */
const plunder: Scene = {
	seats: 2,
	options: { doubloons: 1 },
	actions: [
		...deal(['c', 'cc cr ag plunder'], ['r', 'ra aw ww cg']),
		...draw('wk rw'),
		...row,
		...draw('ak ro'),
		'place ra 2,1 e',
		'place aw 3,0 s',
		...draw('rk wo'),
		'place ag 0,2 s',
		'plunder 1',
	],
	me: 0,
};

const steps: readonly Step[] = [
	{ id: 'first', scene: two(...opening), wanted: ['place cc 0,0 n', 'place cc 0,0 e'] },
	{ id: 'cover', scene: cover, wanted: around('ca', 1, 1, 'nw') },
	{ id: 'mark', scene: mark, wanted: around('ca', 0, -1, 'esw') },
	{ id: 'cannon', scene: cannon, wanted: ['cannon 2,1', 'cannon 3,2', 'cannon 4,1'] },
	{ id: 'heading', scene: heading, wanted: ['heading 0,-1 ca e'] },
	{ id: 'parlay', scene: parlay, wanted: ['parlay 1 n3'], then: [[1, 'counter n1']] },
	{ id: 'steal', scene: plunder, wanted: ['steal cg'] },
	{
		id: 'win',
		scene: { ...plunder, actions: [...plunder.actions, 'steal cg'] },
		wanted: [
			...around('cg', 0, -1),
			'place cg 0,-2 n',
			'place cg -1,-1 e',
			'place cg 1,-1 w',
			'place cg 0,0 s',
		],
	},
];

/** What may lie on what, and half on the table. */
const levels = two(
	...deal(['c', 'cr co ca aw'], ['r', 'cg ra ww rk']),
	...draw('rr wk'),
	'place cr 0,0 e',
	'place co -1,0 n',
	...draw('ak ao'),
	'place cg -1,2 s',
	'place ra 1,0 n',
	...draw('ww go'),
	'place ca -1,1 w',
);

const orthogonal: Scene = { ...mark, actions: [...mark.actions, 'place ca 0,-1 s'] };

const diagonal = two(
	...deal(['c', 'ca cr cw cg'], ['r', 'ra aw ww ro']),
	...draw('rw co'),
	'place ca 0,0 e',
	'place cr -1,1 w',
	...draw('ak rk'),
	'place ra 2,1 e',
	'place aw 3,0 s',
	...draw('cannon wo'),
	'place cg 1,-1 e',
	'place cw 1,1 n',
	...draw('wk ko'),
	'place ww -3,0 n',
	'place ro -4,0 w',
	...draw('aa ao'),
	'place co -1,-1 s',
);

const examples: readonly Example[] = [
	{ id: 'cover', section: 2, scene: { ...cover, actions: [...cover.actions, 'place ca 1,1 n'] } },
	{ id: 'levels', section: 2, scene: levels },
	{ id: 'cannon', section: 3, scene: { ...cannon, actions: [...cannon.actions, 'cannon 2,1'] } },
	{ id: 'orthogonal', section: 4, scene: orthogonal },
	{ id: 'diagonal', section: 4, scene: diagonal },
];

export const lesson: Lesson = { steps, examples };
