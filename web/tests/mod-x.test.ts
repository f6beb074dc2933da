// Mod X as it is drawn, said and taught.

import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Look, Opened, Position } from '../src/generated/types';
import type { Colour, View } from '../src/generated/views/mod-x';
import { openEngine } from '../scripts/engine.mjs';
import { parse } from '../src/boards/mod-x/actions';
import { change } from '../src/boards/mod-x/changes';
import { at, centre, indexOf, spot, walk } from '../src/boards/mod-x/geometry';
import { offersOf } from '../src/boards/mod-x/offers';
import { bodies, crosses, tiles } from '../src/boards/mod-x/pieces';
import type { Scene, Step } from '../src/learn/contract';
import { lesson } from '../src/learn/lessons/mod-x';
import { messages as de } from './all-de';
import { messages as en } from './all-en';

type Call = <Result>(method: string, params: object) => Result;
let call: Call;
let words: typeof import('../src/boards/mod-x/words');

beforeAll(async () => {
	call = (await openEngine('src/generated/engine.wasm')) as Call;
	await (await import('../src/lib/words.svelte')).loadWords('en');
	words = await import('../src/boards/mod-x/words');
});

type Seen = Position & { view: View };

/** Plays a scene with the rules; gives the session. */
function play({ seats, options = {}, actions }: Scene): number {
	const { session } = call<Opened>('new', { game: 'mod-x', seats, options });
	for (const each of actions) {
		const [seat, action] = typeof each === 'string' ? [undefined, each] : each;
		call('apply', { session, action, seat });
	}
	return session;
}

const look = (session: number, seat: number) => call<Look>('look', { session, seat });
const seen = (scene: Scene) => look(play(scene), scene.me).position as Seen;
const duel = (actions: string, options = {}): Scene => ({ seats: 2, options, actions: actions.split(' '), me: 0 });
function step(id: string): Step {
	const found = lesson.steps.find((step) => step.id === id);
	if (!found) throw new Error(`there is no step ${id}`);
	return found;
}

const names = ['Anna', 'Ben', 'Cleo', 'Dora'];

describe('actions', () => {
	test('an X-piece, a joker, a touch and the end of a turn are told apart', () => {
		expect(parse('c3')).toEqual({ kind: 'place', index: 18 });
		expect(parse('*a1')).toEqual({ kind: 'joker', index: 0 });
		expect(parse('!h8')).toEqual({ kind: 'touch', index: 63 });
		expect(parse('done')).toEqual({ kind: 'done' });
	});

	test.each(['', 'i1', 'a9', '**a1', '*', 'a1 ', 'DONE', 'pass'])('"%s" is no action', (text) => {
		expect(parse(text)).toBeNull();
	});

	test('every action that the rules offer is understood', () => {
		for (const scene of lesson.steps.map((step) => step.scene)) {
			const { offers } = look(play(scene), scene.me);
			expect(offers.filter((action) => parse(action) === null)).toEqual([]);
		}
	});
});

describe('geometry', () => {
	test('squares are numbered as the view lists them', () => {
		const { view } = seen(duel('*a1'));
		expect(view.squares.map(({ square }) => indexOf(square))).toEqual(view.squares.map((_, index) => index));
	});

	test('a1 is at the bottom left, and at the top right from the other side', () => {
		expect(spot(0, false)).toEqual({ column: 0, row: 7 });
		expect(spot(0, true)).toEqual({ column: 7, row: 0 });
		expect(centre(0, false)).toEqual({ x: 50, y: 750 });
	});

	test.each([false, true])('each spot shows one square (flipped: %s)', (flipped) => {
		for (let index = 0; index < 64; index++) {
			const { column, row } = spot(index, flipped);
			expect(at(column, row, flipped)).toBe(index);
		}
	});

	test('arrow keys go where they point, whichever side is below, and stop at the edge', () => {
		expect(walk(0, 'ArrowUp', false)).toBe(8);
		expect(walk(0, 'ArrowUp', true)).toBe(0);
		expect(walk(0, 'ArrowLeft', true)).toBe(1);
		expect(walk(0, 'ArrowLeft', false)).toBe(0);
		expect(walk(10, 'End', false)).toBe(15);
		expect(walk(10, 'PageUp', false)).toBe(58);
		expect(walk(10, 'x', false)).toBeNull();
	});
});

