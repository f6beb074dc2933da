// X Marks the Spot: reading actions, the geometry of the chart, plans and words.

import { beforeAll, describe, expect, it } from 'vitest';
import { apply, call, GAME, look, NAMES, play, stepOf, type Acted } from './x-marks-the-spot';
import samples from '$gen/samples.json';
import { loadWords, t } from '$lib/words.svelte';
import { giveText, headingPlacement, index, placeText, playable, read } from '../src/boards/x-marks-the-spot/actions';
import {
	chartExtent, closest, extent, lift, lower, middle, nearest, seen, squareAt, tops,
} from '../src/boards/x-marks-the-spot/chart';
import { Plan } from '../src/boards/x-marks-the-spot/plan.svelte';
import { talk } from '../src/boards/x-marks-the-spot/talk';
import { traces } from '../src/boards/x-marks-the-spot/traces';
import { say, tables, task, type Seen } from '../src/boards/x-marks-the-spot/words';
import type { Scene } from '../src/learn/contract';
import { lesson } from '../src/learn/lessons/x-marks-the-spot';

beforeAll(() => loadWords('en'));

function planFor({ position, offers }: ReturnType<typeof look>, seat = 0): Plan {
	const { view } = position;
	const sorted = index(offers);
	return new Plan(() => ({ hand: view.players[seat]?.hand ?? [], index: sorted, chart: view.chart }));
}

const hand = (seen: ReturnType<typeof look>, seat = 0) => seen.position.view.players[seat]?.hand ?? [];
const at = (id: string) => look(play(stepOf(id).scene), 0);

describe('reading actions', () => {
	it('reads where a card is laid, also left of and below the start', () => {
		expect(read('place cr -3,-12 w')).toEqual({ kind: 'place', card: 'cr', x: -3, y: -12, direction: 'w' });
		expect(read('heading 2,-1 cr n')).toEqual({ kind: 'heading', card: 'cr', x: 2, y: -1, direction: 'n' });
		expect(read('cannon 2,-1')).toEqual({ kind: 'cannon', x: 2, y: -1 });
	});

	it('reads what is said in a parlay', () => {
		expect(read('parlay 2 n3')).toEqual({ kind: 'parlay', seat: 2, cards: 3 });
		expect(read('counter n2')).toEqual({ kind: 'counter', cards: 2 });
		expect(read('take 3')).toEqual({ kind: 'take', seat: 3 });
		expect(read('give cr cannon')).toEqual({ kind: 'give', cards: ['cr', 'cannon'] });
	});

	it('reads what is hidden as hidden', () => {
		expect(read('give ? ?')).toEqual({ kind: 'give', cards: [null, null] });
		expect(read('steal ?')).toEqual({ kind: 'steal', card: null });
	});

	it('tells plundering a hand from plundering the discard pile', () => {
		expect(read('plunder 0')).toEqual({ kind: 'plunder', seat: 0 });
		expect(read('plunder discard cr')).toEqual({ kind: 'plunder_discard', card: 'cr' });
	});

	it('reads nothing into what is no action', () => {
		const others = ['', '+cr', 'flag:c', 'place cr 0 e', 'place zz 0,0 e', 'place cr 0,0 x', 'parlay 2 3', 'counter 2'];
		for (const text of others) expect(read(text), text).toBeNull();
	});

	it('writes a card with equal icons with n or e, whichever end it is held by', () => {
		expect(placeText({ card: 'cc', x: 0, y: 0, direction: 's' })).toBe('place cc 0,-1 n');
		expect(placeText({ card: 'cc', x: 0, y: 0, direction: 'w' })).toBe('place cc -1,0 e');
		expect(placeText({ card: 'cr', x: 0, y: 0, direction: 's' })).toBe('place cr 0,0 s');
	});

	it('finds both ends of a card with equal icons among the places', () => {
		const places = index(['place cc 0,0 n']).places.get('cc');
		expect(places?.get('0,0')).toEqual(['n']);
		expect(places?.get('0,1')).toEqual(['s']);
	});

	it('lays a replacement on the squares of the card that is taken', () => {
		expect(headingPlacement({ x: 2, y: -1 }, 'cr', 'n')).toMatchObject({ x: 2, y: -1 });
		expect(headingPlacement({ x: 2, y: -1 }, 'cr', 's')).toMatchObject({ x: 2, y: 0 });
		expect(headingPlacement({ x: 2, y: -1 }, 'cr', 'w')).toMatchObject({ x: 3, y: -1 });
	});

	it('finds the cards to give in whatever order they were picked', () => {
		const sorted = index(['give cr cannon', 'give cr parlay']);
		expect(giveText(sorted, ['cannon', 'cr'])).toBe('give cr cannon');
		expect(giveText(sorted, ['cr'])).toBeNull();
		expect(sorted.giving).toBe(2);
	});

	it('counts only those cards as playable that an action uses', () => {
		const sorted = index(['place cr 0,0 e', 'plunder discard ww']);
		expect(playable(sorted, 'cr')).toBe(true);
		expect(playable(sorted, 'plunder')).toBe(true);
		expect(playable(sorted, 'ww')).toBe(false);
		expect(playable(sorted, 'cannon')).toBe(false);
	});
});

