import { describe, expect, test } from 'vitest';
import type { Update, Listing, Message, Snapshot, Remark } from '$gen/types';
import { deviceOf } from '../src/online/device';
import { course, resultFor } from '../src/online/form';
import { merged } from '../src/online/merge';
import { inOrder, isTurnOf } from '../src/online/mine';
import { seated, setupOf, type Plan } from '../src/online/plan';
import { Denied } from '../src/online/denied';
import { ids, pauseBefore, Requests, understood } from '../src/online/protocol';
import { qr } from '../src/online/qr';
import { addressOf, searchOf } from '../src/online/search';
import { after, heard, seatOf } from '../src/online/snapshot';

function withoutNulls(value: unknown): unknown {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
	return Object.fromEntries(Object.entries(value).flatMap(([name, member]) => (member === null ? [] : [[name, withoutNulls(member)]])));
}

describe('a JSON merge patch', () => {
	// The examples of RFC 7396, appendix A.
	test.each([
		[{ a: 'b' }, { a: 'c' }, { a: 'c' }],
		[{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
		[{ a: 'b' }, { a: null }, {}],
		[{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
		[{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
		[{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
		[{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
		[{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
		[['a', 'b'], ['c', 'd'], ['c', 'd']],
		[{ a: 'b' }, ['c'], ['c']],
		[{ a: 'foo' }, null, null],
		[{ a: 'foo' }, 'bar', 'bar'],
		[{ e: null }, { a: 1 }, { e: null, a: 1 }],
		[[1, 2], { a: 'b', c: null }, { a: 'b' }],
		[{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
	])('%j with %j is %j, but for null instead of nothing', (target, patch, result) => {
		expect(withoutNulls(merged(target, patch))).toEqual(withoutNulls(result));
	});

	test('keeps null for what is gone, also inside of what is new', () => {
		expect(merged({ drawing: 1, trade: null }, { drawing: null, trade: { with: 2, counter: null } })).toEqual({
			drawing: null,
			trade: { with: 2, counter: null },
		});
	});

	test('leaves the old value as it was', () => {
		const old = { hand: ['O', 'C'], score: { own: 1 } };
		merged(old, { score: { own: 2 }, hand: null });
		expect(old).toEqual({ hand: ['O', 'C'], score: { own: 1 } });
	});

	test('takes a strange name for a name', () => {
		const result = merged({}, JSON.parse('{"__proto__": {"polluted": 1}}')) as object;
		expect(Object.keys(result)).toEqual(['__proto__']);
		expect(({} as { polluted?: number }).polluted).toBeUndefined();
	});
});

const snapshot: Snapshot = {
	table: 'k3v',
	setup: {
		game: 'castle-builders',
		options: {},
		seats: [{ kind: 'open' }, { kind: 'open' }],
		shuffled: false,
		clock: { kind: 'none' },
		rated: false,
		public: true,
		undo: 'asked',
	},
	host: 7,
	viewer: 1,
	log: [{ seat: 0, action: 'O1' }],
	position: {
		game: 'castle-builders',
		seats: 2,
		ply: 1,
		turn: { kind: 'seat', seat: 1 },
		actions: [{ seat: 1, action: 'O2' }],
		scores: [0, 0],
		outcome: null,
		view: { hand: ['O'], towers: [1] },
	},
	version: 5,
	status: 'playing',
	seats: [
		{ user: 7, name: 'Ada', engine: null, taken_over: false },
		{ user: 8, name: 'Bo', engine: null, taken_over: false },
	],
	clocks: null,
	draw_offer: null,
	undo: null,
	ending: null,
	rematch: null,
};

const update = (more: Partial<Update>): Update => ({
	table: 'k3v',
	from: 5,
	version: 6,
	at: 0,
	events: [],
	turn: { kind: 'seat', seat: 0 },
	scores: [1, 2],
	...more,
});

describe('what a table has become', () => {
	const next = (more: Partial<Update>, from = snapshot): Snapshot => {
		const result = after(from, update(more));
		if (typeof result === 'string') throw new Error(result);
		return result;
	};

	test('actions are added, the view is changed and the offers are new', () => {
		const acted = next({ events: [{ type: 'acted', seat: 1, action: 'O2' }], view: { hand: null }, offers: [] });
		expect(acted.log).toEqual([{ seat: 0, action: 'O1' }, { seat: 1, action: 'O2' }]);
		expect(acted.position).toMatchObject({ ply: 2, turn: { kind: 'seat', seat: 0 }, scores: [1, 2], view: { hand: null, towers: [1] } });
		expect(acted.position.actions).toEqual([]);
		expect(acted.version).toBe(6);
		expect(snapshot.position.actions).toEqual([{ seat: 1, action: 'O2' }]);
	});

	test('an action without a seat was made by chance', () => {
		expect(next({ events: [{ type: 'acted', action: 'O' }] }).log.at(-1)).toEqual({ action: 'O' });
	});

	test('actions that are taken back are gone, and others follow', () => {
		const back = next({ events: [{ type: 'undone', ply: 0 }, { type: 'acted', seat: 0, action: 'C1' }] });
		expect(back.log).toEqual([{ seat: 0, action: 'C1' }]);
		expect(back.position.ply).toBe(1);
	});

	test('what is not mentioned stays, and null says that there is none now', () => {
		const offered = next({ draw_offer: 1, undo: { seat: 0, ply: 0, granted: [] } });
		const later = next({ from: 6, version: 7 }, offered);
		expect(later).toMatchObject({ draw_offer: 1, undo: { seat: 0 } });
		expect(next({ from: 6, version: 7, draw_offer: null, undo: null }, offered)).toMatchObject({ draw_offer: null, undo: null });
	});

	test('at one screen another seat looks, which is offered what it may do', () => {
		const handed = next({ viewer: 0, hand_over: 0, offers: ['C1'] });
		expect(handed).toMatchObject({ viewer: 0, hand_over: 0, position: { actions: [{ seat: 0, action: 'C1' }] } });
		expect(next({ from: 6, version: 7, hand_over: null }, handed)).toMatchObject({ viewer: 0, hand_over: null });
	});

	test('an end is there until it is taken back, and by the rules only where the game is over', () => {
		const ending = { winners: [0], reason: 'resigned' };
		const ended = next({ status: 'finished', ending });
		expect(ended).toMatchObject({ status: 'finished', ending, viewer: null, position: { outcome: null } });
		expect(next({ turn: { kind: 'over' }, status: 'finished', ending }).position.outcome).toEqual(ending);
		expect(next({ from: 6, version: 7, status: 'playing', ending: null, viewer: 1 }, ended)).toMatchObject({ ending: null, viewer: 1 });
	});

	test('what is known already changes nothing', () => {
		expect(after(snapshot, update({ from: 3, version: 5 }))).toBe('known');
	});

	test('what does not go on where we are asks for a new snapshot', () => {
		expect(after(snapshot, update({ from: 6, version: 7 }))).toBe('gap');
		expect(after(snapshot, update({ from: 4, version: 6 }))).toBe('gap');
		expect(after(snapshot, update({ events: [{ type: 'undone', ply: 9 }] }))).toBe('gap');
	});

	test('somebody sits where the server says', () => {
		expect(seatOf(snapshot.seats, 8)).toBe(1);
		expect(seatOf(snapshot.seats, 9)).toBeNull();
		expect(seatOf([{ user: null, name: null, engine: null, taken_over: false }], null)).toBeNull();
	});
});

test('a seat that was declined is for somebody else', () => {
	const kept = { ...snapshot.setup, seats: [{ kind: 'open' }, { kind: 'player', user: 8 }] } as Snapshot['setup'];
	const declined = update({ events: [{ type: 'declined', seat: 1 }] });
	const seats = (setup: Snapshot['setup']) => {
		const result = after({ ...snapshot, setup }, declined);
		return typeof result === 'string' ? result : result.setup.seats;
	};
	expect(seats({ ...kept, public: true })).toEqual([{ kind: 'open' }, { kind: 'open' }]);
	expect(seats({ ...kept, public: false })).toEqual([{ kind: 'open' }, { kind: 'invited' }]);
});

test('a remark is heard once, in its place', () => {
	const remark = (number: number): Remark => ({ number, user: 1, name: 'Ada', at: 0, text: String(number) });
	const first = heard([], [remark(2)]);
	expect(heard(first, [remark(2)])).toBe(first);
	expect(heard(first, [remark(3), remark(1), remark(3)]).map(({ number }) => number)).toEqual([1, 2, 3]);
});

describe('the live connection', () => {
	test('the pauses between attempts grow from half a second to a quarter of a minute', () => {
		expect(pauseBefore(0, 1)).toBe(500);
		expect(pauseBefore(1, 1)).toBe(1000);
		expect(pauseBefore(3, 1)).toBe(4000);
		expect(pauseBefore(9, 1)).toBe(15_000);
		expect(pauseBefore(9999, 1)).toBe(15_000);
		for (let attempt = 0; attempt < 30; attempt += 1) {
			expect(pauseBefore(attempt, 0)).toBeGreaterThanOrEqual(500);
			expect(pauseBefore(attempt, 0)).toBeLessThanOrEqual(pauseBefore(attempt, 1));
		}
	});

	test('what is no message of the server is not understood', () => {
		for (const text of [
			'',
			'nonsense',
			'null',
			'[]',
			'"welcome"',
			'{}',
			'{"type":"toString"}',
			'{"type":"surprise"}',
			'{"type":"welcome","protocol":1}',
			'{"type":"update","table":"k3v","from":1}',
			JSON.stringify({ ...snapshot, type: 'snapshot', log: 'all' }),
			JSON.stringify({ ...snapshot, type: 'snapshot', position: { ...snapshot.position, turn: null } }),
			new ArrayBuffer(3),
		]) {
			expect(understood(text), String(text)).toBeNull();
		}
	});

	test('what is one, is', () => {
		const messages: Message[] = [
			{ type: 'welcome', protocol: 2, user: null, now: 1 },
			{ type: 'done', id: 'a' },
			{ type: 'refused', code: 'malformed', reason: 'no' },
			{ type: 'snapshot', ...snapshot },
			{ type: 'update', ...update({}) },
			{ type: 'closing', reason: 'bye' },
		];
		for (const message of messages) expect(understood(JSON.stringify(message))).toEqual(message);
	});

	const act = { type: 'command', id: 'a', table: 'k3v', command: { type: 'act', action: 'O1', ply: 0 } } as const;
	const watch = { type: 'watch', id: 'b', table: 'k3v', invitation: null, since: null, heard: null } as const;

	test('a command waits over lost connections until it is answered; other requests do not', async () => {
		const requests = new Requests();
		const done = requests.add(act, { sure: true });
		const watched = requests.add(watch, { sure: false });
		requests.lost();
		await expect(watched).rejects.toMatchObject({ code: 'internal' });
		expect(requests.again()).toEqual([act]);
		requests.answer({ type: 'done', id: 'a', version: 6 });
		await expect(done).resolves.toMatchObject({ version: 6 });
		expect(requests.again()).toEqual([]);
	});

	test('who does not know whether something was done says it again with the same id', async () => {
		const requests = new Requests();
		const done = requests.add(act, { sure: true });
		expect(requests.answer({ type: 'refused', id: 'a', code: 'unknown', reason: '' })).toEqual(act);
		expect(requests.has('a')).toBe(true);
		requests.answer({ type: 'refused', id: 'a', code: 'not_allowed', reason: 'it is not your turn' });
		await expect(done).rejects.toEqual(new Denied('not_allowed', 'it is not your turn'));
	});

	test('answers to nothing are left alone', () => {
		const requests = new Requests();
		expect(requests.answer({ type: 'done', id: 'z' })).toBeNull();
		expect(requests.answer({ type: 'refused', code: 'malformed', reason: '' })).toBeNull();
	});

	test('ids are short, and new in every run', () => {
		const [one, other] = [ids(), ids()];
		const all = new Set([one(), one(), other(), other()]);
		expect(all.size).toBe(4);
		for (const id of all) expect(id.length).toBeLessThanOrEqual(64);
	});
});

const table: Listing = {
	table: 'k3v',
	host: 7,
	game: 'trexo',
	options: {},
	status: 'finished',
	public: true,
	rated: true,
	clock: 'blitz',
	created: 0,
	changed: 0,
	seats: [{ user: 7, name: 'Ada' }, { user: 8, name: 'Bo' }],
	kept: [null, null],
	winners: [1],
};

test('how a game ended depends on who asks', () => {
	expect(resultFor(table, 8)).toBe('won');
	expect(resultFor(table, 7)).toBe('lost');
	expect(resultFor(table, 9)).toBeNull();
	expect(resultFor({ ...table, winners: [] }, 7)).toBe('drawn');
	expect(resultFor({ ...table, status: 'playing', winners: null }, 7)).toBeNull();
	expect(course(['won', 'won', 'drawn', 'lost']).map(({ height }) => height)).toEqual([1, 2, 2, 1]);
});

test('a QR code has its three finder patterns and nothing outside', () => {
	const { size, path } = qr('https://example.org/table/abc?invitation=def');
	expect((size - 17) % 4).toBe(0);
	for (const corner of ['M0 0h7v1h-7z', `M${size - 7} 0h7v1h-7z`, `M0 ${size - 1}h7v1h-7z`]) expect(path).toContain(corner);
	const ends = Array.from(path.matchAll(/M(\d+) (\d+)h(\d+)/g), ([, column, row, length]) => [Number(column) + Number(length), Number(row)]);
	expect(ends.every(([right, row]) => right! <= size && row! < size)).toBe(true);
});

test('of my tables those come first where something is to be done', () => {
	const at = (name: string, more: Partial<Listing>, myTurn = false) => ({ table: { ...table, table: name, ...more }, myTurn });
	const all = [
		at('open', { status: 'open', changed: 9 }),
		at('theirs', { status: 'playing', changed: 8 }),
		at('kept', { status: 'open', kept: [null, 7], changed: 1 }),
		at('mine, old', { status: 'playing', changed: 2 }, true),
		at('mine, new', { status: 'playing', changed: 3 }, true),
	];
	expect(inOrder(all, 7).map(({ table }) => table.table)).toEqual(['mine, new', 'mine, old', 'kept', 'theirs', 'open']);
	expect(isTurnOf(snapshot, 8)).toBe(true);
	expect(isTurnOf(snapshot, 7)).toBe(false);
	expect(isTurnOf({ ...snapshot, status: 'finished' }, 8)).toBe(false);
});

describe('a table that is planned', () => {
	const plan: Plan = {
		game: 'mod-x',
		seats: [
			{ who: 'me', name: '' },
			{ who: 'engine:club', name: '' },
			{ who: 'player', name: ' Bo ' },
			{ who: 'invited', name: 'forgotten' },
		],
		options: { teams: true },
		clock: 'real_time',
		minutes: 2.5,
		increment: 3,
		days: 4,
		rated: true,
		public: false,
		undo: false,
		shuffled: true,
	};

	test('becomes the setup that the server is asked for', () => {
		expect(setupOf(plan, 7, (name) => (name === 'Bo' ? 8 : 0))).toEqual({
			game: 'mod-x',
			options: { teams: true },
			seats: [{ kind: 'player', user: 7 }, { kind: 'engine', level: 'club' }, { kind: 'player', user: 8 }, { kind: 'invited' }],
			shuffled: true,
			clock: { kind: 'real_time', seconds: 150, increment: 3 },
			rated: false,
			public: false,
			undo: 'never',
		});
	});

	test('is rated only without the engine, and with a clock', () => {
		const people: Plan = { ...plan, seats: [{ who: 'me', name: '' }, { who: 'open', name: '' }] };
		expect(setupOf(people, 7, () => 0).rated).toBe(true);
		expect(setupOf({ ...people, clock: 'none' }, 7, () => 0).rated).toBe(false);
	});

	test('keeps those who are there when seats are added', () => {
		expect(seated([{ who: 'open', name: '' }], 3, 'invited').map(({ who }) => who)).toEqual(['open', 'invited', 'invited']);
		expect(seated([], 2, 'open').map(({ who }) => who)).toEqual(['me', 'open']);
	});
});

test('a search asks for results and opponents only with a player, and its last day counts', () => {
	expect(searchOf({ opponent: 'Bo', result: 'won' })).toMatchObject({ status: 'finished', opponent: undefined, result: undefined });
	expect(searchOf({ player: ' Ada ', opponent: 'Bo', result: 'won' })).toMatchObject({ player: 'Ada', opponent: 'Bo', result: 'won' });
	expect(searchOf({ player: 'Ada', result: 'nonsense', status: 'nonsense' })).toMatchObject({ result: undefined, status: 'finished' });
	const { from, before } = searchOf({ from: '2026-11-16', to: '2026-11-16' });
	expect(before! - from!).toBe(24 * 60 * 60 * 1000);
	expect(searchOf({ from: 'yesterday' }).from).toBeUndefined();
	expect(addressOf({ game: 'trexo', player: 'Ada & Bo', opponent: ' ' })).toBe('/search?game=trexo&player=Ada+%26+Bo');
	expect(addressOf({})).toBe('/search');
});

test('a session is called by browser and system, and a program by its own name', () => {
	expect(deviceOf('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')).toBe('Firefox, Linux');
	expect(deviceOf('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1')).toBe('Safari, iOS');
	expect(deviceOf('curl/8.1')).toBe('curl/8.1');
});
