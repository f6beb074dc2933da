// Mod X as it is played at a real table: the players themselves notice patterns, and what one overlooks another may take.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { View } from '../src/generated/views/mod-x';
import { act } from './support/boards';
import { join, setUp } from './support/online';
import { closeBrowser, Person } from './support/person';
import { Server } from './support/server';
import { beyond, seen, shownPlies, turn } from './support/table';
import { inWords, listed, type } from './support/words';

const server = new Server();
beforeAll(() => server.start());
afterAll(async () => {
	await closeBrowser();
	await server.close();
});

/** Anna sets up the jokers, then Ben has the first turn and Cara the next one. */
const NAMES = ['Anna', 'Ben', 'Cara'];
/** Four jokers around d4, where any piece makes an X, and one far away. */
const JOKERS = ['c3', 'e3', 'c5', 'e5', 'h8'];
/** Two rounds; with the last piece Ben makes an X and does not see it. */
const PLACED = ['a1', 'a8', 'g1', 'd4'];
const PATTERN = ['c3', 'e3', 'c5', 'e5', 'd4'];
const OTHERS = ['h8', 'a1', 'a8', 'g1'];

const square = (page: Page, name: string) => page.locator(`.mod-x [data-square="${name}"]`);

/** Makes an action on the drawn board for who is on turn, and waits until all see it. */
async function make(people: readonly Person[], action: string): Promise<void> {
	const [first] = people;
	const now = first && (await seen(first.page));
	const mover = now?.position.turn.kind === 'seat' ? people[now.position.turn.seat] : undefined;
	if (!now || !mover) throw new Error('nobody is on turn');
	await act(mover.page, 'mod-x', action, await turn(mover.page));
	await Promise.all(people.map(({ page }) => beyond(page, now.position.ply)));
}

/** Three people at a table where patterns are claimed, up to the moment after Ben has overlooked his X. */
async function overlooked(): Promise<[Person, Person, Person]> {
	const people: [Person, Person, Person] = [
		await Person.arrive(server.address),
		await Person.arrive(server.address),
		await Person.arrive(server.address),
	];
	const [anna, ...guests] = people;
	const options = { 'Complete patterns': 'Claimed by the players' };
	const link = await setUp(anna, NAMES[0] ?? '', { game: 'mod-x', options, many: 3 });
	for (const [index, guest] of guests.entries()) await join(guest, NAMES[index + 1] ?? '', link);
	for (const joker of JOKERS) await make(people, `*${joker}`);
	for (const placed of PLACED) {
		await make(people, placed);
		await make(people, 'done');
	}
	return people;
}

/** What a page shows and tells of one square, without what is its own anyway: its name, its place, the key's way to it. */
async function shownAt(page: Page, name: string): Promise<{ told: string; drawn: string[]; bracketed: boolean }> {
	return page.evaluate((name) => {
		const button = document.querySelector(`.mod-x [data-square="${name}"]`)?.cloneNode() as Element;
		const index = Number(button.getAttribute('data-index'));
		for (const own of ['data-square', 'data-index', 'tabindex']) button.removeAttribute(own);
		button.setAttribute('aria-label', (button.getAttribute('aria-label') ?? '').replace(name, ''));
		const [column, row] = [index % 8, 7 - Math.floor(index / 8)];
		const place = `translate(${column * 100 + 50} ${row * 100 + 50})`;
		const drawn = [...document.querySelectorAll(`.mod-x .board svg [transform="${place}"]`)];
		return {
			told: button.outerHTML,
			drawn: drawn.filter((sign) => !sign.matches('.recent')).map((sign) => sign.outerHTML.replace(place, '')),
			bracketed: drawn.some((sign) => sign.matches('.recent')),
		};
	}, name);
}

/** The colour of the piece on a square. */
async function pieceOn(page: Page, name: string): Promise<string | null> {
	const view = (await seen(page))?.position.view as View;
	return view.squares.find((one) => one.square === name)?.piece ?? null;
}

/** Touches a piece that belongs to no pattern; the page says so, and nothing happens. */
async function touchInVain(page: Page, name: string): Promise<void> {
	const before = await shownPlies(page);
	await square(page, name).click();
	await page.locator('.refused', { hasText: `The piece on ${name} is in no complete pattern.` }).waitFor();
	expect(await shownPlies(page)).toBe(before);
}

