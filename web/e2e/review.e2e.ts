// A game that is looked at again: gone through, judged by the engine, played on differently, and given to others.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Look, Opened } from '../src/generated/rpc';
import type { SquareView, View } from '../src/generated/views/mod-x';
import { closeBrowser, Person } from './support/person';
import { example, resume } from './support/scenes';
import { Server } from './support/server';
import { call } from './support/table';

const server = new Server();
const folder = mkdtempSync(join(tmpdir(), 'quincunx-review-'));
beforeAll(() => server.start());
afterAll(async () => {
	await closeBrowser();
	await server.close();
	rmSync(folder, { recursive: true, force: true });
});

/** A game of Mod X. At its end black, with the last piece, overlooks a pattern through d5 that would have saved the game. */
const record = example('mod-x', true);
const { session, position: end } = call('load', { record }) as unknown as Opened;
const PLIES = end.ply;
const log = (call('look', { session }) as unknown as Look).log;

/** What lies on each square after so many actions, as the board says it. */
function squaresAt(ply: number): string[] {
	const { position } = call('look', { session, ply }) as unknown as Look;
	return (position.view as View).squares.map(words);
}

function words({ square, piece, marker, markers }: SquareView): string {
	const parts = [square];
	if (piece) parts.push(piece === 'joker' ? 'joker' : `${piece} X-piece`);
	if (marker) parts.push(markers > 1 ? `${marker} marker on top of a stack of ${markers}` : `${marker} marker`);
	return parts.length > 1 ? parts.join(', ') : `${square}, free`;
}

/** What the drawn board says of its squares, in the order of the rules, without what may be done there. */
async function shown(page: Page): Promise<string[]> {
	return page.evaluate(() =>
		[...document.querySelectorAll('.mod-x [data-square]')]
			.sort((one, other) => Number(one.getAttribute('data-index')) - Number(other.getAttribute('data-index')))
			.map((square) => (square.getAttribute('aria-label') ?? '').replace(/, (you may place|a joker may go) here$/, '')),
	);
}

/** Waits until the page is at a place of the game; the board then shows what the rules say. */
async function at(page: Page, ply: number, plies = PLIES): Promise<void> {
	await page.locator('.steps .count', { hasText: new RegExp(`^${ply} / ${plies}$`) }).waitFor();
	expect(await slider(page).getAttribute('aria-valuetext')).toBe(`after ${ply} of ${plies} actions`);
	await expect.poll(() => shown(page), { timeout: 30_000 }).toEqual(squaresAt(ply));
}

const slider = (page: Page) => page.getByRole('slider', { name: 'Place in the game' });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const square = (page: Page, name: string) => page.locator(`.mod-x [data-square="${name}"]`);

/** Somebody who has just finished the game and presses "Review". */
async function reviewer(): Promise<Person> {
	const person = await Person.arrive(server.address, { permissions: ['clipboard-read', 'clipboard-write'] });
	await resume(person, 'mod-x', record);
	await person.page.locator('.result').getByRole('button', { name: 'Review' }).click();
	await at(person.page, PLIES);
	return person;
}

/** The link to the present position, as the page gives it to be copied. */
async function link(page: Page): Promise<string> {
	await press(page, 'Share');
	const dialog = page.getByRole('dialog', { name: 'Share this position' });
	await dialog.getByRole('button', { name: 'Copy link' }).click();
	await dialog.getByText('Copied.').waitFor();
	const link = await dialog.getByLabel('Link').inputValue();
	expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
	await dialog.getByRole('button', { name: 'Close' }).click();
	return link;
}

async function leave(person: Person): Promise<void> {
	expect(person.troubles).toEqual([]);
	await person.leave();
}

test('a game is gone through with the slider, with buttons, with keys, by its moves, and by itself', async () => {
	const person = await reviewer();
	const { page } = person;
	expect(await page.locator('.title').textContent()).toMatch(/Mod X: review.*Anna has won: the pieces have run out/);

	// With the pointer on the slider, somewhere in the middle.
	const box = await slider(page).boundingBox();
	if (!box) throw new Error('the slider is not to be seen');
	await page.mouse.click(box.x + box.width / 3, box.y + box.height / 2);
	const third = Number(await slider(page).inputValue());
	expect(third).toBeGreaterThan(PLIES / 4);
	expect(third).toBeLessThan(PLIES / 2);
	await at(page, third);
	// The slider has its own keys.
	await page.keyboard.press('ArrowRight');
	await at(page, third + 1);
	await page.keyboard.press('Home');
	await at(page, 0);

	await press(page, 'One on');
	await at(page, 1);
	await press(page, 'To the end');
	await at(page, PLIES);
	await press(page, 'One back');
	await at(page, PLIES - 1);

	// Keys, wherever the focus is.
	await page.keyboard.press('ArrowLeft');
	await at(page, PLIES - 2);
	await page.keyboard.press('ArrowRight');
	await at(page, PLIES - 1);
	await page.keyboard.press('Home');
	await at(page, 0);
	await page.keyboard.press('End');
	await at(page, PLIES);

	// A move of the list, and from there with the arrows.
	const moves = page.getByRole('list', { name: 'Moves' }).getByRole('button');
	expect(await moves.count()).toBe(PLIES);
	await moves.nth(19).click();
	await at(page, 20);
	await page.keyboard.press('ArrowDown');
	await at(page, 21);
	expect(await moves.nth(20).getAttribute('aria-current')).toBe('step');

	// By itself, until it is stopped.
	await press(page, 'Play on');
	await page.getByRole('button', { name: 'Pause' }).waitFor();
	await page.waitForFunction(() => Number(document.querySelector('.steps .count')?.textContent?.split('/')[0]) >= 24);
	await press(page, 'Pause');
	const stopped = Number(await slider(page).inputValue());
	await page.waitForTimeout(1500);
	await at(page, stopped);

	// The address follows, so that a reload shows the same.
	await page.waitForURL(new RegExp(`#kept=.*&ply=${stopped}$`));
	await page.reload();
	await at(page, stopped);
	await leave(person);
});

