// A game is looked at again: step by step, with the engine, with other moves, and by somebody else.

import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { move } from './support/boards';
import { closeBrowser, Person } from './support/person';
import { resume, wholeExample } from './support/scenes';
import { Server } from './support/server';
import { call } from './support/table';
import type { Opened } from '../src/generated/types';

const server = new Server();
beforeAll(() => server.start());
afterAll(async () => {
	await closeBrowser();
	await server.close();
});

const record = wholeExample('trexo');
const { plies, tiles } = (() => {
	const { session, position } = call('load', { record }) as Opened;
	call('close', { session });
	return { plies: position.ply, tiles: [...record.matchAll(/^[01]: (\w+)$/gm)].map(([, tile]) => tile ?? '') };
})();

const slider = (page: Page) => page.getByRole('slider', { name: 'Place in the game' });
const place = (page: Page) => page.locator('.steps .count');

async function opened(): Promise<Person> {
	const person = await Person.arrive(server.address, { acceptDownloads: true });
	await resume(person, 'trexo', record);
	await person.page.locator('.result').getByRole('button', { name: 'Review' }).click();
	await slider(person.page).waitFor();
	return person;
}

/** Waits until the page is at a place of the game and has drawn it. */
async function at(page: Page, ply: number): Promise<void> {
	await place(page).getByText(`${ply} / ${plies}`, { exact: true }).waitFor();
	const last = tiles[ply - 1];
	if (last) await page.locator('.remark', { hasText: `X on ${last.slice(0, last.length / 2)}` }).waitFor();
}

test('one goes through a game with the slider, the buttons, the keys and the list', async () => {
	const person = await opened();
	const { page } = person;
	await place(page).getByText(`${plies} / ${plies}`).waitFor();
	await slider(page).fill('5');
	await at(page, 5);
	await slider(page).press('ArrowRight');
	await at(page, 6);
	await page.locator('h1').click();
	await page.keyboard.press('ArrowLeft');
	await at(page, 5);
	await page.keyboard.press('ArrowRight');
	await page.keyboard.press('ArrowRight');
	await at(page, 7);
	await page.keyboard.press('Home');
	await place(page).getByText(`0 / ${plies}`, { exact: true }).waitFor();
	await page.keyboard.press('End');
	await place(page).getByText(`${plies} / ${plies}`).waitFor();
	await page.getByRole('button', { name: 'To the beginning' }).click();
	await page.getByRole('button', { name: 'One on' }).click();
	await at(page, 1);
	await page.locator('.moves li button').nth(9).click();
	await at(page, 10);
	await page.getByRole('button', { name: 'Play on' }).click();
	await at(page, 11);
	await page.getByRole('button', { name: 'Pause' }).click();
	expect(person.troubles).toEqual([]);
	await person.leave();
});

test('the engine goes through the whole game and shows its course and where it turned', async () => {
	const person = await opened();
	const { page } = person;
	await page.getByLabel('How thoroughly').selectOption('quick');
	await page.getByRole('button', { name: 'Analyse' }).click();
	await page.getByRole('button', { name: 'Analyse again' }).waitFor({ timeout: 120_000 });
	const graph = page.getByRole('slider', { name: 'Chances to win' });
	expect(await graph.locator('path.line').count()).toBe(2);
	// Who has won has all chances at the end.
	expect(await graph.getAttribute('aria-valuetext')).toMatch(/100\s?%/);
	const turns = page.locator('section[aria-labelledby=analysis] li button');
	expect(await turns.count()).toBeGreaterThan(0);
	const [, ply = ''] = /(\d+)\. /.exec((await turns.first().textContent()) ?? '') ?? [];
	await turns.first().click();
	await place(page).getByText(`${Number(ply) - 1} / ${plies}`, { exact: true }).waitFor();
	await page.locator('.remark', { hasText: 'Better' }).waitFor();
	await page.getByRole('button', { name: 'As a table' }).click();
	expect(await page.locator('section[aria-labelledby=analysis] tbody tr').count()).toBe(plies);
	expect(await page.locator('.accuracy').allTextContents()).toEqual([expect.stringMatching(/Accuracy \d+\s?%/), expect.stringMatching(/Accuracy \d+\s?%/)]);
	// Every action of this game has a mark, also a good one.
	expect(await page.locator('.moves .verdict').count()).toBe(plies);
	// One press, and the better line is played on the board.
	await page.getByRole('button', { name: /Show the better line|Try the better move/ }).click();
	await page.locator('.branch .tried', { hasText: /[a-z]\d/ }).first().waitFor();
	await page.getByRole('button', { name: 'Back to the game' }).click();
	await place(page).getByText(`${Number(ply) - 1} / ${plies}`, { exact: true }).waitFor();
	expect(person.troubles).toEqual([]);
	await person.leave();
});

