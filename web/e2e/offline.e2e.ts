// Against the computer, with the network cut after the page was loaded.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { act } from './support/boards';
import { closeBrowser, Person } from './support/person';
import { Server } from './support/server';
import { agree, games, short } from './support/setup';
import { picker, pickKind, turn, type Pick } from './support/table';
import { inWords, listed, playOut, say, type } from './support/words';

const server = new Server();
beforeAll(() => server.start());
afterAll(async () => {
	await closeBrowser();
	await server.close();
});

/** Somebody who has everything that is needed without a network, and then has none. */
async function cutOff(): Promise<Person> {
	const person = await Person.arrive(server.address);
	await person.goTo('/');
	await person.page.evaluate(async () => {
		await navigator.serviceWorker.ready;
		while (!navigator.serviceWorker.controller) await new Promise((done) => setTimeout(done, 50));
	});
	await person.context.setOffline(true);
	return person;
}

async function begin(page: Page, address: string, options: Record<string, string>): Promise<void> {
	await page.goto(address);
	await page.locator('#who-1').selectOption('novice');
	await agree(page, options);
	await page.getByRole('button', { name: 'Begin' }).click();
}

/** So many own moves with the pointer; a game that is over before is followed by another one. */
async function byPointer(page: Page, game: string, pick: Pick, many: number): Promise<void> {
	for (let moves = 0; moves < many; moves += 1) {
		let seen = await turn(page);
		while (seen.over) {
			const before = page.url();
			await page.getByRole('button', { name: 'Play again' }).click();
			await page.waitForURL((url) => url.href !== before);
			seen = await turn(page);
		}
		await act(page, game, pickKind(seen.offers, pick), seen);
	}
}

for (const game of games) {
	test(`${game} is played on its drawn board and then in words to its end, without a network`, async () => {
		const person = await cutOff();
		const { page } = person;
		const pick = picker(game.length);
		await begin(page, `${server.address}/new/${game}`, game === 'trexo' ? {} : (short[game] ?? {}));
		await byPointer(page, game, pick, 10);
		await inWords(page);
		await playOut(page, pick);
		expect(await page.locator('.result').textContent()).toMatch(/won|draw/i);
		expect(person.troubles).toEqual([]);
		await person.leave();
	});
}

test('what may be done is listed in text mode, and a move that may not is refused with a sentence', async () => {
	const person = await cutOff();
	const { page } = person;
	await person.choose({ textMode: true });
	await begin(page, `${server.address}/new/mod-x`, {});
	const seen = await turn(page);
	expect((await listed(page)).sort()).toEqual([...seen.offers].sort());
	await say(page, '*d4', seen.position.ply);
	const { position } = await turn(page);
	expect(await type(page, '*d4')).toMatch(/^\w+ .+\.$/);
	expect((await turn(page)).position.ply).toBe(position.ply);
	expect(person.troubles).toEqual([]);
	await person.leave();
});
