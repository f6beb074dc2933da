// The board of Castle Builders in its parts, and its lesson played through with the rules themselves.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Look, Opened, Step } from '$gen/types';
import type { PlayerView, TowerView, View } from '$gen/views/castle-builders';
import { openEngine } from '../scripts/engine.mjs';
import { slots } from '../src/boards/castle-builders/hand';
import { layout, STONE } from '../src/boards/castle-builders/layout';
import { drawn, parse, playOn, write } from '../src/boards/castle-builders/plays';
import { step } from '../src/boards/castle-builders/roving';
import { lastDiscarded, traces } from '../src/boards/castle-builders/traces';
import type { Scene } from '../src/learn/contract';
import { lesson } from '../src/learn/lessons/castle-builders';
import { messages as de } from './all-de';
import { messages as en } from './all-en';

const { loadWords } = await import('../src/lib/words.svelte');
const { say, tables, task } = await import('../src/boards/castle-builders/words');

const call = await openEngine('src/generated/engine.wasm');

/** Plays a scene and what follows; gives what a seat sees then. */
function look({ seats, options = {}, actions, me }: Scene, after: Scene['actions'] = []) {
	const { session }: Opened = call('new', { game: 'castle-builders', seats, options });
	for (const one of [...actions, ...after]) {
		const [seat, action] = typeof one === 'string' ? [undefined, one] : one;
		call('apply', { session, seat, action });
	}
	const { position, offers }: Look = call('look', { session, seat: me });
	call('close', { session });
	return { offers, position: { ...position, view: position.view as View } };
}

beforeAll(() => loadWords('en'));

describe('the texts of actions', () => {
	test('name a counter, its arrows and a tower', () => {
		expect(parse('O3')).toEqual({ text: 'O3', kind: 'O', arrows: null, tower: 3 });
		expect(parse('Bh8')).toEqual({ text: 'Bh8', kind: 'B', arrows: 'horizontal', tower: 8 });
		expect(parse('K')).toEqual({ text: 'K', kind: 'K', arrows: null, tower: null });
		expect(parse('S')).toEqual({ text: 'S', kind: 'S', arrows: null, tower: null });
	});

	test('that are none are no plays', () => {
		for (const text of ['', '+O', '+?', 'B3', 'O', 'C', 'S3', 'O0', 'o3', 'Bx3', 'O33']) expect(parse(text), text).toBeNull();
	});

	test('are read back as they were written', () => {
		for (const text of ['O1', 'C2', 'Bv3', 'Bh4', 'R5', 'K6', 'R', 'K', 'S']) {
			const play = parse(text);
			expect(play && write(play.kind, play.arrows ?? 'vertical', play.tower)).toBe(text);
		}
	});

	test('every action that the rules offer is understood', () => {
		const { offers } = look({ seats: 2, actions: ['+B', '+K', '+O', '+O'], me: 0 });
		expect(offers).toContain('K');
		expect(offers.filter((text) => parse(text) === null)).toEqual([]);
	});

	test('of draws are told from those of plays, hidden ones as well', () => {
		expect([drawn('+K'), drawn('+?'), drawn('K3')]).toEqual(['K', '?', null]);
	});

	test('of a bonus counter follow its arrows', () => {
		const plays = ['Bv1', 'Bh1', 'O1'].flatMap((text) => parse(text) ?? []);
		expect(playOn(plays, 'B', 'horizontal', 1)?.text).toBe('Bh1');
		expect(playOn(plays, 'O', 'horizontal', 1)?.text).toBe('O1');
		expect(playOn(plays, 'B', 'vertical', 2)).toBeUndefined();
	});
});

describe('the drawing of the castle', () => {
	const castles = [[3, 4, 5, 5, 4], [1], [8], Array(8).fill(8), Array(8).fill(1)] as number[][];

	test('has all stones inside, whatever the towers', () => {
		for (const heights of castles) {
			const plan = layout(heights, false);
			for (const [tower, height] of heights.entries()) {
				expect(plan.x(tower)).toBeGreaterThan(plan.shields);
				expect(plan.x(tower) + STONE.width).toBeLessThan(plan.pennants);
				expect(plan.y(height - 1)).toBeGreaterThan(plan.top(height));
				expect(plan.top(height)).toBeGreaterThan(0);
				expect(plan.y(0) + STONE.height).toBeLessThanOrEqual(plan.ground);
			}
		}
	});

	test('has no stones that overlap', () => {
		const plan = layout([3, 4, 5, 5, 4], false);
		expect(plan.x(1) - plan.x(0)).toBeGreaterThan(STONE.width);
		expect(plan.y(0) - plan.y(1)).toBeGreaterThanOrEqual(STONE.height);
	});

	test('has the last tower at the left when seen from the other side', () => {
		const [front, back] = [layout([1, 2, 3], false), layout([1, 2, 3], true)];
		expect([0, 1, 2].map(back.x)).toEqual([2, 1, 0].map(front.x));
	});
});

