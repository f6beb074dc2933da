// X Marks the Spot: from the first card to the third way of getting at a card that one does not have.

import type { Lesson, Scene } from '../contract';

/** A game of Condent against the red flag: the hands that are dealt, and what is done, a turn a line, with what is drawn. */
function game(mine: string, theirs: string, turns: string, options?: Scene['options']): Scene {
	const drawn = (cards: string) => cards.split(' ').map((card) => `+${card}`);
	const actions = turns.trim().split(/\s*[;\n]\s*/);
	const made = actions.flatMap((action) => (action.startsWith('draw ') ? ['draw', ...drawn(action.slice(5))] : action));
	return { seats: 2, options, actions: ['flag:c', 'flag:r', ...drawn(mine), ...drawn(theirs), ...made], me: 0 };
}

/** The same game one action later. */
const after = (scene: Scene, action: string): Scene => ({ ...scene, actions: [...scene.actions, action] });

/** All ways to lay a card with one of its icons on a square. */
function around(card: string, x: number, y: number, directions = 'nesw'): string[] {
	return [...directions].map((direction) => `place ${card} ${x},${y} ${direction}`);
}

const first = game('cc cr ko rw', 'ra aw ww ro', 'draw ca cannon');

// In most of them three Condents lie in a row, with an end to be covered by somebody.
const cover = game('cc cr ko rw', 'ra aw ww ro', `
	draw ca cannon; place cc 0,0 e; place cr -1,0 w
	draw ak rk; place ro 2,1 w; place ww 3,0 n
	draw wo ag
`);

const mark = game('cc cr ca ag', 'ra aw ww ro', `
	draw rw ko; place cc 0,0 e; place cr -1,0 w
	draw ak rk; place ra 2,1 e; place aw 3,0 s
	draw cannon wo; place ag 0,2 s
`);

const cannon = game('cc cr aw ww', 'rr ra rw ak', `
	draw cannon ko; place cc 0,0 e; place cr -1,0 w
	draw ro wk; place rr 2,1 e; place ra 3,2 n
	draw wo ag; place aw -2,1 n; place ww -1,2 e
	draw gk ca; place rw 4,1 e; place ak 5,2 e
	draw rk aa
`);

const heading = game('cc cr ag ca', 'rk aw ww ro', `
	draw heading ko; place cc 0,0 e; place cr -1,0 w
	draw ak ra; place rk 1,-1 w; place ww 2,0 n
	draw rw wo; place ag 0,2 s
`);

const parlay = game('cc cr ko ak', 'ra aw ww cg', `
	draw parlay wk; place cc 0,0 e; place cr -1,0 w
	draw ca ro; place ra 2,1 e; place aw 3,0 s
	draw rk rw
`);

/** One doubloon is missing, and so is a card. */
const turns = `
	draw wk rw; place cc 0,0 e; place cr -1,0 w
	draw ak ro; place ra 2,1 e; place aw 3,0 s
	draw rk wo; place ag 0,2 s; plunder 1
`;
const plunder = game('cc cr ag plunder', 'ra aw ww cg', turns, { doubloons: 1 });

/** What may lie on what, and half on the table. */
const levels = game('cr co ca aw', 'cg ra ww rk', `
	draw rr wk; place cr 0,0 e; place co -1,0 n
	draw ak ao; place cg -1,2 s; place ra 1,0 n
	draw ww go; place ca -1,1 w
`);

const diagonal = game('ca cr cw cg', 'ra aw ww ro', `
	draw rw co; place ca 0,0 e; place cr -1,1 w
	draw ak rk; place ra 2,1 e; place aw 3,0 s
	draw cannon wo; place cg 1,-1 e; place cw 1,1 n
	draw wk ko; place ww -3,0 n; place ro -4,0 w
	draw aa ao; place co -1,-1 s
`);

export const lesson: Lesson = {
	steps: [
		{ id: 'first', scene: first, wanted: ['place cc 0,0 n', 'place cc 0,0 e'] },
		{ id: 'cover', scene: cover, wanted: around('ca', 1, 1, 'nw') },
		{ id: 'mark', scene: mark, wanted: around('ca', 0, -1, 'esw') },
		{ id: 'cannon', scene: cannon, wanted: ['cannon 2,1', 'cannon 3,2', 'cannon 4,1'] },
		{ id: 'heading', scene: heading, wanted: ['heading 0,-1 ca e'] },
		{ id: 'parlay', scene: parlay, wanted: ['parlay 1 n3'], then: [[1, 'counter n1']] },
		{ id: 'steal', scene: plunder, wanted: ['steal cg'] },
		{
			id: 'win',
			scene: after(plunder, 'steal cg'),
			wanted: [
				...around('cg', 0, -1),
				'place cg 0,-2 n',
				'place cg -1,-1 e',
				'place cg 1,-1 w',
				'place cg 0,0 s',
			],
		},
	],
	examples: [
		{ id: 'cover', section: 2, scene: after(cover, 'place ca 1,1 n') },
		{ id: 'levels', section: 2, scene: levels },
		{ id: 'cannon', section: 3, scene: after(cannon, 'cannon 2,1') },
		{ id: 'orthogonal', section: 4, scene: after(mark, 'place ca 0,-1 s') },
		{ id: 'diagonal', section: 4, scene: diagonal },
	],
};
