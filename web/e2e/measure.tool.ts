// How soon the first board is seen and an action drawn, in a real browser on this machine: `npm run measure`.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import { closeBrowser, Person } from './support/person';
import { example, games, resume } from './support/scenes';
import { Server } from './support/server';

const SAMPLES = 20;

const server = new Server();
const rows: { what: string; median: string; slowest: string }[] = [];
beforeAll(() => server.start());
afterAll(async () => {
	await closeBrowser();
	await server.close();
	console.table(rows);
});

function note(what: string, millis: number[]): void {
	const sorted = millis.toSorted((one, other) => one - other);
	const shown = (value = 0) => `${value.toFixed(0)} ms`;
	rows.push({ what, median: shown(sorted[sorted.length >> 1]), slowest: shown(sorted.at(-1)) });
}

/** From the start of the navigation until something was painted that fits. */
async function untilSeen(page: Page, sign: string): Promise<number> {
	return page.evaluate(
		(sign) =>
			new Promise<number>((done) => {
				const look = () => (document.querySelector(sign) ? requestAnimationFrame(() => done(performance.now())) : requestAnimationFrame(look));
				look();
			}),
		sign,
	);
}

for (const [what, path] of [['first visit: a board on the first page', '/']] as const) {
	test(what, async () => {
		const millis: number[] = [];
		for (let sample = 0; sample < SAMPLES; sample += 1) {
			// Everybody is new: nothing is kept from the visit before.
			const person = await Person.arrive(server.address);
			await person.page.goto(server.address + path, { waitUntil: 'commit' });
			millis.push(await untilSeen(person.page, '.games svg'));
			await person.leave();
		}
		note(what, millis);
	});
}

for (const game of games) {
	test(`${game}: from a move that is made to the moment at which it is drawn`, async () => {
		const millis: number[] = [];
		for (let sample = 0; sample < SAMPLES; sample += 1) {
			const person = await Person.arrive(server.address);
			await person.choose({ textMode: true });
			await resume(person, game, example(game));
			const { page } = person;
			await page.locator('.words details summary').click();
			await page.locator('.words .actions button').first().click();
			millis.push(
				await page.evaluate(
					() =>
						new Promise<number>((done) => {
							const count = () => document.querySelector('.log .steps .figures')?.textContent;
							const before = count();
							const start = performance.now();
							document.querySelector<HTMLButtonElement>('.words form button')?.click();
							const look = () => (count() === before ? requestAnimationFrame(look) : done(performance.now() - start));
							requestAnimationFrame(look);
						}),
				),
			);
			await person.leave();
		}
		note(`${game}: an action is drawn`, millis);
	});
}