describe('the chart', () => {
	it('finds the square under a point, from both sides of the table', () => {
		for (const flipped of [false, true]) {
			for (const square of [{ x: 0, y: 0 }, { x: 3, y: -2 }, { x: -7, y: 5 }]) {
				expect(squareAt(middle(square, flipped), flipped)).toEqual(square);
			}
		}
	});

	it('draws rows upwards, and downwards from the other side', () => {
		expect(middle({ x: 0, y: 1 }, false).y).toBeLessThan(0);
		expect(middle({ x: 0, y: 1 }, true).y).toBeGreaterThan(0);
		expect(seen('n', true)).toBe('s');
		expect(seen('e', false)).toBe('e');
	});

	it('names a card by its lower square, then by its left one, as the rules do', () => {
		const { position, offers } = at('cannon');
		const named = offers.flatMap((text) => /^cannon (.*)/.exec(text)?.[1] ?? []);
		const removable = position.view.chart.filter((card) => card.removable).map(lower);
		expect(removable.map(({ x, y }) => `${x},${y}`).sort()).toEqual([...named].sort());
	});

	it('shows only the topmost icon of a square', () => {
		const { position } = look(play({ seats: 2, actions: [...stepOf('cover').scene.actions, 'place ca 1,1 n'] }), 0);
		expect(tops(position.view.chart).get('1,1')?.half).toMatchObject({ icon: 'c', level: 1 });
	});

	it('lifts higher cards farther, but never off their square', () => {
		for (let height = 0; height < 20; height += 1) expect(lift(height + 1)).toBeGreaterThan(lift(height));
		expect(lift(20)).toBeLessThan(12);
	});

	it('is as wide as its cards, and has a place for the first one', () => {
		expect(chartExtent([])).toEqual({ left: 0, right: 1, bottom: 0, top: 0 });
		expect(extent([])).toBeNull();
		expect(extent([{ x: 2, y: -1 }, { x: -3, y: 4 }])).toEqual({ left: -3, right: 2, bottom: -1, top: 4 });
	});

	it('goes to the nearest target in a direction, and to none where there is none', () => {
		const targets = [{ x: 2, y: 0 }, { x: 5, y: 0 }, { x: 1, y: 4 }];
		expect(nearest({ x: 0, y: 0 }, 'e', targets)).toEqual({ x: 2, y: 0 });
		expect(nearest({ x: 2, y: 0 }, 'e', targets)).toEqual({ x: 5, y: 0 });
		expect(nearest({ x: 0, y: 0 }, 's', targets)).toBeNull();
		expect(closest({ x: 4, y: 1 }, targets)).toEqual({ x: 5, y: 0 });
	});

	it('marks what the others have done, the newest last, and nothing of one’s own', () => {
		const recent = [
			{ seat: 0, action: 'place cc 0,0 e' },
			{ seat: 1, action: 'draw' },
			{ action: '+?' },
			{ seat: 1, action: 'place cr 5,5 n' },
			{ seat: 1, action: 'cannon 0,0' },
		];
		expect(traces(recent, 0)).toEqual([
			{ kind: 'laid', squares: [{ x: 5, y: 5 }, { x: 5, y: 6 }], age: 1 },
			{ kind: 'shot', squares: [{ x: 0, y: 0 }], age: 0 },
		]);
	});
});

