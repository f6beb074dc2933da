// The board of Figures, and its lesson against the rules themselves.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openEngine } from '../scripts/engine.mjs';
import type { Look, Opened, Position, Reason } from '../src/generated/types';
import type { View } from '../src/generated/views/figures';
import { exchange, partners, read } from '../src/boards/figures/actions';
import { arrange, handAt, pointFields, squareAt, steps, stoneAt, tall, wide } from '../src/boards/figures/arrange';
import { cellOf, edges, figureOrder, models, squareOrder, strokes } from '../src/boards/figures/geometry';
import { follow, remember, type Memory } from '../src/boards/figures/memory';
import { refusal } from '../src/boards/figures/refusals';
import { neighbour } from '../src/boards/figures/roving';
import { colourOrder } from '../src/boards/figures/signs';
import { madeInWords, say, tables, task } from '../src/boards/figures/words';
import { lesson } from '../src/learn/lessons/figures';
import type { Scene } from '../src/learn/contract';
import { messages as de } from './all-de';
import { messages as en } from './all-en';
import { loadWords } from '../src/lib/words.svelte';

type Here = Position & { view: View };
type Call = <Result>(method: string, params?: object) => Result;

let call: Call;
const names = ['Ada', 'Ben', 'Cy', 'Di'];

beforeAll(async () => {
	call = (await openEngine(join(import.meta.dirname, '../src/generated/engine.wasm'))) as Call;
	await loadWords('en');
});

/** A game, move by move; gives its session and all its positions. */
function played(actions: Scene['actions'], options: object = {}, seats = 2): { session: number; positions: Here[] } {
	const { session, position } = call<Opened>('new', { game: 'figures', seats, options });
	const positions = [position as Here];
	for (const entry of actions) {
		const [seat, action] = typeof entry === 'string' ? [undefined, entry] : entry;
		positions.push(call<Here>('apply', { session, action, seat }));
	}
	return { session, positions };
}

function last<Item>(items: readonly Item[]): Item {
	const item = items.at(-1);
	if (item === undefined) throw new Error('there is none');
	return item;
}

describe('the texts of actions', () => {
	it('are read', () => {
		expect(read('+r')).toEqual({ kind: 'take', colour: 'red' });
		expect(read('-n')).toEqual({ kind: 'return', colour: 'brown' });
		expect(read('a1c3')).toEqual({ kind: 'exchange', squares: ['a1', 'c3'] });
	});

	it('are nothing if they are of another kind', () => {
		for (const text of ['', '+x', 'r', 'a1', 'f1a2', 'a1c3d4', '+rr']) expect(read(text), text).toBeNull();
	});

	it('name the lower square first, whichever was pressed first', () => {
		expect(exchange('e1', 'a2')).toBe('e1a2');
		expect(exchange('a2', 'e1')).toBe('e1a2');
		expect(exchange('c3', 'b3')).toBe('b3c3');
	});

	it('tell what each marker may be exchanged with', () => {
		const found = partners(['a1c3', 'a1d4', '+r']);
		expect(found.get('a1')).toEqual(['c3', 'd4']);
		expect(found.get('d4')).toEqual(['a1']);
		expect(found.size).toBe(3);
	});

	it('all are read, in every phase of a turn', () => {
		const { positions } = played(['+r', '+y', 'b1d3']);
		for (const { actions } of positions) for (const { action } of actions) expect(read(action), action).not.toBeNull();
	});
});

describe('the display', () => {
	it('has a1 at the lower left, and at the upper right from the other side', () => {
		expect(cellOf('a1')).toEqual({ x: 0, y: 4 });
		expect(cellOf('a1', true)).toEqual({ x: 4, y: 0 });
		expect(edges(true)).toEqual({ columns: ['e', 'd', 'c', 'b', 'a'], rows: ['1', '2', '3', '4', '5'] });
	});

	it('counts its squares as the rules do', () => {
		const view = last(played([]).positions).view;
		expect(view.squares.map(({ square }) => square)).toEqual(squareOrder);
	});

	it('draws a cross and a plus with two strokes through the middle', () => {
		for (const figure of ['cross', 'plus'] as const) {
			const lines = strokes(figure, models[figure]);
			expect(lines).toHaveLength(2);
			for (const line of lines) {
				expect(line[1]).toEqual({ x: 0, y: 0 });
				expect(line[0]).toEqual({ x: -(line[2]?.x ?? 0) + 0, y: -(line[2]?.y ?? 0) + 0 });
			}
		}
	});

	it('draws the other figures with one stroke from end to end, however they lie', () => {
		const along = (squares: string) => strokes('zig_zag', squares.split(' ').map((square) => cellOf(square)))[0];
		const cells = (squares: string) => squares.split(' ').map((square) => cellOf(square));
		expect(along('a1 c1 e1 b2 d2')).toEqual(cells('a1 b2 c1 d2 e1'));
		expect(along('a2 a4 b1 b3 b5')).toEqual(cells('b5 a4 b3 a2 b1'));
		expect(along('a1 c3 b2 a2 b3')).toEqual(cells('a1 a2 b2 b3 c3').toSorted((a, b) => a.x - a.y - (b.x - b.y)));
	});
});

