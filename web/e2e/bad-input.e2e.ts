// Links, files and servers that make no sense: each is answered with a sentence and a way on, never with an empty page.

import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { join, setUp } from './support/online';
import { closeBrowser, Person } from './support/person';
import { wholeExample } from './support/scenes';
import { Server } from './support/server';

const server = new Server();
beforeAll(() => server.start());
afterAll(async () => {
	await closeBrowser();
	await server.close();
});

/** A page that says something and leads on: it has words, and something in it can be pressed. Nothing failed unseen. */
async function leadsOn({ page, troubles }: Person, words: RegExp = /\w+ \w+/): Promise<void> {
	await page.locator('main', { hasText: words }).waitFor();
	await page.locator('main :is(a[href], button):visible').first().waitFor();
	expect(await page.locator('main').innerText()).toMatch(/[A-Z][^.]+ [^.]+\.?/);
	expect(troubles).toEqual([]);
}

const garbage = (text: string) => Buffer.from(text).toString('base64url');

const links: [path: string, words: RegExp][] = [
	['/nowhere', /There is nothing at this address/],
	['/table/%E0', /There is nothing at this address|cannot be opened/],
	['/table/nonsense', /cannot be opened/],
	['/table/nonsense?invitation=%00%ff', /cannot be opened|There is nothing/],
	['/here/unknown', /is not in this browser/],
	['/new/unknown', /There is no such game/],
	['/learn/unknown', /There is no game called unknown/],
	['/learn/unknown/lesson', /There is no game called unknown/],
	['/learn/trexo/nonsense', /There is nothing at this address/],
	['/player/nobody', /nobody/],
	['/player/%F0%9F%92%A9', /💩|nobody/],
	['/online/new?game=unknown', /Game/],
	['/online/new?player=%3Cscript%3E', /Game/],
	['/review#r=garbage', /cannot be shown/],
	['/review#r=%%%', /cannot be shown/],
	[`/review#r=${garbage('no record at all')}`, /cannot be shown/],
	['/review#kept=unknown', /no longer kept/],
	['/review#nonsense=1', /names no game/],
	['/ranks?game=unknown&class=what', /\w+/],
	['/search?game=%FF&from=abc&before=-1', /\w+/],
];

/** Opens all links, one after the other. */
let visitor: Person | undefined;

for (const [path, words] of links) {
	test(`the link ${path} shows a sentence and a way on`, async () => {
		visitor ??= await Person.arrive(server.address);
		// Addresses that differ in their fragment alone would not be loaded anew.
		await visitor.page.goto('about:blank');
		const answer = await visitor.page.goto(server.address + path);
		expect(answer?.status() ?? 200).toBeLessThan(500);
		await leadsOn(visitor, words);
	});
}

test('a place in a game that makes no sense is as good as none', async () => {
	const [anna, ben] = [await Person.arrive(server.address), await Person.arrive(server.address)];
	const link = await setUp(anna, 'Anna', { game: 'trexo' });
	await join(ben, 'Ben', link);
	await ben.page.locator('.trexo [data-square]').first().waitFor();
	const table = new URL(link);
	for (const ply of ['abc', '-1', '1e9', '99999']) {
		await ben.page.goto(`${table.href}&ply=${ply}`);
		await leadsOn(ben);
		await ben.page.locator('.trexo [data-square]').first().waitFor();
	}
	for (const person of [anna, ben]) await person.leave();
});

