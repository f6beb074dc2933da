// How much has to be loaded before a game starts. Sizes only: how long something takes is measured by `npm run measure`.

import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeBrowser, Person } from './support/person';
import { Server } from './support/server';

const server = new Server();
beforeAll(() => server.start());
afterAll(async () => {
	await closeBrowser();
	await server.close();
});

/** The compressed sizes of all files of a kind that the first page asks for before anything is pressed. */
async function loaded(kind: RegExp): Promise<Map<string, number>> {
	const person = await Person.arrive(server.address, { serviceWorkers: 'block' });
	const sizes = new Map<string, number>();
	person.page.on('response', async (response) => {
		const { pathname } = new URL(response.url());
		if (kind.test(pathname)) sizes.set(pathname, gzipSync(await response.body(), { level: 9 }).length);
	});
	await person.goTo('/');
	await person.page.locator('.games svg').nth(4).waitFor();
	await person.page.waitForLoadState('networkidle');
	await person.leave();
	return sizes;
}

const sum = (sizes: Map<string, number>) => [...sizes.values()].reduce((all, size) => all + size, 0);

test('at most 116 kB of compressed script are loaded before a game starts', async () => {
	const scripts = await loaded(/\.js$/);
	expect(scripts.size).toBeGreaterThan(3);
	expect(sum(scripts), JSON.stringify([...scripts])).toBeLessThanOrEqual(116_000);
});

test('the rules and the engines are at most 710 kB, compressed', async () => {
	const modules = await loaded(/\.wasm$/);
	expect(modules.size).toBe(1);
	expect(sum(modules)).toBeLessThanOrEqual(710_000);
});
