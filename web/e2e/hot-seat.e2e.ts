// Two people with secrets at one screen: it is handed over, and shows nothing in between.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { View as Castle } from '../src/generated/views/castle-builders';
import type { View as Marks } from '../src/generated/views/x-marks-the-spot';
import { cardName, move } from './support/boards';
import { closeBrowser, Person } from './support/person';
import { Server } from './support/server';
import { agree, short } from './support/setup';
import { made, picker, turnOrHandOver, type Seen } from './support/table';
import { inWords, type } from './support/words';

const server = new Server();
beforeAll(() => server.start());
afterAll(async () => {
	await closeBrowser();
	await server.close();
});

/** The cards that the log names. A card that was dealt or drawn stands there for who got it alone; others read `+?`. */
async function drawn(page: Page): Promise<string[]> {
	const lines = await page.locator('.log li button').evaluateAll((all) => all.map((line) => line.lastElementChild?.textContent ?? ''));
	return lines.filter(named);
}
const named = (line: string) => /^(\+|flag:)/.test(line) && !line.endsWith('?');

/** While the screen changes hands, no card of anybody is anywhere in the page. */
async function nothingShown(page: Page): Promise<void> {
	expect(await page.locator('[data-at], .x-marks, .words, [role=toolbar]').count()).toBe(0);
	expect(await drawn(page)).toEqual([]);
}

/** The one who looks sees the own hand, and of the other one's that there is one. */
async function ownHandOnly(page: Page, game: string, { me, position, log }: Seen): Promise<void> {
	expect(await drawn(page)).toEqual(log.map(({ action }) => action).filter(named));
	if (game === 'castle-builders') {
		const { players } = position.view as Castle;
		const shown = await page.locator('.tray [data-at^=hand-]').evaluateAll((all) => all.map((one) => one.getAttribute('data-at')?.[5]));
		expect(shown.sort()).toEqual([...(players[me]?.hand ?? [])].sort());
		expect(await page.locator('.tray .other').getAttribute('aria-label')).toMatch(/: (\d hidden counters?|empty)$/);
	} else {
		const { players } = position.view as Marks;
		const hand = page.locator('.x-marks [role=toolbar] button');
		const shown = await hand.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')?.split(':')[0]));
		expect(shown.sort()).toEqual((players[me]?.hand ?? []).map(cardName).sort());
	}
}

for (const game of ['castle-builders', 'x-marks-the-spot']) {
	test(`two people play ${game} at one screen to the end, and neither ever sees a card of the other`, async () => {
		const person = await Person.arrive(server.address);
		const { page } = person;
		await person.goTo(`/new/${game}`);
		await page.getByRole('button', { name: 'Together at this screen' }).click();
		for (const [seat, name] of ['Anna', 'Ben'].entries()) await page.getByLabel('Name').nth(seat).fill(name);
		await agree(page, short[game] ?? {});
		await page.getByRole('button', { name: 'Begin' }).click();

		const pick = picker(11);
		let handed = 0;
		for (let moves = 0; ; moves += 1) {
			const over = page.getByRole('alertdialog');
			await over.or(page.locator('.result')).or(page.locator('.board [data-at], .x-marks, .words')).first().waitFor();
			if ((await over.count()) > 0) {
				handed += 1;
				await nothingShown(page);
				await over.getByRole('button', { name: handed % 2 === 1 ? 'I am Anna' : 'I am Ben' }).click();
				await over.waitFor({ state: 'detached' });
			}
			const now = await turnOrHandOver(page);
			if (now === 'handed over') continue;
			if (now.over) break;
			if (moves < 16) {
				await ownHandOnly(page, game, now);
				await move(page, game, pick(now.offers), now);
			} else {
				if ((await page.locator('#notation').count()) === 0) await inWords(page);
				expect(await type(page, pick(now.offers))).toBe('');
			}
			await made(page, now.position.ply);
		}
		expect(handed).toBeGreaterThan(6);
		expect(await page.locator('.result').textContent()).toMatch(/Anna|Ben|draw/);
		expect(person.troubles).toEqual([]);
		await person.leave();
	});
}
