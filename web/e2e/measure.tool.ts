// How soon the first board is seen and an action drawn, in a real browser on this machine: `npm run measure`.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import { act } from './support/boards';
import { closeBrowser, Person } from './support/person';
import { example, games, resume } from './support/scenes';
import { Server } from './support/server';
import { picker, turn } from './support/table';

const SAMPLES = 10;

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

test('first visit', async () => {
	const millis: number[] = [];
	for (let sample = 0; sample < SAMPLES; sample += 1) {
		// Everybody is new: nothing is kept from the visit before.
		const person = await Person.arrive(server.address);
		await person.page.goto(server.address, { waitUntil: 'commit' });
		millis.push(await untilSeen(person.page, '.games svg'));
		await person.leave();
	}
	note('first visit: a board on the first page', millis);
});

test('from the first page to a table', async () => {
	const millis: number[] = [];
	for (let sample = 0; sample < SAMPLES; sample += 1) {
		const person = await Person.arrive(server.address);
		await person.page.goto(server.address, { waitUntil: 'load' });
		const game = games[sample % games.length]!;
		await person.page.waitForSelector(`[data-play="${game}"]`);
		const pressed = await person.page.evaluate((game) => {
			const now = performance.now();
			document.querySelector<HTMLElement>(`[data-play="${game}"]`)!.click();
			return now;
		}, game);
		millis.push((await untilSeen(person.page, '.table .board svg')) - pressed);
		await person.leave();
	}
	note('from "Play" to the board of the table, nothing kept', millis);
});

type Watched = { pressed?: number; drawn?: number };

/** Notes when something was last pressed, and when the page had drawn the next line of the log. */
function watch(): void {
	const watched = globalThis as Watched;
	for (const kind of ['pointerup', 'click', 'keydown']) addEventListener(kind, () => (watched.pressed = performance.now()), true);
	const count = document.querySelector('.log .steps .figures');
	const drawn = () => requestAnimationFrame(() => (watched.drawn ??= performance.now()));
	if (count) new MutationObserver(drawn).observe(count, { characterData: true, childList: true, subtree: true });
}

for (const game of games) {
	test(`${game}: an action is drawn`, async () => {
		const millis: number[] = [];
		const pick = picker(5);
		for (let sample = 0; sample < SAMPLES; sample += 1) {
			const person = await Person.arrive(server.address);
			await resume(person, game, example(game));
			const { page } = person;
			const seen = await turn(page);
			await page.evaluate(watch);
			await act(page, game, pick(seen.offers), seen);
			millis.push(await page.evaluate(() => ((globalThis as Watched).drawn ?? 0) - ((globalThis as Watched).pressed ?? 0)));
			await person.leave();
		}
		note(`${game}: from the last press to the drawn action`, millis);
	});
}
