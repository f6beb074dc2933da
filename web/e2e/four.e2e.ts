// Four browsers at one table of the server.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { View as Marks } from '../src/generated/views/x-marks-the-spot';
import type { View as ModX } from '../src/generated/views/mod-x';
import { join, playTogether, results, seatOf, setUp } from './support/online';
import { closeBrowser, Person } from './support/person';
import { Server } from './support/server';
import { picker, seen, type Seen } from './support/table';

const server = new Server();
beforeAll(() => server.start());
afterAll(async () => {
	await closeBrowser();
	await server.close();
});

const NAMES = ['Anna', 'Ben', 'Carla', 'David'] as const;

/** Four people on the seats of a new table, in the order of their names. */
async function four(game: string, options: Record<string, string | boolean>): Promise<Person[]> {
	const people = await Promise.all(NAMES.map(() => Person.arrive(server.address)));
	let link = '';
	for (const [seat, person] of people.entries()) {
		if (seat === 0) link = await setUp(person, NAMES[0], { game, options, many: 4 });
		else await join(person, NAMES[seat] ?? '', link);
		expect(await seatOf(person)).toBe(seat);
	}
	return people;
}

async function part(people: readonly Person[]): Promise<void> {
	for (const person of people) {
		expect(person.troubles).toEqual([]);
		await person.leave();
	}
}

test('four play Mod X in two teams to its end, and who plays together wins together', async () => {
	const people = await four('mod-x', { 'Two teams': true, target: '5' });
	await playTogether(people, 'mod-x', { pick: picker(4), drawn: 3 });
	const position = (await seen(people[0]!.page))?.position;
	const { players } = position?.view as ModX;
	expect(players.map(({ team }) => team)).toEqual([0, 1, 0, 1]);
	const winners = position?.outcome?.winners ?? [];
	const told = await results(people);
	for (const [seat, text] of told.entries()) {
		if (winners.length > 0) expect(/^You have won/.test(text)).toBe(winners.includes(seat));
		else expect(text).toMatch(/draw/i);
	}
	expect([[0, 2], [1, 3], []]).toContainEqual([...winners].sort());
	await part(people);
});

test('four play X Marks the Spot; a parlay is offered, countered, opened to all, taken, and both give cards', async () => {
	// With many parlays in the deck, somebody holds one soon.
	const people = await four('x-marks-the-spot', { turn_limit: '8', 'deck.parlay': '40', doubloons: '1' });
	const said: string[] = [];
	const given = new Map<number, string[]>();
	let traded = false;

	/** What to say in a trade, as long as there was none; before it, whatever leads to one. */
	function wish({ offers, me }: Seen): string | undefined {
		if (traded) return undefined;
		const verbs = ['give', 'take', 'offer', 'open', 'counter', 'parlay', 'draw'];
		const verb = verbs.find((one) => offers.some((action) => action.split(' ')[0] === one));
		// Who asks all takes another offer than that of the first one asked, if there is one.
		const action = offers.filter((one) => one.split(' ')[0] === verb).at(-1);
		if (!action || !verb) return undefined;
		if (verb !== 'draw') said.push(verb);
		if (verb === 'give') {
			given.set(me, action.split(' ').slice(1));
			traded = given.size === 2;
		}
		return action;
	}
	const before = async (person: Person, now: Seen) => {
		const trade = (now.position.view as Marks).trade;
		if (trade?.counter) await person.page.getByText(/^Rather (\d+ cards|one card) each\.$/).waitFor();
	};
	await playTogether(people, 'x-marks-the-spot', { pick: picker(3), drawn: () => !traded, wish, before, most: 40, until: () => traded });
	expect([...new Set(said)]).toEqual(['parlay', 'counter', 'open', 'offer', 'take', 'give']);

	// Each of the two has what the other one gave; nobody else saw it.
	const [one, other] = [...given.keys()] as [number, number];
	const hand = async (seat: number) => ((await seen(people[seat]!.page))?.position.view as Marks).players[seat]?.hand ?? [];
	expect(await hand(one)).toEqual(expect.arrayContaining(given.get(other) ?? []));
	expect(await hand(other)).toEqual(expect.arrayContaining(given.get(one) ?? []));
	for (const seat of [0, 1, 2, 3].filter((seat) => !given.has(seat))) {
		const gifts = await people[seat]!.page.locator('.log li', { hasText: 'give' }).allTextContents();
		expect(gifts).toHaveLength(2);
		for (const gift of gifts) expect(gift).toMatch(/give( \?)+$/);
	}

	await playTogether(people, 'x-marks-the-spot', { pick: picker(5) });
	expect((await results(people)).filter((text) => /won|draw/i.test(text))).toHaveLength(4);
	await part(people);
});