test('other moves are tried on the board and taken back, and the game stays as it is', async () => {
	const person = await opened();
	const { page } = person;
	await slider(page).fill('8');
	await at(page, 8);
	await page.getByRole('button', { name: 'Try other moves' }).click();
	await page.getByRole('heading', { name: 'Your own moves, from action 8 on' }).waitFor();
	const { session } = call('load', { record }) as Opened;
	const { position, offers } = call('look', { session, ply: 8 }) as { position: Opened['position']; offers: string[] };
	call('close', { session });
	const legal = offers.length > 0 ? offers : position.actions.map(({ action }) => action);
	const tile = legal.find((action) => action.startsWith('j1')) ?? legal[0] ?? '';
	await move(page, 'trexo', tile, { me: 0, position });
	await page.locator('.branch .tried', { hasText: tile }).waitFor();
	await page.getByRole('button', { name: 'What would the engine do?' }).click();
	await page.getByText(/The engine would play/).waitFor({ timeout: 60_000 });
	const lines = page.getByRole('list', { name: 'Best moves' }).getByRole('button');
	expect(await lines.count()).toBe(5);
	await lines.nth(1).click();
	expect(await lines.nth(1).getAttribute('aria-pressed')).toBe('true');
	const second = await lines.nth(1).locator('.action').textContent();
	await page.getByRole('button', { name: `Play ${second}`, exact: true }).waitFor();
	await page.getByRole('button', { name: 'Take back' }).click();
	await page.locator('.branch .tried', { hasText: 'You act for whoever is on turn.' }).waitFor();
	await page.getByRole('button', { name: 'Back to the game' }).click();
	await at(page, 8);
	expect(await page.locator('.moves li').count()).toBe(plies);
	expect(person.troubles).toEqual([]);
	await person.leave();
});

test('the link to a position opens it in another browser, and the record is saved and read again', async () => {
	const person = await opened();
	const { page } = person;
	await slider(page).fill('7');
	await at(page, 7);
	await page.getByRole('button', { name: 'Share', exact: true }).click();
	const link = page.getByRole('dialog').getByLabel('Link', { exact: true });
	await expect.poll(() => link.inputValue()).toContain('/review#r=');
	const address = await link.inputValue();

	const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Save as file' }).click()]);
	const file = (await download.path())!;
	const saved = readFileSync(file, 'utf8');
	expect(download.suggestedFilename()).toMatch(/^[\w.-]+\.txt$/);
	expect([...saved.matchAll(/^[01]: (\w+)$/gm)].map(([, tile]) => tile)).toEqual(tiles);

	const other = await Person.arrive(server.address);
	await other.page.goto(address);
	await at(other.page, 7);
	// Nothing of it was sent: the fragment stays in the browser.
	await other.goTo('/review');
	await other.page.locator('input[type=file]').setInputFiles(file);
	await slider(other.page).waitFor();
	await place(other.page).getByText(`${plies} / ${plies}`).waitFor();
	for (const one of [person, other]) {
		expect(one.troubles).toEqual([]);
		await one.leave();
	}
});

test('luck is drawn for itself where chance plays, as a picture and as a table', async () => {
	const person = await Person.arrive(server.address);
	const { page } = person;
	await resume(person, 'castle-builders', wholeExample('castle-builders'));
	await page.locator('.result').getByRole('button', { name: 'Review' }).click();
	await page.getByLabel('How thoroughly').selectOption('quick');
	await page.getByRole('button', { name: 'Analyse' }).click();
	await page.getByRole('button', { name: 'Analyse again' }).waitFor({ timeout: 120_000 });
	const luck = page.getByRole('slider', { name: 'Luck' });
	expect(await luck.locator('path.line').count()).toBe(2);
	expect(await luck.getAttribute('aria-valuetext')).toMatch(/[+−]\d+\s?%/);
	await page.getByRole('button', { name: 'As a table' }).click();
	const table = page.getByRole('table', { name: 'Luck' });
	expect(await table.locator('tbody tr').count()).toBeGreaterThan(0);
	expect(await table.locator('tfoot').textContent()).toContain('Altogether');
	expect(person.troubles).toEqual([]);
	await person.leave();
});