describe('what an action changed', () => {
	const before = '*d3 *a1 *h8 *a8 *h1 f6 b3 g4 c3 c7 e3 g7';
	const between = (first: string, second: string) => change(seen(duel(first)).view, seen(duel(second)).view);

	test('a placed piece is placed', () => {
		expect(between('*d3 *a1 *h8 *a8 *h1', '*d3 *a1 *h8 *a8 *h1 f6')).toEqual({
			lifted: [],
			placed: { index: 45, piece: 'black' },
		});
	});

	test('a scored pattern is lifted: its pieces, its joker, and the piece that completed it', () => {
		expect(between(before, `${before} f3`)).toEqual({
			lifted: [
				{ index: 17, piece: 'red' },
				{ index: 18, piece: 'red' },
				{ index: 19, piece: 'joker' },
				{ index: 20, piece: 'red' },
				{ index: 21, piece: 'red' },
			],
			placed: null,
		});
	});

	test('a jump over several actions, or back, is no action', () => {
		expect(between('*d3 *a1', before)).toBeNull();
		expect(between(`${before} f3`, before)).toBeNull();
	});

	test('what takes no piece changes nothing on the board', () => {
		const manual = { claims: 'manual' };
		const [first, second] = [duel('*d3 *a1 *h8 *a8 *h1 f6', manual), duel('*d3 *a1 *h8 *a8 *h1 f6 done', manual)];
		expect(change(seen(first).view, seen(second).view)).toEqual({ lifted: [], placed: null });
	});
});

describe('offers', () => {
	const overlooked = step('touch').scene;

	test('who may claim can touch every piece, whether or not it is in a pattern', () => {
		const { position, offers } = look(play(overlooked), overlooked.me);
		const view = position.view as View;
		const pieces = view.squares.map(({ piece }) => (piece ? 'touch' : null));
		expect(offersOf(view, overlooked.me, offers)).toEqual(pieces);
		const valid = position.actions.map(({ action }) => action);
		expect(valid).toContain('!d6');
		expect(offersOf(view, overlooked.me, valid)).toEqual(pieces);
	});

	test('who is on turn after an overlooked pattern can touch pieces and place on free squares', () => {
		const { position, offers } = look(play(overlooked), 2);
		const view = position.view as View;
		expect(offersOf(view, 2, offers)).toEqual(view.squares.map(({ piece }) => (piece ? 'touch' : 'place')));
	});

	test('who has just said done, or only watches, can touch nothing', () => {
		const { view } = seen(overlooked);
		for (const me of [1, null]) expect(offersOf(view, me, []).filter(Boolean)).toEqual([]);
	});

	test('a joker is offered only the squares that the rules allow', () => {
		const { position, offers } = look(play(duel('*b2 *g2 *b7 *g7')), 0);
		const found = offersOf(position.view as View, 0, offers);
		expect(found[indexOf('d4') ?? -1]).toBe('joker');
		expect(found[indexOf('c3') ?? -1]).toBeNull();
	});
});

