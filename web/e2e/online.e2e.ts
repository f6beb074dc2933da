// Two browsers against each other through the server.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { View as Castle } from '../src/generated/views/castle-builders';
import type { View as Marks } from '../src/generated/views/x-marks-the-spot';
import { cardName } from './support/boards';
import { join, joinInLobby, playTogether, results, setUp } from './support/online';
import { closeBrowser, Person } from './support/person';
import { Server } from './support/server';
import { games, short } from './support/setup';
import { picker, type Seen } from './support/table';

const server = new Server();
beforeAll(() => server.start());
afterAll(async () => {
	await closeBrowser();
	await server.close();
});

const titles: Record<string, string> = {
	trexo: 'Trexo',
	'mod-x': 'Mod X',
	figures: 'Figures',
	'castle-builders': 'Castle Builders',
	'x-marks-the-spot': 'X Marks the Spot',
};

/** What a page is told over its connection while the game is on. */
function listen(person: Person): string[] {
	const told: string[] = [];
	person.page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => told.push(String(payload))));
	return told;
}

/** All hands of other seats that a message holds. */
function foreignHands(message: unknown, me: number): unknown[] {
	if (typeof message !== 'object' || message === null) return [];
	const { seat, hand } = message as { seat?: unknown; hand?: unknown };
	const found = typeof seat === 'number' && seat !== me && Array.isArray(hand) ? [hand] : [];
	return [...found, ...Object.values(message).flatMap((part) => foreignHands(part, me))];
}

/** On the drawn board, everybody sees the own hand, and the other one's from behind. */
async function ownHandOnly({ page }: Person, game: string, { me, position }: Seen): Promise<void> {
	if (game === 'castle-builders') {
		const { players } = position.view as Castle;
		expect(players[1 - me]?.hand ?? null).toBeNull();
		const shown = await page.locator('.tray [data-at^=hand-]').evaluateAll((all) => all.map((one) => one.getAttribute('data-at')?.[5]));
		expect(shown.sort()).toEqual([...(players[me]?.hand ?? [])].sort());
		const other = await page.locator('.tray .other').getAttribute('aria-label');
		expect(other).toMatch(/: (\d hidden counters?|empty)$/);
	} else {
		const { players } = position.view as Marks;
		expect(players[1 - me]).toMatchObject({ hand: null, flag: null });
		const hand = page.locator('.x-marks [role=toolbar] button');
		const shown = await hand.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')?.split(':')[0]));
		expect(shown.sort()).toEqual((players[me]?.hand ?? []).map(cardName).sort());
	}
}

for (const [nth, game] of games.entries()) {
	const hides = game === 'castle-builders' || game === 'x-marks-the-spot';
	const secret = hides ? ', and each sees only the own hand' : '';
	test(`two people play ${game} to its end${secret}`, async () => {
		const [anna, ben] = [await Person.arrive(server.address), await Person.arrive(server.address)];
		const people = [anna, ben];
		const told = people.map(listen);
		// Some come by the link, others find the table in the lobby.
		if (nth % 2 === 0) {
			const link = await setUp(anna, 'Anna', { game, options: short[game] ?? {} });
			expect(link).toContain('invitation=');
			await join(ben, 'Ben', link);
		} else {
			await setUp(anna, 'Anna', { game, options: short[game] ?? {}, who: 'Anybody' });
			await joinInLobby(ben, titles[game] ?? game);
		}
		let looks = 0;
		const before = async (person: Person, seen: Seen) => {
			if (!hides || (await person.page.locator('#notation').count()) > 0) return;
			looks += 1;
			await ownHandOnly(person, game, seen);
		};
		const moves = await playTogether(people, game, { pick: picker(nth), drawn: 4, before });
		expect(moves).toBeGreaterThan(4);
		if (hides) expect(looks).toBeGreaterThanOrEqual(4);
		const [one, other] = await results(people);
		// The winner reads "you"; a draw reads the same for both.
		if (/draw/i.test(one ?? '')) expect(other).toBe(one);
		else expect([one, other].filter((text) => /^You have won/.test(text ?? ''))).toHaveLength(1);
		if (hides) {
			for (const [me, frames] of told.entries()) {
				const during = frames.map((frame) => JSON.parse(frame) as { status?: string }).filter(({ status }) => status !== 'finished');
				expect(during.length).toBeGreaterThan(4);
				expect(during.flatMap((frame) => foreignHands(frame, me))).toEqual([]);
			}
		}
		for (const person of people) {
			expect(person.troubles).toEqual([]);
			await person.leave();
		}
	});
}