const record = wholeExample('trexo');
const files: [what: string, content: Buffer, words: RegExp][] = [
	['an empty file', Buffer.from(''), /cannot be shown/],
	['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0xff, 0xfe, 0, 1]), /cannot be shown/],
	['a record of an unknown game', Buffer.from(record.replace('Game: trexo', 'Game: chess')), /cannot be shown/],
	['a record with a wrong line', Buffer.from(record.replace(/^0: .*$/m, '0: z99z99')), /line \d+|cannot be shown/],
	['a record with an impossible move', Buffer.from(record.replace(/^1: .*$/m, '1: f5g5')), /line \d+|cannot be shown/],
	['half a header', Buffer.from('Game'), /cannot be shown/],
	['three megabytes', Buffer.alloc(3_000_000, 'Game: trexo\n'), /longer than 1 MiB/],
];

for (const [what, buffer, words] of files) {
	test(`${what} instead of a record is refused with a sentence`, async () => {
		const person = await Person.arrive(server.address);
		const { page } = person;
		await person.goTo('/review');
		await page.locator('main input[type=file]').setInputFiles({ name: 'game.txt', mimeType: 'text/plain', buffer });
		await page.locator('main [role=alert]', { hasText: /\w+ \w+/ }).waitFor();
		await leadsOn(person, words);
		// The next try may be a good one.
		await page.locator('main input[type=file]').setInputFiles({ name: 'game.txt', mimeType: 'text/plain', buffer: Buffer.from(record) });
		await page.getByRole('slider', { name: 'Place in the game' }).waitFor();
		await person.leave();
	});
}

const json = 'application/json';
const answers: Record<string, (route: Route) => Promise<void>> = {
	'with a page': (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Hello</title>' }),
	'with half a message': (route) => route.fulfill({ contentType: json, body: '{"tables": [{"table": "a' }),
	'with an error': (route) => route.fulfill({ status: 500, body: 'Internal Server Error' }),
	'with an error that has no shape': (route) => route.fulfill({ status: 400, contentType: json, body: '[1, 2, {"reason": 3}]' }),
	'with something else': (route) => route.fulfill({ contentType: json, body: '{"tables": 7, "games": null, "id": "x", "name": []}' }),
	'with nothing': (route) => route.fulfill({ contentType: json, body: 'null' }),
	'not at all': (route) => route.abort('connectionrefused'),
};

for (const [how, answer] of Object.entries(answers)) {
	test(`a server that answers ${how} leaves no page empty`, async () => {
		const person = await Person.arrive(server.address, { serviceWorkers: 'block' });
		await person.context.route('**/api/**', answer);
		await person.context.routeWebSocket('**/api/live', (socket) => socket.close());
		for (const path of ['/online', '/online/new', '/table/abc', '/games', '/player/anna', '/ranks', '/search', '/me']) {
			await person.goTo(path);
			await person.page.getByText('One moment.').waitFor({ state: 'detached' });
			await leadsOn(person);
		}
		// What needs no server is as it always was.
		await person.goTo('/');
		await person.page.locator('[data-play=trexo]').click();
		await person.page.locator('.trexo').waitFor();
		expect(person.troubles).toEqual([]);
		await person.leave();
	});
}

test('a server that never answers is given up with a sentence', async () => {
	const person = await Person.arrive(server.address, { serviceWorkers: 'block' });
	await person.context.route('**/api/**', () => undefined);
	await person.goTo('/ranks');
	await leadsOn(person, /takes too long|cannot be reached/);
	await person.page.getByRole('button', { name: 'Try again' }).waitFor();
	await person.leave();
});

/** A connection that says these things instead of what the server says. */
async function hears(page: Page, messages: readonly (string | Buffer)[]): Promise<void> {
	await page.routeWebSocket('**/api/live', (socket) => {
		const far = socket.connectToServer();
		far.onMessage((message) => {
			for (const nonsense of messages) socket.send(nonsense);
			socket.send(message);
		});
	});
}

test('nonsense over the connection is passed over, and the game goes on', async () => {
	const [anna, ben] = [await Person.arrive(server.address), await Person.arrive(server.address)];
	const table = '00000000-0000-0000-0000-000000000000';
	await hears(ben.page, [
		'',
		'garbage',
		'{',
		'null',
		'[]',
		'7',
		'{"type": "unknown"}',
		'{"type": "snapshot"}',
		`{"type": "update", "table": "${table}", "version": "x"}`,
		'{"type": "welcome"}',
		'{"type": "done"}',
		'{"type": "listed", "table": 5}',
		Buffer.from([0, 255, 1, 254]),
	]);
	const link = await setUp(anna, 'Anna', { game: 'mod-x' });
	await join(ben, 'Ben', link);
	await ben.page.locator('.mod-x [data-square]').first().waitFor();
	await anna.page.locator('.mod-x [data-square=d4]').click();
	await ben.page.locator('.log li', { hasText: '*d4' }).waitFor();
	for (const person of [anna, ben]) {
		expect(person.troubles).toEqual([]);
		await person.leave();
	}
});

test('a server that speaks another version of the protocol is met with a sentence', async () => {
	const anna = await Person.arrive(server.address);
	await anna.page.routeWebSocket('**/api/live', (socket) => {
		const far = socket.connectToServer();
		far.onMessage((message) => socket.send(String(message).replace(/"protocol":\d+/, '"protocol":99')));
	});
	await setUp(anna, 'Anna', { game: 'mod-x' });
	await leadsOn(anna, /newer/);
	await anna.leave();
});

test('a connection that breaks off again and again says so, and the page stays', async () => {
	const [anna, ben] = [await Person.arrive(server.address), await Person.arrive(server.address)];
	let broken = false;
	await ben.page.routeWebSocket('**/api/live', (socket) => {
		if (broken) void socket.close({ code: 1011 });
		else {
			const far = socket.connectToServer();
			far.onMessage((message) => (broken ? void socket.close({ code: 1011 }) : socket.send(message)));
		}
	});
	const link = await setUp(anna, 'Anna', { game: 'mod-x' });
	await join(ben, 'Ben', link);
	for (const { page } of [anna, ben]) await page.locator('.mod-x [data-square]').first().waitFor();
	broken = true;
	await anna.page.locator('.mod-x [data-square=d4]').click();
	await ben.page.getByText('The connection is lost.').waitFor();
	await ben.page.locator('.mod-x [data-square]').first().waitFor();
	broken = false;
	await ben.page.locator('.log li', { hasText: '*d4' }).waitFor({ timeout: 60_000 });
	for (const person of [anna, ben]) {
		expect(person.troubles).toEqual([]);
		await person.leave();
	}
});