describe('what has happened', () => {
	const towers = (...filled: number[]): TowerView[] =>
		filled.map((count, index) => ({
			number: index + 1,
			roof: 1,
			spaces: Array.from({ length: 5 }, (_, row) => (row < count ? { seat: 1, kind: 'O', arrows: null } : null)),
			award: { seat: null, doubled: false, points: 0 },
		}));
	const lines = (text: string): Step[] =>
		text.split(' ').map((word) => {
			const [seat, action] = word.split(':');
			return action === undefined ? { action: word } : { seat: Number(seat), action };
		});

	test('a counter of the others is marked where it lies, not an own one', () => {
		expect(traces(lines('0:O1 +O 1:O1 +?'), towers(2), 0)).toEqual([{ tower: 1, row: 1, what: 'built', newest: true }]);
	});

	test('only one play is the newest, even if the one before has the same text', () => {
		expect(traces(lines('1:C1 +? 1:C1 +?'), towers(3), 0)).toEqual([
			{ tower: 1, row: 2, what: 'built', newest: true },
			{ tower: 1, row: 1, what: 'built', newest: false },
		]);
	});

	test('the space of a removed counter is marked as long as it is free', () => {
		expect(traces(lines('1:K2 +?'), towers(0, 1), 0)).toEqual([{ tower: 2, row: 1, what: 'removed', newest: true }]);
		expect(traces(lines('1:K2 +? 1:O2 +?'), towers(0, 2), 0)).toEqual([{ tower: 2, row: 1, what: 'built', newest: true }]);
	});

	test('a counter that came and went leaves the mark of its going', () => {
		expect(traces(lines('1:C1 +? 1:R1 +?'), towers(1), 0)).toEqual([{ tower: 1, row: 1, what: 'removed', newest: true }]);
	});

	test('who only watches sees the traces of both', () => {
		expect(traces(lines('0:O1 +? 1:O2 +?'), towers(1, 1), null)).toHaveLength(2);
	});

	test('the newest play of another one lies on the discard pile, if it went there', () => {
		expect(lastDiscarded(lines('0:O1 +O 1:S +?'), 0)).toMatchObject({ kind: 'S', seat: 1 });
		expect(lastDiscarded(lines('1:S +? 0:O1 +O'), 0)).toBeNull();
		expect(lastDiscarded(lines('1:K2 +? 1:O1 +?'), 0)).toBeNull();
	});
});

describe('the keyboard', () => {
	const lanes = [['t1', 't2', 't3', 't4', 't5'], ['a', 'b', 'heap']];

	test('goes along a lane and on to the next one', () => {
		expect(step(lanes, 't2', 'ArrowRight')).toBe('t3');
		expect(step(lanes, 't5', 'ArrowRight')).toBe('a');
		expect(step(lanes, 'a', 'ArrowLeft')).toBe('t5');
		expect(step(lanes, 't1', 'ArrowLeft')).toBeUndefined();
	});

	test('goes up and down to what is about as far to the right', () => {
		expect(step(lanes, 't5', 'ArrowDown')).toBe('heap');
		expect(step(lanes, 't3', 'ArrowDown')).toBe('b');
		expect(step(lanes, 'b', 'ArrowUp')).toBe('t3');
		expect(step(lanes, 't1', 'ArrowUp')).toBeUndefined();
	});

	test('leaves other keys alone', () => {
		expect(step(lanes, 't1', 'Tab')).toBeUndefined();
	});
});

describe('a hand', () => {
	const counts = { O: 0, C: 0, B: 0, R: 0, K: 0, S: 0 };
	const player = (hand: string[] | null, hand_size: number): PlayerView => ({
		...{ seat: 0, colour: 'yellow', score: 0, pile_size: 3, discard: counts, unseen: counts },
		...{ hand, hand_size },
	});

	test('has a place of its own for each of two equal counters', () => {
		expect(slots(player(['O', 'O'], 2)).map(({ key }) => key)).toEqual(['O0', 'O1']);
	});

	test('of another one is as many backs, with a gap while a counter is drawn', () => {
		expect(slots(player(null, 1), true)).toEqual([
			{ key: '?0', kind: null, empty: false },
			{ key: 'drawn', kind: null, empty: true },
		]);
	});
});

