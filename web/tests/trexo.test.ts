// Trexo's board without its picture: texts of actions, the tile in the hand, what is drawn in which order, and the lesson.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Look, Position, Reason } from '$gen/types';
import type { View } from '$gen/views/trexo';
import samples from '$gen/samples.json';
import { openEngine } from '../scripts/engine.mjs';
import { linesOf, piecesOf, type Piece } from '../src/boards/trexo/pieces';
import { above, corners, frame, path, point, SIDE, tilted } from '../src/boards/trexo/projection';
import { actionOf, beside, heldOver, nameOf, seen, squareOf, tileOf, turned } from '../src/boards/trexo/squares';
import type { Scene } from '../src/learn/contract';
import { lesson } from '../src/learn/lessons/trexo';
import { messages as german } from './all-de';
import { messages as english } from './all-en';

const { Hand } = await import('../src/boards/trexo/hand.svelte');
const { sentence } = await import('../src/lib/reasons');
const { say, squareInWords, tables, task } = await import('../src/boards/trexo/words');
const { loadWords } = await import('../src/lib/words.svelte');

type Call = <Result>(method: string, params?: object) => Result;
const call = (await openEngine('src/generated/engine.wasm')) as Call;

/** Plays some actions; gives the session. */
function play(actions: Scene['actions'], options: object = {}): number {
	const { session } = call<{ session: number }>('new', { game: 'trexo', seats: 2, options });
	for (const action of actions) call('apply', { session, action });
	return session;
}

function viewAfter(actions: readonly string[], options: object = {}): View {
	const session = play(actions, options);
	const { position } = call<Look>('look', { session });
	call('close', { session });
	return position.view as View;
}

const at = (name: string) => squareOf(name) ?? { col: NaN, row: NaN };

beforeAll(() => loadWords('en'));

describe('texts of actions', () => {
	test('a tile is the square of X, then the square of O', () => {
		expect(tileOf('e5f5')).toEqual({ x: { col: 4, row: 4 }, o: { col: 5, row: 4 } });
		expect(tileOf('j9j10')).toEqual({ x: { col: 9, row: 8 }, o: { col: 9, row: 9 } });
		expect(tileOf('a11b11')).toEqual({ x: { col: 0, row: 10 }, o: { col: 1, row: 10 } });
	});

	test('an action of another kind is no tile', () => {
		for (const text of ['swap', '', 'e5', 'e5f5g5', 'E5F5', '?']) expect(tileOf(text)).toBeNull();
	});

	test('every action of an empty board is read and written the same', () => {
		const session = play([]);
		const { offers } = call<Look>('look', { session, seat: 0 });
		expect(offers).toHaveLength(360);
		for (const action of offers) {
			const tile = tileOf(action);
			expect(tile && actionOf(tile)).toBe(action);
		}
	});
});