test('the engine judges the game to its end; its graph and turning points lead to the positions', async () => {
	const person = await reviewer();
	const { page } = person;
	await page.getByLabel('How thoroughly').selectOption('quick');
	await press(page, 'Analyse');
	await page.getByRole('progressbar', { name: 'Actions looked at' }).waitFor();
	await page.getByRole('button', { name: 'Analyse again' }).waitFor({ timeout: 180_000 });

	// A line for each player, through every action of a player up to the end, where the winner has everything.
	const graph = page.getByRole('slider', { name: 'Chances to win in the course of the game' });
	const lines = await graph.locator('path.line').evaluateAll((paths) => paths.map((path) => path.getAttribute('d') ?? ''));
	expect(lines).toHaveLength(2);
	for (const line of lines) expect(line.split('L')).toHaveLength(PLIES + 1);
	const [anna, other] = lines.map((line) => Number(line.split(' ').at(-1)));
	expect(anna).toBeLessThan(other ?? 0);
	expect(await graph.getAttribute('aria-valuetext')).toBe(`after ${PLIES} of ${PLIES} actions, Anna 100%, Club player 0%`);

	// The blunder is found, marked in the graph and in the list of moves, and explained where it happens.
	const turns = page.locator('section', { has: page.getByRole('heading', { name: 'Turning points' }) }).locator('ul').last();
	const blunder = turns.getByRole('button', { name: /^\W*48\. Club player: h8/ });
	expect(await blunder.textContent()).toMatch(/blunder, −\d+%/);
	expect(await graph.locator('.turn').count()).toBe(await turns.getByRole('button').count());
	const move = page.getByRole('list', { name: 'Moves' }).getByRole('button').nth(PLIES - 1);
	expect(await move.getAttribute('aria-label')).toMatch(/blunder$/);
	await blunder.click();
	await at(page, PLIES - 1);
	expect(await page.locator('.remark').textContent()).toMatch(/Club player now plays h8: a blunder .* Better is d5, shown on the board\./);
	expect(await page.locator('.mod-x svg .hint').count()).toBe(1);

	// The graph is pressed where one wants to look.
	const box = await graph.boundingBox();
	if (!box) throw new Error('the graph is not to be seen');
	await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
	const middle = Number(await graph.getAttribute('aria-valuenow'));
	expect(Math.abs(middle - PLIES / 2)).toBeLessThan(5);
	await at(page, middle);

	// The same in numbers.
	await press(page, 'As a table');
	const rows = page.getByRole('region', { name: 'Chances to win in the course of the game' }).locator('tbody tr');
	expect(await rows.count()).toBe(PLIES);
	expect(await rows.last().textContent()).toMatch(/48\. h8.*Club player.*%.*%.*blunder:.*d5/s);
	await rows.nth(9).getByRole('button').click();
	await at(page, 9);
	await leave(person);
});