describe('the game in words', () => {
	const scene: Scene = { seats: 2, actions: ['+B', '+O', '+O', '+R', 'Bv3', '+S', 'O3', '+C'], me: 0 };

	test('tells every space, roof and row of the castle', () => {
		const [castle] = tables(look(scene).position, ['Ann', 'Bob']);
		expect(castle?.columns).toEqual(['Row', 'Tower 1', 'Tower 2', 'Tower 3', 'Tower 4', 'Tower 5', 'Worth', 'Now goes to']);
		expect(castle?.rows).toHaveLength(7);
		expect(castle?.rows[0]?.cells).toEqual(['4', '5', '7', '6', '5', '', '']);
		expect(castle?.rows[1]?.cells.slice(0, 3)).toEqual(['–', '–', 'free']);
		expect(castle?.rows[5]).toEqual({
			head: '1',
			cells: ['free', 'free', 'yellow bonus with vertical arrows', 'free', 'free', '7', 'yellow, 7 points (yellow 1, green 0)'],
		});
		expect(castle?.rows[6]?.cells[2]).toBe('green, 7 points');
	});

	test('tells the own hand, and of the other one only how many counters it has', () => {
		const people = tables(look(scene).position, ['Ann', 'Bob'])[1];
		expect(people?.rows).toEqual([
			{ head: 'Ann', cells: ['yellow', '7', 'ordinary, stop', '19'] },
			{ head: 'Bob', cells: ['green', '13', '2 hidden counters', '19'] },
		]);
	});

	test('tells of each kind how many are to come and how many are discarded', () => {
		const later: Scene = { ...scene, actions: [...scene.actions, 'S', '+O', 'R3', '+O'] };
		const counters = tables(look(later).position, [])[2];
		expect(counters?.rows.find(({ head }) => head === 'stop (S)')?.cells).toEqual(['1', '1', '2', '0']);
		expect(counters?.rows.find(({ head }) => head === 'ordinary (O)')?.cells).toEqual(['10', '0', '9', '1']);
	});

	test('says plays and draws, and what is removed', () => {
		expect(say('O2')).toBe('ordinary on tower 2');
		expect(say('Bh4')).toBe('bonus on tower 4, arrows horizontal');
		expect(say('R3')).toBe('remove: the top of tower 3');
		expect(say('S')).toBe('stop');
		expect(say('+?')).toBe('a counter is drawn');
		expect(say('+C')).toBe('continuation drawn');
		expect(say('what')).toBeNull();
	});

	test('says who has to do what', () => {
		const { position } = look(scene);
		expect(task(position, 0, ['Ann', 'Bob'])).toBe('Play a counter of your hand.');
		expect(task(position, null, ['Ann', 'Bob'])).toBe('Ann plays a counter.');
		const drawing = look({ ...scene, actions: scene.actions.slice(0, 7) }).position;
		expect(task(drawing, 0, ['Ann', 'Bob'])).toBe('Bob draws a counter.');
	});
});

describe('the lesson', () => {
	const after = (id: string) => {
		const found = lesson.steps.find((one) => one.id === id);
		if (!found) throw new Error(`there is no step ${id}`);
		return look(found.scene, [...found.wanted, ...(found.then ?? [])]).position;
	};

	const steps = lesson.steps.map((one) => [one.id, one] as const);

	test.each(steps)('%s: what is wanted can be done, and what follows', (_id, one) => {
		const { offers } = look(one.scene);
		expect(one.wanted.length).toBeGreaterThan(0);
		for (const wanted of one.wanted) {
			expect(offers).toContain(wanted);
			look(one.scene, [wanted, ...(one.then ?? [])]);
		}
	});

	test('what its words promise comes true', () => {
		expect(after('build').view.towers[2]?.award).toEqual({ seat: 1, doubled: false, points: 7 });
		expect(after('row').view.rows[0]?.award).toEqual({ seat: 0, doubled: false, points: 8 });
		expect(after('bonus').view.towers[1]?.award).toEqual({ seat: 0, doubled: true, points: 18 });
		expect(after('arrows').view.rows[0]?.award).toEqual({ seat: 0, doubled: true, points: 16 });
		expect(after('continue').view.towers[0]?.spaces.map((space) => space?.seat)).toEqual([0, 0, 0]);
		expect(after('stop').view.towers[0]?.spaces.map((space) => space?.seat)).toEqual([1, undefined]);
		expect(after('stop').view.to_move).toBe(0);
		expect(after('remove').view.towers[0]?.spaces).toEqual([expect.objectContaining({ seat: 0 }), null]);
		expect(after('remove').view.to_move).toBe(0);
		expect(after('end')).toMatchObject({ scores: [23, 0], outcome: { winners: [0], reason: 'castle-complete' } });
	});

	test('its examples can be reached, and the sample ends as the rulebook says', () => {
		for (const { scene } of lesson.examples) look(scene);
		const sample = lesson.examples.find(({ id }) => id === 'sample');
		expect(sample && look(sample.scene).position.scores).toEqual([34, 22]);
	});

	test('has all its words in both languages', () => {
		const keys = [
			...lesson.steps.flatMap(({ id }) => [`step.${id}`, `step.${id}.done`, `step.${id}.wrong`]),
			...lesson.examples.map(({ id }) => `example.${id}`),
		].map((key) => `learn-castle-builders.${key}`);
		for (const messages of [en, de]) expect(keys.filter((key) => !messages[key])).toEqual([]);
	});
});

test('both languages have the same words for the board and the lesson', () => {
	const own = (messages: Record<string, string>) =>
		Object.keys(messages).filter((key) => /^(learn-)?castle-builders\./.test(key)).sort();
	expect(own(de)).toEqual(own(en));
	expect(own(en).length).toBeGreaterThan(80);
});