describe('the tile in the hand', () => {
	const reach = (actions: string[]) => ({ size: 10, flipped: false, own: 'X' as const, actions: new Set(actions) });

	test('it turns clockwise as it is seen, from either side of the table', () => {
		const around = (flipped: boolean) =>
			[0, 1, 2, 3].map((way) => {
				const other = beside(at('e5'), way, 10, flipped);
				return other && nameOf(other);
			});
		expect(around(false)).toEqual(['f5', 'e4', 'd5', 'e6']);
		expect(around(true)).toEqual(['d5', 'e6', 'f5', 'e4']);
	});

	test('at the edge it is turned so that it lies on the board', () => {
		const tile = heldOver(at('j1'), { way: 0, symbol: 'X' }, 10, false);
		expect(tile && actionOf(tile)).toBe('j1i1');
		expect(turned(at('j1'), 0, 1, 10, false)).toBe(3);
		expect(turned(at('j1'), 3, 1, 10, false)).toBe(2);
	});

	test('four turns in the middle lead back, and a turn back undoes a turn', () => {
		let way = 0;
		for (let turn = 0; turn < 4; turn++) way = turned(at('e5'), way, 1, 10, false);
		expect(way).toBe(0);
		expect(turned(at('e5'), turned(at('e5'), 2, 1, 10, false), -1, 10, false)).toBe(2);
	});

	test('the own symbol comes to the square that is pointed at, until the ends are swapped', () => {
		const hand = new Hand(() => reach(['e5f5']));
		hand.follow(at('e5'));
		expect([hand.action, hand.legal]).toEqual(['e5f5', true]);
		hand.swap();
		expect([hand.action, hand.legal]).toEqual(['f5e5', false]);
	});

	test('a tap turns it to where it may lie; without such a side it stays and is refused', () => {
		const hand = new Hand(() => reach(['e5e6']));
		hand.fit(at('e5'));
		expect([hand.action, hand.legal]).toEqual(['e5e6', true]);
		hand.fit(at('a1'));
		expect([hand.action, hand.legal]).toEqual(['a1a2', false]);
	});

	test('the other half is known, and so are the squares that could take it', () => {
		const hand = new Hand(() => reach(['e5f5', 'e5e4', 'e6e5']));
		hand.put(at('e5'));
		expect(hand.isOther(at('f5'))).toBe(true);
		expect(hand.isOther(at('e5'))).toBe(false);
		expect(hand.others.map(nameOf)).toEqual(['f5', 'e4']);
	});

	test('who may do nothing holds nothing', () => {
		const hand = new Hand(() => reach([]));
		hand.put(at('e5'));
		expect(hand.tile).toBeNull();
	});
});

describe('what is drawn', () => {
	const drawn = (piece: Piece) => `${piece.key} ${piece.halves.map((half) => half.symbol + half.name).join('+')}`;

	test('a tile stays one piece when one of its halves is covered', () => {
		const before = piecesOf(viewAfter(['b2c2', 'd2e2']), false).map(drawn);
		const after = piecesOf(viewAfter(['b2c2', 'd2e2', 'c2d2']), false).map(drawn);
		expect(before).toEqual(['b2c2:1 Xb2+Oc2', 'd2e2:1 Xd2+Oe2']);
		expect(after).toEqual(['b2c2:1 Xb2', 'd2e2:1 Oe2', 'c2d2:2 Xc2+Od2']);
	});

	test('every half of the supply that was laid is drawn as a part of some block', () => {
		const view = samples.trexo.view as View;
		const squares = piecesOf(view, false).reduce((sum, { wide, deep }) => sum + wide * deep, 0);
		const halves = view.rows.flat().reduce((sum, top) => sum + (top?.level ?? 0), 0);
		expect(squares).toBe(halves);
	});

	const crossed = ['c3d3', 'b2c2', 'g5g6', 'h6h7', 'c6d6', 'd7e7'];
	test.each([
		['a game', samples.trexo.view as View],
		['tiles that lie half beside each other', viewAfter(crossed)],
	])('in %s, what is higher is drawn later; on one level, what is farther to the right or down', (_, view) => {
		const touches = (a: number, length: number, b: number, other: number) => a < b + other && b < a + length;
		const pieces = piecesOf(view, false);
		for (const [index, first] of pieces.entries()) {
			for (const second of pieces.slice(index + 1)) {
				expect(second.level).toBeGreaterThanOrEqual(first.level);
				if (second.level !== first.level) continue;
				const [a, b] = [first.from, second.from];
				const near = Math.abs(a.col - b.col) < 2 && Math.abs(a.row - b.row) < 2;
				if (near && touches(a.row, first.deep, b.row, second.deep)) expect(b.col).toBeGreaterThan(a.col);
				if (near && touches(a.col, first.wide, b.col, second.wide)) expect(b.row).toBeGreaterThan(a.row);
			}
		}
	});

	test('seen from the other side, a1 is at the top right', () => {
		expect(seen(at('a1'), 10, false)).toEqual({ col: 0, row: 9 });
		expect(seen(at('a1'), 10, true)).toEqual({ col: 9, row: 0 });
		const [piece] = piecesOf(viewAfter(['a1b1']), true);
		expect(piece).toMatchObject({ from: { col: 8, row: 0 }, wide: 2, deep: 1 });
	});

	test('however high a tower, it never hides the symbol of the square beside it', () => {
		const [left, top] = point(above, 1, 1, 500);
		expect(left).toBeGreaterThan(SIDE - SIDE * 0.28);
		expect(top).toBeGreaterThan(SIDE - SIDE * 0.28);
	});

	test('the picture holds every tower', () => {
		const towers = [{ col: 0, row: 0, level: 9 }];
		for (const view of [above, tilted]) {
			const { left, top, width, height } = frame(view, 10, 0.5, towers);
			for (const [x, y] of corners(view, { col: 0, row: 0, wide: 1, deep: 1 }, 9)) {
				expect(x >= left && x <= left + width && y >= top && y <= top + height).toBe(true);
			}
		}
	});

	test('a path is closed, and its corners are rounded if asked for', () => {
		const square = [[0, 0], [10, 0], [10, 10], [0, 10]] as const;
		expect(path(square)).toBe('M0 0L10 0L10 10L0 10Z');
		expect(path(square, 2)).toBe('M0 2Q0 0 2 0L8 0Q10 0 10 2L10 8Q10 10 8 10L2 10Q0 10 0 8Z');
	});
});

