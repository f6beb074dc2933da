// What a review does without a browser: links, addresses, the hand-over, headers, the graph.

import { deflateRawSync } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Judged } from '$gen/types';
import { loadPart, loadWords } from '$lib/words.svelte';
import { openEngine } from '../scripts/engine.mjs';
import { readAddress, writeAddress } from '../src/review/address';
import { duration } from '../src/review/analysis.svelte';
import { endingText } from '../src/table/status';
import { line, plyAt, sampleAt, samples, ticks, turningPoints, x, y } from '../src/review/graph';
import { handedOver, toReview } from '../src/review/hand-over';
import { brokenOff, fileName, headersOf, withNames } from '../src/review/headers';
import { keyed } from '../src/review/keys';
import { decode, encode, LONG_LINK, MOST_BYTES } from '../src/review/link';
import words from '../src/messages/en/review.json';
import { recentAt } from '../src/review/recent';

const record = `Game: trexo
Seats: 2
Date: 2026-11-15
Player 0: Zoë
Result: *

0: e5f5
1: e6f6          # Player 1: nobody
`;

beforeAll(async () => {
	await loadWords('en');
	await loadPart('review');
});

describe('a link to a game', () => {
	it('gives back the record that was put into it', async () => {
		expect(await decode(await encode(record))).toBe(record);
	});

	it('holds only letters that an address may have', async () => {
		expect(await encode(record)).toMatch(/^[A-Za-z0-9_-]+$/);
	});

	it.each(['trexo', 'mod-x', 'castle-builders'])('is short enough for a whole game of %s', async (game) => {
		const whole = await played(game);
		expect(headersOf(whole).get('Result')).not.toBe('*');
		expect((await encode(whole)).length).toBeLessThan(LONG_LINK - 100);
	});

	it.each([
		['nothing', ''],
		['letters of no code', 'a b%c'],
		['a length that no code has', 'AAAAA'],
		['bytes that were never deflated', 'AAAA'],
		['text that is no UTF-8', deflateRawSync(Buffer.from([0xff, 0xfe])).toString('base64url')],
	])('is refused with a sentence if it holds %s', async (_what, code) => {
		await expect(decode(code)).rejects.toThrow('The link is damaged');
	});

	it('is refused if its end was cut off', async () => {
		const code = await encode(record);
		await expect(decode(code.slice(0, -8))).rejects.toThrow('The link is damaged');
	});

	it('is refused if it would fill the memory', async () => {
		const bomb = deflateRawSync(Buffer.alloc(MOST_BYTES + 1, 'x')).toString('base64url');
		expect(bomb.length).toBeLessThan(LONG_LINK);
		await expect(decode(bomb)).rejects.toThrow('more than 1 MiB');
	});

	it('may hold as much as is allowed', async () => {
		const most = deflateRawSync(Buffer.alloc(MOST_BYTES, 'x')).toString('base64url');
		expect((await decode(most)).length).toBe(MOST_BYTES);
	});
});