describe('the arrangement', () => {
	it('is wide in a wide room and tall on a phone', () => {
		expect(arrange(900, 600)).toBe(wide);
		expect(arrange(300, 220)).toBe(wide);
		expect(arrange(360, 500)).toBe(tall);
	});

	it('keeps everything inside and nothing on top of something else', () => {
		for (const room of [wide, tall]) {
			const boxes = [room.display, room.bank, room.points, room.near, room.far];
			for (const [index, one] of boxes.entries()) {
				expect(one.x + one.width).toBeLessThanOrEqual(room.width);
				expect(one.y + one.height).toBeLessThanOrEqual(room.height);
				for (const other of boxes.slice(index + 1)) {
					const beside = one.x + one.width <= other.x || other.x + other.width <= one.x;
					const above = one.y + one.height <= other.y || other.y + other.height <= one.y;
					expect(beside || above).toBe(true);
				}
			}
		}
	});

	it('gives all small stones of the point board a place of their own, inside of it', () => {
		for (const room of [wide, tall]) {
			const { stone, radius } = pointFields(room);
			const places = figureOrder.flatMap((figure) =>
				steps.flatMap((value) => colourOrder.map((colour) => stone(figure, colour, value))),
			);
			const { x, y, width, height } = room.points;
			for (const [index, one] of places.entries()) {
				expect(one.x - radius).toBeGreaterThan(x);
				expect(one.x + radius).toBeLessThan(x + width);
				expect(one.y - radius).toBeGreaterThan(y);
				expect(one.y + radius).toBeLessThan(y + height);
				for (const other of places.slice(index + 1)) {
					expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(2 * radius);
				}
			}
		}
	});

	it('puts a stone where it is: in the bank, or in the hand of who took it', () => {
		const { view } = last(played(['+r', '+y']).positions);
		expect(stoneAt(wide, view, 'red', 0)).toEqual(handAt(wide.near, 0));
		expect(stoneAt(wide, view, 'yellow', 1)).toEqual(handAt(wide.far, 1));
		expect(stoneAt(wide, view, 'green', 0).y).toBe(wide.bank.y + wide.bank.height / 2);
	});
});

describe('the arrow keys', () => {
	it('lead from square to square, on to the bank and from there to the hands', () => {
		const { view } = last(played(['+r', '+y']).positions);
		for (const room of [wide, tall]) {
			const targets = [
				...squareOrder.map((id) => ({ id, ...squareAt(room, id, false) })),
				...colourOrder.map((id) => ({ id, ...stoneAt(room, view, id, 0) })),
			];
			expect(neighbour(targets, 'c3', 'ArrowUp')?.id).toBe('c4');
			expect(neighbour(targets, 'c3', 'ArrowLeft')?.id).toBe('b3');
			expect(neighbour(targets, 'c1', 'ArrowDown')?.id).toBe('green');
			expect(neighbour(targets, 'c5', 'ArrowUp')).toBeUndefined();
			expect(neighbour(targets, 'c3', 'x')).toBeUndefined();
			const reached = new Set(['c3']);
			for (const id of reached) {
				for (const key of ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']) {
					const next = neighbour(targets, id, key);
					if (next) reached.add(next.id);
				}
			}
			expect(reached.size).toBe(targets.length);
		}
	});
});

