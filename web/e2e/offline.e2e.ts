// Against the computer, with the network cut after the page was loaded.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeBrowser, Person } from './support/person';
import { Server } from './support/server';
import { picker, playOut } from './support/words';

const server = new Server();
beforeAll(() => server.start());
afterAll(async () => {
	await closeBrowser();
	await server.close();
});

/** Waits until everything that is needed without a network is kept in the browser. */
async function keepsAll(person: Person): Promise<void> {
	await person.page.evaluate(async () => {
		await navigator.serviceWorker.ready;
		const controlled = () => navigator.serviceWorker.controller !== null;
		while (!controlled()) await new Promise((done) => setTimeout(done, 50));
	});
}

/** Options that make a game short enough to be played out here. */
const short: Record<string, [name: string, value: string][]> = {
	figures: [['target', '5']],
	'x-marks-the-spot': [['turn_limit', '16']],
};

for (const game of ['trexo', 'mod-x', 'figures', 'castle-builders', 'x-marks-the-spot']) {
	test(`${game} is played to its end against the computer, without a network`, async () => {
		const person = await Person.arrive(server.address);
		await person.choose({ textMode: true });
		await person.goTo('/');
		await keepsAll(person);
		await person.context.setOffline(true);
		const { page } = person;
		await page.goto(`${server.address}/new/${game}`);
		await page.getByText('Rules of this table').click();
		for (const [name, value] of short[game] ?? []) await page.locator(`[name="${name}"]`).fill(value);
		await page.getByRole('button', { name: 'Begin' }).click();
		const moves = await playOut(page, picker(game.length));
		expect(moves).toBeGreaterThan(2);
		expect(await page.locator('.result').textContent()).toMatch(/won|draw/i);
		expect(person.troubles).toEqual([]);
		await person.leave();
	});
}