describe('a plan', () => {
	it('is an action as soon as a mouse presses a square where the card fits', () => {
		const seen = at('mark');
		const plan = planFor(seen);
		plan.pick(hand(seen).indexOf('ca'));
		plan.direction = 's';
		expect(plan.press({ x: 0, y: -1 }, false)).toBe('place ca 0,-1 s');
	});

	it('is no action where the card does not fit, but says which one it would be', () => {
		const seen = at('mark');
		const plan = planFor(seen);
		plan.pick(hand(seen).indexOf('ca'));
		plan.direction = 'n';
		expect(plan.press({ x: 0, y: -1 }, false)).toBeNull();
		expect(plan.text).toBe('place ca 0,-1 n');
	});

	it('is laid down by a finger so that it fits, is turned by the second tap, and made by the button', () => {
		const seen = at('mark');
		const plan = planFor(seen);
		plan.pick(hand(seen).indexOf('ca'));
		plan.direction = 'n';
		expect(plan.press({ x: 0, y: -1 }, true)).toBeNull();
		expect(plan.text).toBe('place ca 0,-1 e');
		expect(plan.press({ x: 0, y: -1 }, true)).toBeNull();
		expect(plan.direction).toBe('s');
		expect(plan.confirm()).toBe('place ca 0,-1 s');
	});

	it('shoots with one click of the mouse, and with the second tap of a finger on either half', () => {
		const seen = at('cannon');
		const plan = planFor(seen);
		plan.pick(hand(seen).indexOf('cannon'));
		expect(plan.press({ x: 3, y: 1 }, false)).toBe('cannon 2,1');
		plan.aim(null);
		expect(plan.press({ x: 3, y: 1 }, true)).toBeNull();
		expect(plan.press({ x: 2, y: 1 }, true)).toBe('cannon 2,1');
	});

	it('goes from target to target with arrow keys', () => {
		const seen = at('cannon');
		const plan = planFor(seen);
		plan.pick(hand(seen).indexOf('cannon'));
		plan.start();
		for (let press = 0; press < 10; press += 1) plan.move('e');
		expect(plan.legal).toBe(true);
		expect(plan.targets).toContainEqual(plan.spot);
	});

	it('takes a card, then lays another one in its place, and turns only as far as that allows', () => {
		const seen = at('heading');
		const plan = planFor(seen);
		plan.pick(hand(seen).indexOf('heading'));
		plan.press({ x: 1, y: -1 }, false);
		expect(plan.target).toEqual({ x: 0, y: -1 });
		expect(plan.text).toBeNull();
		plan.pick(hand(seen).indexOf('ca'));
		expect(plan.turns).toBe(true);
		const ways = new Set([plan.text]);
		plan.turn();
		ways.add(plan.text);
		expect([...ways].sort()).toEqual(['heading 0,-1 ca e', 'heading 0,-1 ca w']);
		plan.back();
		plan.back();
		expect(plan.target).toBeNull();
		expect(plan.card).toBe('heading');
	});

	it('cannot lay an action card in place of a card that is taken', () => {
		const seen = at('heading');
		const plan = planFor(seen);
		plan.pick(hand(seen).indexOf('heading'));
		plan.press({ x: 1, y: -1 }, false);
		expect(hand(seen).filter((_, place) => plan.choosable(place))).toEqual(['ca', 'rw', 'wo', 'ko', 'heading']);
	});

	it('gives as many cards as were agreed on, the last ones that were picked', () => {
		const scene = stepOf('parlay').scene;
		const seen = look(play({ ...scene, actions: [...scene.actions, 'parlay 1 n2', [1, 'accept']] }), 1);
		const plan = planFor(seen, 1);
		expect(plan.mode).toBe('give');
		plan.pick(3);
		expect(plan.legal).toBe(false);
		plan.pick(0);
		plan.pick(1);
		expect(plan.given).toEqual([0, 1]);
		expect(plan.text).toBe(`give ${hand(seen, 1)[0]} ${hand(seen, 1)[1]}`);
		expect(plan.legal).toBe(true);
	});

	it('begins with the plundered card, which has to be played', () => {
		const seen = at('win');
		const plan = planFor(seen);
		plan.begin(seen.position.view.must_play);
		expect(plan.card).toBe('cg');
		expect(hand(seen).filter((_, place) => plan.choosable(place))).toEqual(['cg']);
	});
});

/** Few tile cards and many others, so that everything happens soon. */
const LIVELY = { cr: 6, aw: 6, co: 4, wg: 3, parlay: 9, plunder: 7, cannon: 3, heading: 4 };

/** A game of random but legal actions: what each seat saw before it acted. */
function* wander(seats: number, seed: number): Generator<{ seen: ReturnType<typeof look>; seat: number }> {
	let state = seed;
	const random = (below: number) => {
		state = (state * 48271) % 2147483647;
		return state % below;
	};
	const options = { deck: LIVELY, turn_limit: 16 };
	const opened = call('new', { game: GAME, seats, options }) as { session: number; position: Seen };
	let { position } = opened;
	while (position.turn.kind !== 'over') {
		if (position.turn.kind === 'chance') {
			position = apply(opened.session, '?');
			continue;
		}
		const { seat } = position.turn;
		const seen = look(opened.session, seat);
		yield { seen, seat };
		// Any kind of action is as likely as any other, or the many ways to lay a card would hide the rest.
		const kindOf = (text: string) => text.split(' ')[0];
		const all = [...new Set(seen.offers.map(kindOf))];
		const kinds = all.length > 1 ? all.filter((kind) => kind !== 'scuttle') : all;
		const kind = kinds[random(kinds.length)];
		const some = seen.offers.filter((text) => kindOf(text) === kind);
		position = apply(opened.session, [seat, some[random(some.length)] ?? '']);
	}
}