describe('pieces', () => {
	/** The lightness of a colour from 0 to 100, as the eye sees it. */
	function lightness(hex: string): number {
		const [r = 0, g = 0, b = 0] = [1, 3, 5]
			.map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
			.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
		return 116 * Math.cbrt(0.2126 * r + 0.7152 * g + 0.0722 * b) - 16;
	}

	test('the four colours differ in lightness, so that who sees no hues tells them apart', () => {
		const steps = Object.values(bodies).map(lightness).sort((one, other) => one - other);
		for (const [index, step] of steps.slice(1).entries()) expect(step - (steps[index] ?? 0)).toBeGreaterThan(18);
	});

	test('no two colours share the shape of their pieces or markers', () => {
		const colours: Colour[] = ['red', 'black', 'orange', 'yellow'];
		expect(new Set(colours.map((colour) => crosses[colour])).size).toBe(4);
		expect(new Set(colours.map((colour) => tiles[colour])).size).toBe(4);
	});

	test('shapes fit the box of a mark', () => {
		for (const path of [...Object.values(crosses), ...Object.values(tiles)]) {
			for (const number of path.match(/-?\d+(\.\d+)?/g) ?? []) expect(Math.abs(Number(number))).toBeLessThan(12);
		}
	});
});

describe('in words', () => {
	const covered = duel('*a1 *h1 *a8 *h8 *a3 c5 d3 e5 c4 f5 e4 g5 b2 d5 d5 g2');

	test('the board is a table of its squares, the eighth row first', () => {
		const [board] = words.tables(seen(covered), names);
		expect(board?.columns).toEqual(['Row', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
		expect(board?.rows.map(({ head }) => head)).toEqual(['8', '7', '6', '5', '4', '3', '2', '1']);
		expect(board?.rows[3]?.cells).toEqual([
			'–',
			'–',
			'black marker',
			'red X-piece, black marker',
			'black marker',
			'black marker',
			'black marker',
			'–',
		]);
	});

	test('a stack tells its top marker and its height', () => {
		const [board] = words.tables(seen({ ...covered, actions: [...covered.actions, 'd4'] }), names);
		expect(board?.rows[3]?.cells[3]).toBe('red marker on top of a stack of 2');
	});

	test('the players are a table with points and supplies, in teams with those of the team', () => {
		const [, players] = words.tables(seen(covered), names);
		expect(players?.caption).toBe('Players, 15 points win');
		expect(players?.rows).toEqual([
			{ head: 'Anna', cells: ['red', '0', '10', '18'] },
			{ head: 'Ben', cells: ['black', '5', '14', '13'] },
		]);
		const [, teams] = words.tables(seen({ seats: 4, options: { teams: true }, actions: [], me: 0 }), names);
		expect(teams?.rows[3]).toEqual({ head: 'Dora', cells: ['yellow', '0', '2', '0', '15', '18'] });
		expect(teams?.columns).toHaveLength(7);
	});

	test('jokers in hand are told, and only then', () => {
		expect(words.tables(seen(covered), names)).toHaveLength(2);
		expect(words.tables(seen(duel('*a1 *c1')), names)[2]?.rows[0]?.cells).toEqual(['3']);
	});

	test('what is to be done depends on the phase and on who looks', () => {
		const say = (scene: Scene, me: number | null = scene.me) => words.task(seen(scene), me, names);
		expect(say(duel('*a1 *c1'))).toBe('Set up the jokers, never two side by side: 3 to go.');
		expect(say(duel('*a1 *c1'), 1)).toBe('Anna sets up the jokers: 3 to go.');
		expect(say(covered)).toBe('Put an X-piece on a free square.');
		expect(say(covered, null)).toBe('Anna places an X-piece.');
		const manual = duel('*a1 *h1 *a8 *h8 *a3 c5', { claims: 'manual' });
		expect(say(manual, 1)).toBe('Touch a piece of every pattern you see, then press Done.');
		expect(say({ ...manual, actions: [...manual.actions, 'done'] })).toContain('or first touch');
	});

	test('actions are said', () => {
		expect(['c3', '*c3', '!c3', 'done', '?'].map(words.say)).toEqual([
			'X-piece on c3',
			'joker on c3',
			'touches c3',
			'done',
			null,
		]);
	});
});

describe('the lesson', () => {
	test.each(lesson.steps.map((step) => [step.id, step] as const))('%s: what is wanted is legal', (_id, { scene, wanted, then = [] }) => {
		const session = play(scene);
		for (const action of wanted) {
			expect(call('check', { session, action, seat: scene.me }), action).toBeNull();
			const after = [...scene.actions, [scene.me, action] as const, ...then];
			expect(() => play({ ...scene, actions: after })).not.toThrow();
		}
	});

	test.each(['plus', 'line', 'cover'])('%s: only what is wanted scores', (id) => {
		const { scene, wanted } = step(id);
		const { offers, position } = look(play(scene), scene.me);
		const supply = (view: View) => view.players[scene.me]?.markers ?? 0;
		const scoring = offers.filter((action) => {
			const after = seen({ ...scene, actions: [...scene.actions, action] });
			return supply(after.view) < supply(position.view as View);
		});
		expect(scoring).toEqual(wanted);
	});

	test('block: after anything else, black completes the line', () => {
		const { scene, wanted } = step('block');
		const line = (action: string) => seen({ ...scene, actions: [...scene.actions, action, 'f6'] }).view.players[1]?.points;
		const others = look(play(scene), scene.me).offers.filter((action) => !wanted.includes(action));
		expect(others.map(line)).toEqual(others.map(() => 5));
	});

	test('back: whichever end black closes, red completes the line at the other one', () => {
		const { scene, wanted } = step('back');
		for (const joker of wanted) {
			const [one, other] = joker === '*b6' ? ['a6', 'f6'] : ['b6', 'g6'];
			for (const [black, red] of [[one, other], [other, one]] as [string, string][]) {
				expect(seen({ ...scene, actions: [...scene.actions, joker, black, red] }).view.players[0]?.points).toBe(8);
			}
		}
	});

	test('five_jokers: the last joker wins', () => {
		const { scene, wanted } = step('five_jokers');
		expect(wanted.map((action) => seen({ ...scene, actions: [...scene.actions, action] }).outcome)).toEqual([
			{ reason: 'all-jokers', winners: [0] },
		]);
	});

	test.each(lesson.examples.map((example) => [example.id, example] as const))('example %s can be reached', (_id, { scene, section }) => {
		expect(() => play(scene)).not.toThrow();
		expect(section).toBeLessThan(headings('../docs/rules/mod-x.md').length);
	});

	test('steps and examples are told in both languages', () => {
		const keys = [
			...lesson.steps.flatMap(({ id }) => [`step.${id}`, `step.${id}.done`, `step.${id}.wrong`]),
			...lesson.examples.map(({ id }) => `example.${id}`),
		];
		const of = (messages: Record<string, string>, area: string) =>
			Object.keys(messages).filter((key) => key.startsWith(`${area}.`)).sort();
		const wanted = keys.map((key) => `learn-mod-x.${key}`).sort();
		expect(of(en, 'learn-mod-x')).toEqual(wanted);
		expect(of(de, 'learn-mod-x')).toEqual(wanted);
		expect(of(de, 'mod-x')).toEqual(of(en, 'mod-x'));
	});
});

const headings = (file: string) => readFileSync(file, 'utf8').match(/^## .*/gm) ?? [];

describe('the rules in German', () => {
	test('have as many headings, rulings and rows of tables as the English ones', () => {
		const count = (file: string, what: RegExp) => readFileSync(file, 'utf8').match(what)?.length;
		const [english, german] = ['../docs/rules/mod-x.md', 'src/learn/rules/de/mod-x.md'];
		expect(headings(german)).toHaveLength(headings(english).length);
		expect(count(german, /\*\*Auslegung:\*\*/g)).toBe(count(english, /\*\*Ruling:\*\*/g));
		expect(count(german, /^\|/gm)).toBe(count(english, /^\|/gm));
		expect(count(german, /^- /gm)).toBe(count(english, /^- /gm));
	});
});
