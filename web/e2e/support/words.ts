// Play in text mode: the same way for every game, as somebody plays who hears the page.

import type { Page } from 'playwright-core';

/** What may be done now, as the page lists it; empty while nothing is to be done. */
export async function possible(page: Page): Promise<string[]> {
	const list = page.locator('.words details');
	if ((await list.count()) === 0) return [];
	if ((await list.getAttribute('open')) === null) await list.locator('summary').click();
	return page.locator('.words .actions button').allTextContents();
}

/** Types a move; gives what the page said if it was refused. */
export async function type(page: Page, action: string): Promise<string> {
	await page.locator('#notation').fill(action);
	await page.locator('#notation').press('Enter');
	await page.waitForFunction(
		() => {
			const input = document.querySelector<HTMLInputElement>('#notation');
			return !input || input.value === '' || document.querySelector('#refused')?.textContent !== '';
		},
		undefined,
		{ timeout: 20_000 },
	);
	return (await page.locator('#refused').textContent({ timeout: 500 }).catch(() => '')) ?? '';
}

/** Waits until this person can act or the game is over; says which. */
export async function turn(page: Page): Promise<'mine' | 'over'> {
	const over = page.locator('.result');
	const mine = page.locator('.words details');
	await over.or(mine).first().waitFor({ timeout: 60_000 });
	return (await over.count()) > 0 ? 'over' : 'mine';
}

/** A pick among several that is the same in every run. */
export function picker(seed: number): <T>(items: readonly T[]) => T {
	let state = seed;
	return <T>(items: readonly T[]) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		const item = items[Math.floor((state / 2 ** 32) * items.length)];
		if (item === undefined) throw new Error('there is nothing to pick from');
		return item;
	};
}

/** Plays until the game is over; gives the number of own moves. */
export async function playOut(page: Page, pick: <T>(items: readonly T[]) => T, most = 600): Promise<number> {
	for (let moves = 0; moves < most; moves += 1) {
		if ((await turn(page)) === 'over') return moves;
		const actions = await possible(page);
		if (actions.length === 0) continue;
		const refused = await type(page, pick(actions));
		if (refused) throw new Error(`refused: ${refused}`);
	}
	throw new Error(`the game is not over after ${most} moves`);
}