describe('the address of a review', () => {
	it.each([
		{ source: { from: 'link', code: 'c0_MTbVS-A' }, ply: 12 },
		{ source: { from: 'link', code: 'c0_MTbVS-A' }, ply: null },
		{ source: { from: 'tab', key: 'a1b2' }, ply: 0 },
		{ source: { from: 'nowhere' }, ply: null },
	] as const)('is read as it was written: %j', (address) => {
		expect(readAddress(writeAddress(address).replace(/^\/review#?/, ''))).toEqual(address);
	});

	it('that says nothing we know is none', () => {
		expect(readAddress('section-3')).toBeNull();
	});

	it.each(['-1', '1.5', 'x', '99999999', ''])('with the ply "%s" shows the end of the game', (ply) => {
		expect(readAddress(`r=AA&ply=${ply}`)).toEqual({ source: { from: 'link', code: 'AA' }, ply: null });
	});
});

describe('the hand-over', () => {
	beforeEach(() => sessionStorage.clear());
	const key = (address: string) => /kept=(\w+)/.exec(address)?.[1] ?? '';

	it('keeps a record under the address that it gives', () => {
		const address = toReview(record, 3);
		expect(address).toMatch(/^\/review#kept=\w+&ply=3$/);
		expect(handedOver(key(address))).toBe(record);
	});

	it('writes names into a record that has none', () => {
		const kept = handedOver(key(toReview(record, null, ['Ann', 'Club\nplayer'])));
		expect(headersOf(kept ?? '').get('Player 0')).toBe('Zoë');
		expect(headersOf(kept ?? '').get('Player 1')).toBe('Club player');
	});

	it('gives the same address for the same record', () => {
		expect(toReview(record)).toBe(toReview(record));
	});

	it('forgets the oldest of many', () => {
		const addresses = Array.from({ length: 6 }, (_, index) => toReview(`${record}# ${index}\n`));
		const forgotten = addresses.map((address) => handedOver(key(address)) === undefined);
		expect(forgotten).toEqual([true, false, false, false, false, false]);
	});

	it('works where nothing may be stored', () => {
		const refuse = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
			throw new Error('full');
		});
		const address = toReview(record);
		refuse.mockRestore();
		expect(handedOver(key(address))).toBe(record);
	});

	it('takes no harm from what others have stored there', () => {
		sessionStorage.setItem('quincunx.review', '[null, {"key": 5}, "x"]');
		expect(handedOver('x')).toBeUndefined();
		expect(handedOver(key(toReview(record)))).toBe(record);
	});
});

describe('the head of a record', () => {
	it('ends where the actions begin', () => {
		expect([...headersOf(record).keys()]).toEqual(['Game', 'Seats', 'Date', 'Player 0', 'Result']);
	});

	it('is read with the mark that some editors put before it', () => {
		expect(headersOf(`\ufeff${record}`).get('Game')).toBe('trexo');
	});

	it('tells how a game was broken off', () => {
		expect(brokenOff(new Map([['Ending', '1 resigned']]))).toEqual({ winners: [1], reason: 'resigned' });
		expect(brokenOff(new Map([['Ending', '0,2 time']]))).toEqual({ winners: [0, 2], reason: 'time' });
		expect(brokenOff(new Map([['Ending', 'draw agreed']]))).toEqual({ winners: [], reason: 'agreed' });
		expect(brokenOff(new Map([['Ending', 'nonsense']]))).toBeNull();
		expect(brokenOff(new Map())).toBeNull();
	});

	it('names its file by game and date', () => {
		expect(fileName(record, new Date(2030, 0, 2))).toBe('trexo-2026-11-15.txt');
		expect(fileName('Game: mod-x\nDate: yesterday\n', new Date(2030, 0, 2))).toBe('mod-x-2030-01-02.txt');
		expect(fileName('Game: ../../etc\n', new Date(2030, 0, 2))).toBe('etc-2030-01-02.txt');
	});

	it('stays as it is if all names are known', () => {
		expect(withNames(record, ['Ann'])).toBe(record);
	});
});

describe('how a game ended', () => {
	it('is said with the winners and the reason', () => {
		expect(endingText({ winners: [0], reason: 'five-in-a-row' }, ['Ann', 'Ben'])).toBe('Ann has won: five in a row.');
		expect(endingText({ winners: [0, 2], reason: 'time' }, ['A', 'B', 'C', 'D'])).toBe('A and C have won: on time.');
		expect(endingText({ winners: [], reason: 'no-place' }, ['A', 'B'])).toBe('A draw: there is no place for a tile.');
		expect(endingText({ winners: [], reason: 'unfinished' }, ['A', 'B'])).toBe('The game was broken off.');
	});

	it('is said with the word of the rules if there is no other', () => {
		expect(endingText({ winners: [1], reason: 'checkmate' }, ['A', 'B'])).toBe('B has won: checkmate.');
	});
});

const judged = (ply: number, seat: number, expected: number[], verdict: Judged['verdict'] = null): Judged => ({
	ply,
	seat,
	expected,
	verdict,
	action: 'e5f5',
	better: 'e6f6',
	line: [],
	played: expected,
	loss: verdict ? 0.2 : 0,
	accuracy: 100,
	luck: [],
});
const box = { left: 10, top: 20, width: 100, height: 50 };

describe('the graph', () => {
	const moves = [judged(1, 0, [0.5, 0.5]), judged(3, 1, [0.25, 0.75], 'mistake'), judged(4, 0, [0.6, 0.4])];

	it('shows what was expected before each judged action, and what the winner got', () => {
		expect(samples(moves, 5, [1])).toEqual([
			{ ply: 0, shares: [0.5, 0.5] },
			{ ply: 2, shares: [0.25, 0.75] },
			{ ply: 3, shares: [0.6, 0.4] },
			{ ply: 5, shares: [0, 1] },
		]);
	});

	it('ends with the last judged position as long as nobody knows the end', () => {
		expect(samples(moves, 5, null).at(-1)?.ply).toBe(3);
		expect(samples([], 5, [1])).toEqual([]);
	});

	it('ends a draw with the same share for all, also in teams', () => {
		expect(samples(moves, 5, []).at(-1)?.shares).toEqual([0.5, 0.5]);
		const teams = [judged(1, 0, [0.7, 0.3, 0.7, 0.3])];
		expect(samples(teams, 1, []).at(-1)?.shares).toEqual([0.5, 0.5, 0.5, 0.5]);
	});

	it('knows between two judged positions what was expected in the earlier one', () => {
		const found = samples(moves, 5, [1]);
		expect(sampleAt(found, 1)?.ply).toBe(0);
		expect(sampleAt(found, 4)?.ply).toBe(3);
		expect(sampleAt(found, 5)?.ply).toBe(5);
		expect(sampleAt([], 5)).toBeUndefined();
	});

	it('has the first ply at its left, the last at its right, a won game at its top', () => {
		expect([x(0, 5, box), x(5, 5, box)]).toEqual([10, 110]);
		expect([y(1, box), y(0, box)]).toEqual([20, 70]);
		expect(x(0, 0, box)).toBe(10);
	});

	it('draws a line for a seat through all positions', () => {
		expect(line(samples(moves, 5, [1]), 0, 5, box)).toBe('M10 45L50 57.5L70 40L110 70');
		expect(line([], 0, 5, box)).toBe('');
	});

	it('finds the ply below a pointer, also beside the picture', () => {
		for (let ply = 0; ply <= 7; ply += 1) expect(plyAt(x(ply, 7, box), 7, box)).toBe(ply);
		expect(plyAt(-50, 7, box)).toBe(0);
		expect(plyAt(500, 7, box)).toBe(7);
	});

	it('is numbered at round distances', () => {
		expect(ticks(21, 5)).toEqual([0, 5, 10, 15, 20]);
		expect(ticks(363, 5)).toEqual([0, 100, 200, 300]);
		expect(ticks(3, 5)).toEqual([0, 1, 2, 3]);
		expect(ticks(0, 5)).toEqual([0]);
	});

	it('marks the mistakes as turning points', () => {
		expect(turningPoints(moves).map(({ ply }) => ply)).toEqual([3]);
	});
});

describe('the log', () => {
	const log = [undefined, 0, undefined, undefined, 1].map((seat, index) => ({ seat, action: String(index) }));
	const news = (ply: number) => recentAt(log, ply).map(({ action }) => action);

	it('gives as news the last action of a seat with what chance made of it', () => {
		expect(news(4)).toEqual(['1', '2', '3']);
		expect(news(5)).toEqual(['4']);
		expect(news(1)).toEqual(['0']);
		expect(news(0)).toEqual([]);
	});

	it('tells how long the engine needs, which does not think about chance', () => {
		expect(duration(log, 'thorough')).toBe(3);
	});
});

describe('the keys', () => {
	const press = (key: string, tag = 'div', more: KeyboardEventInit = {}) => {
		const target = document.body.appendChild(document.createElement(tag));
		let way: ReturnType<typeof keyed> = null;
		document.addEventListener('keydown', (event) => (way = keyed(event)), { once: true });
		target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }));
		target.remove();
		return way;
	};

	it('lead through the game wherever the focus is', () => {
		const keys = ['ArrowLeft', 'ArrowRight', 'Home', 'End', ' '];
		expect(keys.map((key) => press(key))).toEqual(['back', 'next', 'first', 'last', 'play']);
		expect(press('ArrowRight', 'button')).toBe('next');
	});

	it('are left to what needs them itself', () => {
		expect(press('ArrowRight', 'input')).toBeNull();
		expect(press('ArrowRight', 'select')).toBeNull();
		expect(press(' ', 'button')).toBeNull();
		expect(press('ArrowLeft', 'div', { altKey: true })).toBeNull();
		expect(press('a')).toBeNull();
	});
});

