// What a browser has to fetch before somebody can play.

import { get } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeBrowser, Person } from './support/person';
import { Server } from './support/server';

const server = new Server();
beforeAll(() => server.start());
afterAll(async () => {
	await closeBrowser();
	await server.close();
});

/** How many bytes the server sends for a file to a browser that understands gzip. */
function sent(url: string): Promise<number> {
	return new Promise((done, failed) => {
		get(url, { headers: { 'accept-encoding': 'gzip' } }, (answer) => {
			if (answer.headers['content-encoding'] !== 'gzip') return failed(new Error(`${url} is not compressed`));
			let bytes = 0;
			answer.on('data', (part: Buffer) => (bytes += part.length));
			answer.on('end', () => done(bytes));
		}).on('error', failed);
	});
}

test('the home page takes at most 120 kB of script and 1 MB of rules and engine, compressed', async () => {
	const person = await Person.arrive(server.address, { serviceWorkers: 'block' });
	const asked = new Set<string>();
	person.context.on('request', (request) => asked.add(request.url()));
	await person.goTo('/');
	await person.page.locator('[data-play]').nth(4).waitFor();
	await person.page.waitForLoadState('networkidle');
	const size = async (ending: string) => {
		const files = [...asked].filter((url) => new URL(url).pathname.endsWith(ending));
		expect(files.length, ending).toBeGreaterThan(0);
		return (await Promise.all(files.map(sent))).reduce((sum, bytes) => sum + bytes, 0);
	};
	expect(await size('.js')).toBeLessThanOrEqual(120_000);
	expect(await size('.wasm')).toBeLessThanOrEqual(1_000_000);
	await person.leave();
});

test('a file with a hash in its name is kept by the browser, the page itself is not', async () => {
	const headers = (path: string) => fetch(server.address + path).then((answer) => answer.headers);
	const script = /src="(\/assets\/[^"]+\.js)"/.exec(await (await fetch(server.address)).text())?.[1] ?? '';
	expect((await headers(script)).get('cache-control')).toContain('immutable');
	expect((await headers('/')).get('cache-control')).not.toContain('immutable');
});