describe('winning lines', () => {
	const five = ['b3b4', 'c3c4', 'd3d4', 'e3e4'];
	const shown = (actions: string[]) => linesOf(viewAfter(actions, { size: 6 })).map((line) => line.map(nameOf).join(' '));

	test('a line is traced from end to end', () => {
		expect(shown([...five, 'f3f2'])).toEqual(['b3 c3 d3 e3 f3']);
	});

	test('where both symbols have five, both lines are traced', () => {
		expect(shown([...five, 'f3f4'])).toEqual(['b3 c3 d3 e3 f3', 'b4 c4 d4 e4 f4']);
	});

	test('without a winner there is none', () => {
		expect(shown(five)).toEqual([]);
	});
});

describe('in words', () => {
	const position = { ...samples.trexo, view: samples.trexo.view as View } as Parameters<typeof tables>[0];

	test('a tile and the swap are said', () => {
		expect(say('e5f5')).toBe('X on e5, O on f5');
		expect(say('swap')).toBe('The second player takes over X');
		expect(say('nonsense')).toBeNull();
	});

	test('only who is to move has a task', () => {
		expect(task(position, 0)).toBe('Lay a tile. You play X.');
		expect(task(position, 1)).toBeNull();
		expect(task(position, null)).toBeNull();
	});

	test('the table shows row 10 first, and symbol, level and partner of each square', () => {
		const [board, facts] = tables(position, ['Ann', 'Bo']);
		expect(board?.columns).toEqual(['Row', ...'abcdefghij']);
		expect(board?.rows.map(({ head }) => head)).toEqual(['10', '9', '8', '7', '6', '5', '4', '3', '2', '1']);
		expect(board?.rows.at(-1)?.cells).toEqual(['O1 a2', '–', 'O2 c2', 'X1', '–', '–', 'O1 h1', 'X1 g1', '–', '–']);
		expect(facts?.rows.map(({ head, cells }) => `${head}: ${cells[0]}`)).toEqual([
			'Plays X: Ann',
			'Plays O: Bo',
			`Tiles left: ${position.view.tiles_left}`,
			'Last tile: X on h1, O on g1',
		]);
	});

	test('a square tells its height and its other half, if that is seen', () => {
		expect(squareInWords(position.view, at('c1'))).toBe('c1, O, level 2, one tile with c2');
		expect(squareInWords(position.view, at('d1'))).toBe('d1, X, level 1');
		expect(squareInWords(position.view, at('b1'))).toBe('b1, empty');
	});

	test('the reasons that the rules give for a refused tile are told in the language of the reader', async () => {
		const session = play(['e5f5', 'e6f6']);
		const why = (action: string) => call<Reason>('check', { session, action, seat: 0 });
		await loadWords('de');
		expect(sentence(why('f5g5'))).toBe('Höhe 1 auf f5, 0 auf g5: Ein Stein braucht zwei gleich hohe Felder.');
		expect(sentence(why('e5f5'))).toBe('e5 und f5 gehören zu einem Stein: Ein Stein überbrückt immer zwei.');
		await loadWords('en');
	});

	test('both languages have the same messages', () => {
		const own = /^(learn-)?trexo\./;
		const keys = (messages: Record<string, string>) => Object.keys(messages).filter((key) => own.test(key));
		expect(keys(german).sort()).toEqual(keys(english).sort());
		expect(keys(english).length).toBeGreaterThan(50);
	});
});