describe('the memory of the board', () => {
	const toPlus = lesson.steps.find(({ id }) => id === 'giveback')?.scene;

	it('lets the two exchanged markers move and all others lie', () => {
		const { positions } = played(['+r', '+y', 'b1d3']);
		const before = follow([], positions[2]?.view.squares ?? []);
		const after = follow(before, positions[3]?.view.squares ?? []);
		const moved = after.filter(({ square }, index) => before[index]?.square !== square);
		expect(moved.map(({ colour, square }) => `${colour} ${square}`).sort()).toEqual(['red b1', 'yellow d3']);
		expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
	});

	it('has each square once after a whole game was jumped over', () => {
		const [early, late] = [played([]).positions[0], last(played(toPlus?.actions ?? [], toPlus?.options).positions)];
		const markers = follow(follow([], early?.view.squares ?? []), late.view.squares);
		const shown = new Map(markers.map(({ square, colour }) => [square, colour]));
		expect([...shown.keys()].sort()).toEqual([...squareOrder].sort());
		for (const { square, marker } of late.view.squares) expect(shown.get(square)).toBe(marker);
	});

	it('names a figure with its points when it is made and until the next exchange, and not when it is taken back', () => {
		const { positions } = played([...(toPlus?.actions ?? []), '-r'], toPlus?.options);
		const memories: Memory[] = [];
		for (const position of positions) memories.push(remember(memories.at(-1), position));
		const told = memories.map(({ made, by }) => madeInWords(made, by === 0 ? null : 'Ben'));
		expect(told.slice(0, -2).join('')).toBe('');
		expect(told.slice(-2)).toEqual(['Red plus, 5 points', 'Red plus, 5 points']);
		const back = positions.at(-3);
		if (!back) throw new Error('there is none');
		expect(remember(memories.at(-1), back).made).toEqual([]);
	});
});

describe('two stones without an exchange', () => {
	it('are told when the second one is taken, and not after an exchange', () => {
		const told = (options: object, actions: Scene['actions']) => {
			let memory: Memory | undefined;
			for (const position of played(actions, options).positions) memory = remember(memory, position);
			return memory?.stuck;
		};
		// Red lies along the lower edge, yellow in two groups far from it: no red marker finds another one among them.
		const layout = 'grrrr rbngb nbgyy yynbg ynnbg'.replaceAll(' ', '');
		expect(told({ layout }, ['+r', '+y'])).toBe(true);
		expect(told({ layout }, ['+r', '+y', '-r'])).toBe(false);
		expect(told({}, ['+r', '+y', 'b1d3'])).toBe(false);
	});
});

describe('what is refused', () => {
	/** Why the rules refuse an action, as the board tells it. */
	function why(actions: Scene['actions'], action: string, options: object = {}) {
		const { session } = played(actions, options);
		return refusal(call<Reason>('check', { session, action }));
	}

	it('is told in the words of the reader for all that can be pressed', async () => {
		const told: [Scene['actions'], string, string][] = [
			[['+r', '+y'], 'a1a2', 'Verboten: Die rote Scheibe wäre auf a2 isoliert, und die gelben wären keine Gruppe.'],
			[['+r', '+y'], 'a1c3', 'Deine Steine sind rot und gelb, aber auf a1 liegt rot und auf c3 braun.'],
			[['+r'], '+r', 'Den roten Stein hast du schon.'],
			[['+r', '+y', 'b1d3', '-y'], '+r', 'Den roten Stein hat die andere Seite.'],
			[['+r', '+y', 'b1d3'], '-g', 'Den grünen Stein hast du nicht.'],
			[[], 'a1b1', 'Nimm zuerst einen Stein aus der Bank.'],
			[['+r', '+y'], '+g', 'Tausche jetzt zwei Scheiben.'],
			[['+r', '+y', 'b1d3'], '+g', 'Gib jetzt einen deiner Steine zurück.'],
		];
		await loadWords('de');
		for (const [actions, action, text] of told) expect(why(actions, action).text).toBe(text);
		await loadWords('en');
	});

	it('says where a marker would be isolated', () => {
		expect(why(['+r', '+y'], 'a1a2')).toEqual({
			text: 'Forbidden: red would be isolated on a2, and yellow would not be one group.',
			alone: 'a2',
		});
	});

	it('knows the stone of the figure, and the first exchange', () => {
		const made = lesson.steps.find(({ id }) => id === 'giveback')?.scene;
		expect(why(made?.actions ?? [], '-b', made?.options).text).toMatch(/its colour made the figure, not blue/);
		const double = lesson.steps.find(({ id }) => id === 'double')?.scene;
		expect(why(['+r', '+y'], 'e1e2', double?.options).text).toBe('The first exchange of a game may not make a figure.');
	});
});

