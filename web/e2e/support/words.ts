// Play in text mode: the same way for every game, as somebody plays who hears the page.

import type { Page } from 'playwright-core';
import { beyond, turn, type Pick } from './table';

/** Chooses in the menu of the page whether the board is shown in words. */
export async function inWords(page: Page, words = true): Promise<void> {
	await page.locator('header summary').click();
	await page.getByLabel('Text mode').setChecked(words);
	await page.keyboard.press('Escape');
}

/** What may be done now, as the page lists it. */
export async function listed(page: Page): Promise<string[]> {
	const list = page.locator('.words details');
	if ((await list.getAttribute('open')) === null) await list.locator('summary').click();
	await page.locator('.words .actions button').first().waitFor();
	return page.locator('.words .actions button').allTextContents();
}

/** Types a move; gives what the page said if it was refused. */
export async function type(page: Page, action: string): Promise<string> {
	const input = page.locator('#notation');
	await input.fill(action);
	await input.press('Enter');
	await page.waitForFunction(
		() => {
			const input = document.querySelector<HTMLInputElement>('#notation');
			return !input || input.value === '' || document.querySelector('#refused')?.textContent !== '';
		},
		undefined,
		{ timeout: 60_000, polling: 20 },
	);
	return page.evaluate(() => document.querySelector('#refused')?.textContent ?? '');
}

/** Types a move that is accepted, and waits until it is shown. */
export async function say(page: Page, action: string, ply: number): Promise<void> {
	const refused = await type(page, action);
	if (refused) throw new Error(`${action} is refused: ${refused}`);
	await beyond(page, ply);
}

/** Plays until the game is over; gives the number of own moves. */
export async function playOut(page: Page, pick: Pick, most = 600): Promise<number> {
	for (let moves = 0; moves < most; moves += 1) {
		const { over, offers, position } = await turn(page);
		if (over) return moves;
		await say(page, pick(offers), position.ply);
	}
	throw new Error(`the game is not over after ${most} moves`);
}