test('nothing on the page tells where a pattern was overlooked; who plays in words claims it by typing the touch', async () => {
	const people = await overlooked();
	const [anna, ben, cara] = people;
	for (const { page } of [anna, cara]) {
		const pieces = await Promise.all([...PATTERN, ...OTHERS].map(async (name) => ({ name, ...(await shownAt(page, name)) })));
		// Of pieces that look alike, those of the pattern show and tell nothing that the others do not.
		const looks = new Map<string, string>();
		for (const { name, told, drawn } of pieces) {
			const piece = (await pieceOn(page, name)) ?? '';
			expect(drawn).not.toEqual([]);
			const look = JSON.stringify([told, drawn]);
			expect(look, `${piece} on ${name}`).toBe(looks.get(piece) ?? look);
			looks.set(piece, look);
		}
		expect([...looks.keys()].sort()).toEqual(['black', 'joker', 'orange', 'red']);
		// Brackets show where others have acted since one's own last turn, and only there.
		const bracketed = pieces.filter((one) => one.bracketed).map(({ name }) => name);
		expect(bracketed).toEqual(page === anna.page ? ['d4'] : ['d4', 'g1']);
		// All pieces may be touched, empty squares may not.
		for (const { name } of pieces) expect(await square(page, name).getAttribute('aria-label')).toMatch(/you may touch it$/);
		expect(await square(page, 'f6').getAttribute('aria-label')).not.toMatch(/touch/);
	}
	// Who has just said that he is done can no longer claim.
	expect(await square(ben.page, 'd4').getAttribute('aria-label')).toBe('d4, black X-piece');
	// What is to be done is said as after a turn in which nothing was overlooked.
	const asked = await anna.page.locator('.task').textContent();
	expect(asked).toBe('Has a pattern been overlooked? Touch one of its pieces.');
	expect(await cara.page.locator('.task').textContent()).toMatch(/or first touch a pattern you see/);
	// Who plays in words is not told either.
	for (const { page } of [anna, cara]) {
		await inWords(page);
		await page.locator('#notation').waitFor();
		expect(await page.locator('.words').textContent()).not.toContain('!');
	}
	expect((await listed(cara.page)).filter((action) => !/^[a-h][1-8]$/.test(action))).toEqual([]);

	const before = await shownPlies(anna.page);
	expect(await type(anna.page, '!h8')).toBe('The piece on h8 is in no complete pattern.');
	expect(await shownPlies(anna.page)).toBe(before);
	// Through a joker, too.
	await anna.page.locator('#notation').fill('!e5');
	await anna.page.locator('#notation').press('Enter');
	await beyond(anna.page, before);
	expect((await seen(anna.page))?.position.scores).toEqual([1, 0, 0]);
	for (const person of people) {
		expect(person.troubles).toEqual([]);
		await person.leave();
	}
});

test('a wrong touch is refused with a sentence, a right one out of turn scores, and play goes on where it was', async () => {
	const people = await overlooked();
	const [anna, ben, cara] = people;
	expect((await turn(cara.page)).me).toBe(2);
	for (const name of OTHERS) await touchInVain(anna.page, name);
	// Ben sees it now, but his turn is over.
	await square(ben.page, 'd4').click({ force: true });
	expect(await pieceOn(ben.page, 'd4')).toBe('black');

	const before = await shownPlies(anna.page);
	await square(anna.page, 'd4').click();
	await Promise.all(people.map(({ page }) => beyond(page, before)));
	for (const { page } of people) {
		expect(await square(page, 'd4').getAttribute('aria-label')).toMatch(/^d4, red marker/);
		expect(await page.locator('.refused').textContent()).toBe('');
	}
	expect((await seen(anna.page))?.position.scores).toEqual([1, 0, 0]);
	// The claimant puts the jokers back before anybody else acts.
	expect(await anna.page.locator('.task').textContent()).toBe('Your turn. Put the lifted jokers back: 4 to go.');
	for (const joker of ['b6', 'd6', 'f6', 'g3']) await make(people, `*${joker}`);
	expect((await turn(cara.page)).position.turn).toEqual({ kind: 'seat', seat: 2 });
	await make(people, 'd4');
	await make(people, 'done');
	expect((await turn(anna.page)).position.turn).toEqual({ kind: 'seat', seat: 0 });
	for (const person of people) {
		expect(person.troubles).toEqual([]);
		await person.leave();
	}
});