describe('the table in words', () => {
	it('has the display, the stones and the point board', () => {
		const [display, stones, points, ...more] = tables(last(played(['+r', '+y']).positions), names);
		expect(display?.columns.slice(1)).toEqual(['a', 'b', 'c', 'd', 'e']);
		expect(display?.rows[0]).toEqual({ head: '5', cells: ['brown', 'red', 'yellow', 'green', 'blue'] });
		expect(stones?.rows.map(({ cells }) => cells[0])).toEqual(['green, blue and brown', 'red and yellow', 'none']);
		expect(points?.rows.map(({ head }) => head)).toEqual(['cross', 'plus', 'line', 'zig-zag']);
		expect(points?.rows.flatMap(({ cells }) => cells)).toEqual(Array.from({ length: 20 }, () => '5'));
		expect(more).toEqual([]);
	});

	it('names the figures that stand', () => {
		const { options } = lesson.examples.find(({ id }) => id === 'figures')?.scene ?? {};
		const standing = last(tables(last(played([], options).positions), names));
		const told = standing.rows.map(({ head, cells }) => `${head} ${cells[0]}`);
		expect(told).toEqual(['yellow cross', 'green plus', 'blue line']);
	});

	it('puts partners together', () => {
		const [, stones] = tables(last(played(['+r'], {}, 4).positions), names);
		expect(stones?.rows.map(({ head }) => head)).toEqual(['Bank', 'Ada and Cy', 'Ben and Di']);
	});

	it('says what is to be done, to who has to do it and to the others', () => {
		const { positions } = played(['+r', '+y', 'b1d3', '-y', '+b', '+n']);
		const told = positions.map((position) => task(position, 0, names));
		expect(told).toEqual([
			'Take two stones from the bank, one after the other.',
			'You hold red. Take a second stone from the bank.',
			'Exchange a red marker with a yellow one.',
			'Return a stone to the bank: red or yellow.',
			'Ben takes a stone.',
			'Ben takes a stone.',
			'Ben exchanges two markers.',
		]);
	});

	it('says an action the same before and after it', () => {
		const { positions } = played(['+r', '+y', 'b1d3']);
		for (const position of positions.slice(2)) expect(say('b1d3', position)).toBe('b1 and d3 exchanged, red and yellow');
		expect(say('b1d3', null)).toBe('b1 and d3 exchanged');
		expect(say('+r', null)).toBe('red stone taken');
		expect(say('?', null)).toBeNull();
	});
});

describe('the lesson', () => {
	it('asks only for what the rules allow, of the one who is on turn', () => {
		for (const { id, scene, wanted, then = [] } of lesson.steps) {
			for (const action of wanted) {
				const { session } = played(scene.actions, scene.options, scene.seats);
				const { offers } = call<Look>('look', { session, seat: scene.me });
				expect(offers, id).toContain(action);
				expect(() => played([...scene.actions, action, ...then], scene.options, scene.seats)).not.toThrow();
			}
		}
	});

	it('shows what it speaks of', () => {
		const after = (id: string) => {
			const step = lesson.steps.find((step) => step.id === id);
			const { scene, wanted } = step ?? { scene: { seats: 2, actions: [], me: 0 }, wanted: [] };
			return last(played([...scene.actions, ...wanted], scene.options).positions);
		};
		expect(after('figure').view.figures.map(({ colour, figure }) => `${colour} ${figure}`)).toEqual(['red plus']);
		expect(after('figure').scores).toEqual([5, 0]);
		expect(after('group').view.figures.map(({ colour, figure }) => `${colour} ${figure}`)).toEqual(['blue plus']);
		expect(after('double').scores).toEqual([0, 10]);
		const forbidden = lesson.steps.find(({ id }) => id === 'forbidden')?.scene;
		const { session } = played(forbidden?.actions ?? [], forbidden?.options);
		expect(call('check', { session, action: 'e1d2' })).toMatchObject({ code: 'figures.isolated', args: { square: 'e1' } });
		// Whoever returns green instead, gives the line away.
		const keep = lesson.steps.find(({ id }) => id === 'keep')?.scene;
		const line = [...(keep?.actions ?? []), '-g', '+g', '+n', 'e4e5'];
		expect(last(played(line, keep?.options).positions).scores).toEqual([0, 5]);
	});

	it('has examples that can be reached, below headings that exist', () => {
		const headings = readFileSync('../docs/rules/figures.md', 'utf8').match(/^## /gm)?.length ?? 0;
		for (const { scene, section } of lesson.examples) {
			expect(() => played(scene.actions, scene.options, scene.seats)).not.toThrow();
			expect(section).toBeLessThan(headings);
		}
	});

	it('has its words in both languages', () => {
		const keys = [
			...lesson.steps.flatMap(({ id }) => [`step.${id}`, `step.${id}.done`]),
			...lesson.examples.map(({ id }) => `example.${id}`),
		];
		for (const key of keys) {
			expect(en[`learn-figures.${key}`], key).toBeTruthy();
			expect(de[`learn-figures.${key}`], key).toBeTruthy();
		}
	});

	it('and the board say the same things in English and German, with the same values', () => {
		const own = (messages: Record<string, string>) =>
			Object.keys(messages).filter((key) => /^(learn-)?figures\./.test(key)).sort();
		expect(own(de)).toEqual(own(en));
		const values = (text = '') => (text.match(/\{\w+\}/g) ?? []).sort();
		for (const key of own(en)) expect(values(de[key]), key).toEqual(values(en[key]));
	});
});
