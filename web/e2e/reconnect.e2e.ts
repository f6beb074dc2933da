// The connection is lost in the middle of a game, and comes back by itself.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { act } from './support/boards';
import { join, playTogether, results, setUp } from './support/online';
import { closeBrowser, Person } from './support/person';
import { Server } from './support/server';
import { short } from './support/setup';
import { beyond, picker, seen, shownPlies, turn } from './support/table';
import { Wire } from './support/wire';

const server = new Server();
beforeAll(() => server.start());
afterAll(async () => {
	await closeBrowser();
	await server.close();
});

const lost = (page: Page) => page.getByText('The connection is lost. It comes back by itself; nothing is lost.');

/** What the page says was played. */
const log = (page: Page) => page.locator('.log li button').evaluateAll((lines) => lines.map((line) => line.lastElementChild?.textContent ?? ''));

test('the server is killed and started again: both are told, nothing is lost, and they play on to the end', async () => {
	const people = [await Person.arrive(server.address), await Person.arrive(server.address)] as const;
	const [anna, ben] = people;
	const pick = picker(7);
	await join(ben, 'Ben', await setUp(anna, 'Anna', { game: 'castle-builders' }));
	await playTogether(people, 'castle-builders', { pick, drawn: 100, most: 9 });
	const mover = (await seen(anna.page))?.position.turn;
	const who = mover?.kind === 'seat' && mover.seat === 1 ? ben : anna;
	const now = await turn(who.page);
	for (const { page } of people) await page.waitForFunction((ply) => document.querySelectorAll('.log li').length === ply, now.position.ply);
	const before = await Promise.all(people.map(({ page }) => log(page)));

	await server.kill();
	for (const { page } of people) await lost(page).waitFor();
	// What was on the table still is, for both, and a move that is made now is made as soon as it can be.
	expect(await Promise.all(people.map(({ page }) => log(page)))).toEqual(before);
	const move = act(who.page, 'castle-builders', pick(now.offers), now);
	await who.page.waitForTimeout(1500);
	expect(await shownPlies(who.page)).toBe(now.position.ply);

	await server.start();
	await move;
	for (const { page } of people) {
		await lost(page).waitFor({ state: 'detached' });
		await beyond(page, now.position.ply);
		expect((await log(page)).slice(0, now.position.ply)).toEqual(before[page === anna.page ? 0 : 1]);
	}
	await playTogether(people, 'castle-builders', { pick });
	const told = await results(people);
	expect(told.every((text) => /won|draw/i.test(text))).toBe(true);
	for (const person of people) {
		expect(person.troubles).toEqual([]);
		await person.leave();
	}
});

test('a browser loses its network, the other one plays on, and everything is there when it is back', async () => {
	const wire = await Wire.to(server.address);
	const [anna, ben] = [await Person.arrive(server.address), await Person.arrive(wire.address)];
	const people = [anna, ben];
	const pick = picker(8);
	const link = await setUp(anna, 'Anna', { game: 'figures', options: short['figures'] ?? {} });
	await join(ben, 'Ben', link.replace(server.address, wire.address));
	// Anna is on turn, which takes several actions.
	await playTogether(people, 'figures', { pick, drawn: 2, most: 2 });

	wire.cut();
	await ben.context.setOffline(true);
	await lost(ben.page).waitFor();
	const known = await shownPlies(ben.page);
	let now = await turn(anna.page);
	while (!now.over && now.position.turn.kind === 'seat' && now.position.turn.seat === now.me) {
		await act(anna.page, 'figures', pick(now.offers), now);
		const next = await seen(anna.page);
		if (next?.position.turn.kind !== 'seat' || next.position.turn.seat !== next.me) break;
		now = await turn(anna.page);
	}
	expect(await lost(anna.page).count()).toBe(0);
	expect(await shownPlies(anna.page)).toBeGreaterThan(known);
	expect(await shownPlies(ben.page)).toBe(known);

	wire.mend();
	await ben.context.setOffline(false);
	await lost(ben.page).waitFor({ state: 'detached' });
	await beyond(ben.page, known);
	await expect.poll(() => log(ben.page), { timeout: 30_000 }).toEqual(await log(anna.page));
	await playTogether(people, 'figures', { pick });
	await results(people);
	for (const person of people) {
		expect(person.troubles).toEqual([]);
		await person.leave();
	}
	wire.close();
});