describe('the words of the review', () => {
	const sources = import.meta.glob<string>(['../src/review/*', '../src/pages/Review.svelte'], {
		eager: true,
		query: '?raw',
		import: 'default',
	});

	it('are all used', () => {
		const text = Object.values(sources).join('\n');
		const used = new Set([...text.matchAll(/'review\.([\w.]+)'/g)].map((found) => found[1] ?? ''));
		const families = [...text.matchAll(/`review\.([\w.]+\.)\$\{/g)].map((found) => found[1] ?? '');
		const spare = Object.keys(words).filter(
			(key) => !used.has(key.replace(/\.one$/, '')) && !families.some((family) => key.startsWith(family)),
		);
		expect(spare).toEqual([]);
	});
});

/** A game that is played to its end, always the same. */
async function played(game: string): Promise<string> {
	const call = await openEngine('src/generated/engine.wasm');
	const { session } = call('new', { game, seats: 2, options: {} });
	let random = 5;
	for (;;) {
		const { actions, turn } = call('position', { session });
		if (turn.kind === 'over') return call('record', { session });
		random = (random * 48271) % 0x7fffffff;
		const possible = actions.filter(({ seat }: { seat?: number }) => turn.kind === 'chance' || seat === turn.seat);
		call('apply', { session, action: possible[random % possible.length].action });
	}
}
