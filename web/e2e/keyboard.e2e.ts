// Whole games with nothing but a keyboard, from the first page to the next game.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { press, tabTo } from './support/keys';
import { closeBrowser, Person } from './support/person';
import { Server } from './support/server';
import { games, short } from './support/setup';
import { beyond, picker, pickKind, turn } from './support/table';

const server = new Server();
beforeAll(() => server.start());
afterAll(async () => {
	await closeBrowser();
	await server.close();
});

/** Whatever a mouse or a finger did would be known. */
async function noPointer(page: Page): Promise<void> {
	await page.addInitScript(() => {
		for (const kind of ['pointerdown', 'mousemove', 'touchstart']) {
			addEventListener(kind, () => console.error('a pointer was used'), true);
		}
	});
}

async function setUp(page: Page, game: string): Promise<void> {
	await tabTo(page, `a[href="/new/${game}"]`);
	await page.keyboard.press('Enter');
	await page.locator('#who-1').waitFor();
	await tabTo(page, '#who-1');
	for (let tries = 0; tries < 8 && (await page.locator('#who-1').inputValue()) !== 'novice'; tries += 1) await page.keyboard.press('ArrowUp');
	await tabTo(page, 'summary', /^Rules of this table/);
	await page.keyboard.press('Enter');
	for (const [name, value] of Object.entries(short[game] ?? {})) {
		await tabTo(page, `input[id$=".${name}"]`);
		await page.keyboard.press('Control+A');
		await page.keyboard.type(value);
	}
	await tabTo(page, 'button', /^Begin$/);
	await page.keyboard.press('Enter');
}

async function inWords(page: Page): Promise<void> {
	await tabTo(page, 'header summary');
	await page.keyboard.press('Enter');
	for (let boxes = 0; boxes < 2; boxes += 1) {
		await page.keyboard.press('Tab');
		await tabTo(page, 'header input[type=checkbox]');
	}
	await page.keyboard.press('Space');
	await page.keyboard.press('Escape');
	await page.locator('#notation').waitFor();
}

for (const game of games) {
	test(`${game} is set up, played to its end and begun again by keyboard alone`, async () => {
		const person = await Person.arrive(server.address);
		const { page } = person;
		await noPointer(page);
		await person.goTo('/');
		await setUp(page, game);
		const pick = picker(game.length + 1);
		for (let moves = 0; ; moves += 1) {
			const seen = await turn(page);
			if (seen.over) break;
			if (moves < 10) {
				await press(page, game, pickKind(seen.offers, pick), seen);
				continue;
			}
			if ((await page.locator('#notation').count()) === 0) await inWords(page);
			await tabTo(page, '#notation');
			await page.keyboard.type(pick(seen.offers));
			await page.keyboard.press('Enter');
			await beyond(page, seen.position.ply);
		}
		expect(await page.locator('.result').textContent()).toMatch(/won|draw/i);
		const before = page.url();
		await tabTo(page, '.result button', /^Play again$/);
		await page.keyboard.press('Enter');
		await page.waitForURL((url) => /\/here\//.test(url.href) && url.href !== before);
		expect((await turn(page)).over).toBe(false);
		expect(person.troubles).toEqual([]);
		await person.leave();
	});
}

test('the focus is always to be seen on a board', async () => {
	const person = await Person.arrive(server.address);
	const { page } = person;
	for (const [game, stop] of [
		['trexo', '.trexo [data-square]'],
		['mod-x', '.mod-x [data-square]'],
		['figures', '.board [data-target]'],
		['castle-builders', '.frame [data-at]'],
		['x-marks-the-spot', '.x-marks [role=toolbar] button'],
	] as const) {
		await person.goTo('/');
		await tabTo(page, `[data-play="${game}"]`);
		await page.keyboard.press('Enter');
		await turn(page);
		await tabTo(page, stop);
		const before = await page.locator('.board').first().screenshot({ animations: 'disabled' });
		await page.evaluate(() => (document.activeElement as HTMLElement).blur());
		const after = await page.locator('.board').first().screenshot({ animations: 'disabled' });
		expect(before.equals(after), game).toBe(false);
	}
	await person.leave();
});