test('other moves are tried, taken back, and asked of the engine; the game stays as it is', async () => {
	const person = await reviewer();
	const { page } = person;
	const tried = page.locator('.branch .tried');
	const has = (moves: string) => tried.filter({ hasText: new RegExp(`^\\s*${moves}\\s*$`) }).waitFor();
	await press(page, 'One back');
	await at(page, PLIES - 1);
	await press(page, 'Try other moves');
	await page.getByRole('heading', { name: `Your own moves, from action ${PLIES - 1} on` }).waitFor();

	// What the rules forbid they forbid here, too.
	await square(page, 'c2').click({ force: true });
	await page.locator('.branch .warn-text').waitFor();
	expect(await page.locator('.branch .warn-text').textContent()).toMatch(/^\S+ .+\.$/);

	await square(page, 'd5').click();
	await has('d5');
	await square(page, 'b2').click();
	await has('d5 \\*b2');
	await press(page, 'Take back');
	await has('d5');
	await page.keyboard.press('ArrowLeft');
	await page.getByText('You act for whoever is on turn. The game stays as it is.').waitFor();
	expect(await shown(page)).toEqual(squaresAt(PLIES - 1));

	await press(page, 'What would the engine do?');
	await page.getByText('The engine would play d5.').waitFor({ timeout: 60_000 });
	await press(page, 'Play it');
	await has('d5');

	// What is tried can be given to others as well.
	const guest = await Person.arrive(server.address);
	await guest.page.goto(await link(page));
	await guest.page.locator('.steps .count', { hasText: `${PLIES} / ${PLIES}` }).waitFor();
	expect(await guest.page.getByRole('list', { name: 'Moves' }).getByRole('button').last().textContent()).toMatch(/d5/);
	await leave(guest);

	await press(page, 'Back to the game');
	await at(page, PLIES - 1);
	await page.keyboard.press('End');
	await at(page, PLIES);
	await leave(person);
});

test('where chance decides, what it brings can be chosen', async () => {
	const person = await Person.arrive(server.address);
	const { page } = person;
	await resume(person, 'castle-builders', example('castle-builders', true));
	await page.locator('.result').getByRole('button', { name: 'Review' }).click();
	await page.keyboard.press('Home');
	await page.locator('.steps .count', { hasText: /^0 \// }).waitFor();
	await press(page, 'Try other moves');
	await page.getByLabel('Chance draws by itself').uncheck();
	const outcomes = page.getByLabel('What chance brings');
	for (const wanted of ['+S', '+K']) {
		await outcomes.selectOption(wanted);
		await press(page, 'Take this');
		await page.locator('.branch .tried', { hasText: new RegExp(`\\(\\${wanted}\\)\\s*$`) }).waitFor();
	}
	// The board shows the hand that was dealt so.
	expect((await page.locator('.frame .tray .hand .name').allTextContents()).sort()).toEqual(['remove and continue', 'stop']);
	// From here on as it comes, until somebody can act.
	await page.getByLabel('Chance draws by itself').check();
	await press(page, 'At random');
	await page.getByText('Chance is next.').waitFor({ state: 'detached' });
	await press(page, 'Back to the game');
	await page.locator('.steps .count', { hasText: /^0 \// }).waitFor();
	await leave(person);
});

test('a link to a position opens it in another browser, and no server learns the game', async () => {
	const person = await reviewer();
	await slider(person.page).fill('20');
	await at(person.page, 20);
	const address = await link(person.page);
	expect(address).toMatch(/\/review#r=[\w-]+&ply=20$/);
	await leave(person);

	const guest = await Person.arrive(server.address);
	const sent: string[] = [];
	guest.page.on('request', (request) => sent.push(`${request.method()} ${request.url().split('#')[0]}`));
	await guest.page.goto(address);
	await at(guest.page, 20);
	expect(await guest.page.locator('.title').textContent()).toMatch(/Anna has won/);
	await guest.page.keyboard.press('End');
	await at(guest.page, PLIES);
	expect(sent).toContain(`GET ${server.address}/review`);
	expect(sent.filter((request) => !request.startsWith('GET '))).toEqual([]);
	await leave(guest);
});

test('the record is saved as a file and opened from it: chosen, or dropped on the page', async () => {
	const person = await reviewer();
	await press(person.page, 'Share');
	const [download] = await Promise.all([
		person.page.waitForEvent('download'),
		person.page.getByRole('link', { name: 'Save as file' }).click(),
	]);
	expect(download.suggestedFilename()).toBe('mod-x-2026-11-15.txt');
	const file = join(folder, download.suggestedFilename());
	await download.saveAs(file);
	await leave(person);
	// It is a record that the rules replay to the same game, and it names the players.
	const saved = readFileSync(file, 'utf8');
	const opened = call('load', { record: saved }) as unknown as Opened;
	expect((call('look', { session: opened.session }) as unknown as Look).log).toEqual(log);
	expect(saved).toMatch(/^Player 0: Anna$/m);

	const guest = await Person.arrive(server.address);
	const { page } = guest;
	await guest.goTo('/review');
	const [chooser] = await Promise.all([
		page.waitForEvent('filechooser'),
		page.locator('button', { hasText: 'Open a record' }).click(),
	]);
	await chooser.setFiles(file);
	await at(page, PLIES);
	expect(await page.locator('.title').textContent()).toMatch(/Anna has won/);

	await guest.goTo('/review');
	const dropped = await page.evaluateHandle((text) => {
		const transfer = new DataTransfer();
		transfer.items.add(new File([text], 'game.txt', { type: 'text/plain' }));
		return transfer;
	}, saved);
	await page.dispatchEvent('body', 'dragover', { dataTransfer: dropped });
	await page.getByText('Drop the record here').waitFor();
	await page.dispatchEvent('body', 'drop', { dataTransfer: dropped });
	await at(page, PLIES);
	await leave(guest);
});
