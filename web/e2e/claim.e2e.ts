// Mod X where the players have to notice patterns themselves: nothing on the page does it for them.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { View } from '../src/generated/views/mod-x';
import { act } from './support/boards';
import { join, seatOf, setUp } from './support/online';
import { closeBrowser, Person } from './support/person';
import { Server } from './support/server';
import { seen, turn } from './support/table';
import { inWords, say } from './support/words';

const server = new Server();
beforeAll(() => server.start());
afterAll(async () => {
	await closeBrowser();
	await server.close();
});

/** The first player sets up the jokers, then makes an X around d4 and says nothing about it. */
const GAME = '*a5 *h4 *a3 *h6 *f6 a1 done a8 done d4 done c1 done c8 done c3 done e1 done e8 done e3 done g1 done g8 done c5 done h2 done h7 done e5 done';
const PATTERN = ['d4', 'c3', 'e3', 'c5', 'e5'];

/** How each square with a piece is drawn and spoken of, without where it is. */
async function looks(page: Page): Promise<Map<string, string>> {
	const found = await page.evaluate(() => {
		const middle = (element: Element) => {
			const { x, y, width, height } = element.getBoundingClientRect();
			return [x + width / 2, y + height / 2] as const;
		};
		const pieces = [...document.querySelectorAll('.mod-x .board > svg > g')].map((piece) => ({ at: middle(piece), html: piece.innerHTML }));
		return [...document.querySelectorAll<HTMLElement>('.mod-x [data-square]')].map((button) => {
			const [x, y] = middle(button);
			const drawn = pieces.filter(({ at }) => Math.abs(at[0] - x) < 3 && Math.abs(at[1] - y) < 3).map(({ html }) => html);
			const { square = '' } = button.dataset;
			const told = [button.className, button.getAttribute('aria-label'), button.getAttribute('aria-disabled'), button.title];
			return [square, [...told, ...drawn].join(' | ').replaceAll(square, 'here')] as const;
		});
	});
	return new Map(found);
}

test('a third player claims an overlooked pattern out of turn, and nothing on the page gave it away', async () => {
	const people = await Promise.all([0, 1, 2].map(() => Person.arrive(server.address)));
	const [anna, ben, carla] = people as [Person, Person, Person];
	const link = await setUp(anna, 'Anna', { game: 'mod-x', many: 3, options: { 'Complete patterns': 'Claimed by the players', target: '5' } });
	await join(ben, 'Ben', link);
	await seatOf(ben);
	await join(carla, 'Carla', link);
	expect(await seatOf(carla)).toBe(2);

	for (const action of GAME.split(' ')) {
		const now = await seen(anna.page);
		const seat = now?.position.turn.kind === 'seat' ? now.position.turn.seat : 0;
		const { page } = people[seat] ?? anna;
		const mine = await turn(page);
		if (page === carla.page) {
			await act(page, 'mod-x', action, mine);
		} else {
			if ((await page.locator('#notation').count()) === 0) await inWords(page);
			await say(page, action, mine.position.ply);
		}
	}

	// It is Ben's turn. What Carla sees of the five pieces is what she sees of any others.
	const { page } = carla;
	const { ply } = (await turn(ben.page)).position;
	await page.waitForFunction((ply) => document.querySelectorAll('.log li').length === ply, ply);
	expect((await seen(page))?.offers.filter((action) => action.startsWith('!'))).toEqual([]);
	const all = await looks(page);
	const pattern = PATTERN.map((square) => all.get(square));
	expect(new Set(pattern).size).toBe(1);
	expect(pattern[0]).toContain('<path');
	// The pieces differ by their colours alone.
	const faceless = (text = '') => text.replace(/\b(red|yellow|green|blue|black|white|purple|orange)\b/gi, 'some').replace(/(fill|d|stroke|transform)="[^"]*"/g, '');
	const others = ['a1', 'c1', 'e1', 'a8', 'c8', 'e8'].map((square) => faceless(all.get(square)));
	expect(new Set([...pattern.map(faceless), ...others]).size).toBe(1);

	// A piece in no pattern is refused with a sentence, and nothing happens.
	await page.locator('.mod-x [data-square=a1]').click();
	await page.locator('.refused', { hasText: 'a1 is in no complete pattern.' }).waitFor();
	expect((await seen(page))?.position.ply).toBe(ply);

	await page.locator('.mod-x [data-square=d4]').click();
	await page.waitForFunction((ply) => document.querySelectorAll('.log li').length > ply, ply);
	const after = await seen(page);
	const { players, squares } = after?.position.view as View;
	expect(players.map(({ points }) => points)).toEqual([0, 0, 5]);
	expect(PATTERN.map((name) => squares.find(({ square }) => square === name)?.piece ?? null)).toEqual(PATTERN.map(() => null));
	for (const person of people) {
		expect(person.troubles).toEqual([]);
		await person.leave();
	}
});