describe('the lesson', () => {
	test.each(lesson.steps)('step $id: what is wanted may be done, and its messages exist', (step) => {
		const { id, scene, wanted, then } = step;
		const session = play(scene.actions, scene.options);
		const { offers, position } = call<Look>('look', { session, seat: scene.me });
		expect(position.turn).toEqual({ kind: 'seat', seat: scene.me });
		expect(wanted.filter((action) => !offers.includes(action))).toEqual([]);
		expect(wanted.length).toBeGreaterThan(0);
		for (const action of then ? wanted : []) play([...scene.actions, action, ...(then ?? [])], scene.options);

		const wrong = wanted.length < offers.length ? [`learn-trexo.step.${id}.wrong`] : [];
		for (const key of [`learn-trexo.step.${id}`, `learn-trexo.step.${id}.done`, ...wrong]) {
			expect(english[key], key).toBeTruthy();
			expect(german[key], key).toBeTruthy();
		}
	});

	const stepOf = (id: string) => {
		const step = lesson.steps.find((step) => step.id === id);
		if (!step) throw new Error(`there is no step ${id}`);
		return step;
	};

	/** Who wins by an action, in a session that is left as it was. */
	function winnerBy(session: number, action: string): number | undefined {
		const { outcome } = call<Position>('apply', { session, action });
		call('undo', { session, count: 1 });
		return outcome?.winners[0];
	}

	// Hundreds of tiles are tried, on machines that may be slow.
	const PATIENCE = 30_000;

	test.each(['five', 'climb', 'careful', 'find'])(
		'in step %s exactly the wanted tiles win',
		(id) => {
			const { scene, wanted } = stepOf(id);
			const session = play(scene.actions, scene.options);
			const { offers } = call<Look>('look', { session, seat: scene.me });
			const winning = offers.filter((action) => winnerBy(session, action) === scene.me);
			expect(winning.sort()).toEqual([...wanted].sort());
		},
		PATIENCE,
	);

	test('in step careful a careless fifth cross loses', () => {
		const { scene } = stepOf('careful');
		expect(winnerBy(play(scene.actions, scene.options), 'f3f4')).toBe(1);
	});

	test(
		'in step cover exactly the wanted tiles leave O without a win',
		() => {
			const { scene, wanted } = stepOf('cover');
			const session = play(scene.actions, scene.options);
			const ends = /[af]4$/;
			const holds = call<Look>('look', { session, seat: 0 }).offers.filter((action) => {
				const { outcome } = call<Position>('apply', { session, action });
				const { offers } = call<Look>('look', { session, seat: 1 });
				// Where O wins, it is mostly at an end of the row: that is tried first.
				const replies = offers.sort((a, b) => Number(ends.test(b)) - Number(ends.test(a)));
				const lost = outcome !== null || replies.some((reply) => winnerBy(session, reply) === 1);
				call('undo', { session, count: 1 });
				return !lost;
			});
			expect(holds.sort()).toEqual([...wanted].sort());
		},
		PATIENCE,
	);

	test.each(lesson.examples)('example $id can be played and has a caption', ({ id, scene, section }) => {
		call('close', { session: play(scene.actions, scene.options) });
		expect(section).toBeLessThan(7);
		expect(english[`learn-trexo.example.${id}`]).toBeTruthy();
		expect(german[`learn-trexo.example.${id}`]).toBeTruthy();
	});
});