describe('in words', () => {
	it('every action and every situation of a game has words, with nothing left open', () => {
		const phases = new Set<string>();
		for (const seed of [1, 2, 3]) {
			for (const { seen, seat } of wander(seed + 1, seed)) {
				phases.add(seen.position.view.phase);
				const texts = [
					...seen.offers.slice(0, 5).map((text) => say(text)),
					task(seen.position, seat, NAMES),
					...talk(seen.position.view, NAMES).map(({ words }) => words),
					...tables(seen.position, NAMES).flatMap(({ caption, columns, rows }) => [
						caption, ...columns, ...rows.flatMap(({ head, cells }) => [head, ...cells]),
					]),
				];
				expect(texts).not.toContain(null);
				expect(texts.filter((text) => /x-marks-the-spot\.|\{|undefined|null/.test(text ?? ''))).toEqual([]);
			}
		}
		expect([...phases].sort()).toEqual([
			'acting', 'answering', 'choosing', 'giving', 'offering', 'playing_plunder', 'replying', 'start_of_turn',
			'stealing',
		]);
	});

	it('reads every action that the rules offer', () => {
		for (const { seen } of wander(3, 7)) {
			expect(seen.offers.filter((text) => read(text) === null)).toEqual([]);
		}
	});

	it('the tables show every square, every card and every player', () => {
		const position = samples['x-marks-the-spot'] as unknown as Seen;
		const [players, chart, cards, piles] = tables(position, NAMES);
		const own = 'Condent twice, Rackham and Wynn, Plunder, Plunder';
		expect(players?.rows[0]?.cells).toEqual(['0 of 3', 'Henry Avery', own]);
		expect(players?.rows[1]?.cells).toEqual(['0 of 3', 'secret', '4 cards']);
		const { left, bottom, top } = chartExtent(position.view.chart);
		for (const { halves } of position.view.chart) {
			for (const { icon, level, x, y } of halves.filter((half) => half.top)) {
				const cell = chart?.rows[top - y]?.cells[x - left];
				expect(cell).toBe(t(`${GAME}.icon.${icon}`) + (level > 0 ? `, level ${level + 1}` : ''));
			}
		}
		expect(chart?.rows.at(-1)?.head).toBe(String(bottom));
		expect(cards?.rows).toHaveLength(position.view.chart.length);
		expect(piles?.rows.map(({ cells }) => cells[0])).toEqual(['52 cards', 'New Heading']);
	});

	it('a doubloon is named with its owner', () => {
		const done = lesson.examples.find(({ id }) => id === 'orthogonal');
		const { position } = look(play(done?.scene ?? { seats: 2, actions: [] }), 0);
		const cells = tables(position, NAMES).flatMap(({ rows }) => rows.flatMap(({ cells }) => cells));
		expect(cells).toContain('Condent, doubloon of Ann');
	});
});

describe('a parlay as a conversation', () => {
	const three: Scene = {
		seats: 3,
		me: 0,
		actions: [
			'flag:c', 'flag:r', 'flag:a',
			'+cr', '+ca', '+cw', '+parlay', '+rr', '+ra', '+rw', '+rk', '+aa', '+aw', '+ak', '+ao',
			'draw', '+cc', '+co', 'parlay 1 n3', [1, 'counter n2'], 'open', [2, 'offer n1'],
		],
	};
	const spoken = (...more: Acted[]) => {
		const { view } = look(play({ ...three, actions: [...three.actions, ...more] }), 0).position;
		return talk(view, NAMES).map(({ seat, words }) => [seat, words]);
	};

	it('tells who has said what, in the order in which it was said', () => {
		expect(spoken()).toEqual([
			[0, 'Bob, 3 of my cards for 3 of yours?'],
			[1, 'Rather 2 cards each.'],
			[0, 'Who else would trade with me?'],
			[2, 'I would trade one card.'],
		]);
	});

	it('tells a trade that was taken from one that was forced', () => {
		expect(spoken('take 2')[4]).toEqual([0, 'Cem, we trade one card.']);
		expect(spoken('take 1')[4]).toEqual([0, 'Agreed: 2 cards each.']);
		expect(spoken('force')[4]).toEqual([0, 'Then one card each, like it or not.']);
		expect(spoken('force')[5]).toEqual([null, 'Bob picks one card.']);
	});

	it('does not tell oneself that one is choosing', () => {
		expect(spoken('take 2', [2, 'give aa']).slice(4)).toEqual([[0, 'Cem, we trade one card.']]);
	});
});
