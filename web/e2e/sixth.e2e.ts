// A made-up sixth game, which only the tests' module of the rules knows: the client plays it unchanged, at the plain board.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeBrowser, Person } from './support/person';
import { Server } from './support/server';

/** The module with the sixth game, as `cargo xtask test` builds it. */
const module = process.env['QUINCUNX_SIXTH'];

const server = new Server();
beforeAll(() => server.start());
afterAll(async () => {
	await closeBrowser();
	await server.close();
});

test.skipIf(!module)('a sixth game is found on the first page and played to its end against the computer', async () => {
	const person = await Person.arrive(server.address, { serviceWorkers: 'block' });
	const { page } = person;
	await page.route('**/*.wasm', (route) => route.fulfill({ path: module!, contentType: 'application/wasm' }));
	await person.goTo('/');
	const play = page.locator('[data-play=pebbles]');
	await play.waitFor();
	expect(await page.locator('[data-play]').count()).toBe(6);
	await play.click();

	const action = page.locator('.plain ul button').first();
	const over = page.locator('.result');
	let moves = 0;
	for (;;) {
		await over.or(action).first().waitFor();
		if ((await over.count()) > 0) break;
		const before = await page.locator('.log .steps .figures').textContent();
		await action.click();
		await page.waitForFunction((before) => document.querySelector('.log .steps .figures')?.textContent !== before, before);
		moves += 1;
	}
	expect(moves).toBeGreaterThan(1);
	expect(await over.textContent()).toMatch(/won|draw/i);
	// What belongs to any game is there, too.
	await page.getByRole('button', { name: 'One back' }).click();
	expect(await page.locator('.earlier').textContent()).toContain('After');
	expect(person.troubles).toEqual([]);
	await person.leave();
});
