// Every page and every state that people see, each reached as they reach it: for pictures, and for the check that all can
// use them.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Saved } from '../../src/table/saved';
import type { Person } from './person';
import { call } from './table';

const repo = resolve(import.meta.dirname, '../../..');

/** The games with an example in the middle of which seat 0 is on turn. */
const GAMES: Record<string, { example: string; ply: number }> = {
	'mod-x': { example: 'mod-x.txt', ply: 31 },
	'x-marks-the-spot': { example: 'x-marks-the-spot.txt', ply: 58 },
	trexo: { example: 'trexo.txt', ply: 26 },
	'castle-builders': { example: 'castle-builders.txt', ply: 38 },
	figures: { example: 'figures.txt', ply: 60 },
};

export const games = Object.keys(GAMES);

type Opened = { session: number; position: { ply: number; seats: number; turn: { kind: string; seat?: number } } };

/** An example of a game, whole or up to the first position from a ply on in which seat 0 acts. */
export function example(game: string, whole = false): string {
	const { example, ply } = GAMES[game]!;
	const record = readFileSync(resolve(repo, 'examples', example), 'utf8');
	const { session, position } = call('load', { record }) as Opened;
	if (!whole) {
		for (let at = ply; at < position.ply; at += 1) {
			const look = call('look', { session, ply: at }) as Opened;
			if (look.position.turn.kind !== 'seat' || look.position.turn.seat !== 0) continue;
			call('undo', { session, count: position.ply - at });
			break;
		}
	}
	const text = call('record', { session }) as string;
	call('close', { session });
	return text;
}

/** Puts a game into a person's browser and opens it. */
export async function resume(person: Person, game: string, record: string, people = 1): Promise<void> {
	const seats = ['Anna', 'Ben'].map((name, seat) =>
		seat < people ? { kind: 'person' as const, name } : { kind: 'engine' as const, level: 'club' },
	);
	const id = `scene-${game}`;
	const saved: Saved = { id, game, options: {}, seats, record, plies: 1, changed: 1_794_000_000_000, winners: null };
	await person.goTo('/learn');
	await person.page.evaluate(
		([id, text]) => {
			localStorage.setItem(`quincunx.game.${id}`, text);
			localStorage.setItem('quincunx.games', JSON.stringify([id]));
		},
		[id, JSON.stringify(saved)] as const,
	);
	await person.goTo(`/here/${id}`);
}

export type Scene = { name: string; show: (person: Person) => Promise<void> };

const page = (name: string, path: string, sign: string): Scene => ({
	name,
	show: async (person) => {
		await person.goTo(path);
		await person.page.locator(sign).first().waitFor();
	},
});

/** A table of a server, set up by this person; gives its address. */
async function table(person: Person, game: string, seats: object[]): Promise<string> {
	await person.goTo('/online');
	await person.page.getByRole('heading').first().waitFor();
	const made = await person.page.evaluate(
		async ([game, seats]) => {
			const post = (path: string, body: object) =>
				fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
			await post('/api/guests', { name: `Anna ${Math.floor(performance.now() * 1000)}` });
			const clock = { kind: 'real_time', seconds: 600, increment: 5 };
			const setup = { game, options: {}, seats, shuffled: false, clock, rated: false, public: true, undo: 'asked' };
			const made = (await (await post('/api/tables', { setup })).json()) as { table: string };
			await post(`/api/tables/${made.table}/commands`, { id: crypto.randomUUID(), command: { type: 'sit', seat: 0 } });
			return made;
		},
		[game, seats] as const,
	);
	return `/table/${made.table}`;
}

export const scenes: Scene[] = [
	page('home', '/', '.games svg'),
	page('set-up', '/new/mod-x', 'form'),
	...games.map(
		(game): Scene => ({
			name: `table-${game}`,
			show: async (person) => {
				await resume(person, game, example(game));
				await person.page.locator('.board svg').first().waitFor();
			},
		}),
	),
	{
		name: 'finished',
		show: async (person) => {
			await resume(person, 'trexo', example('trexo', true));
			await person.page.locator('.result').waitFor();
		},
	},
	{
		name: 'hand-over',
		show: async (person) => {
			await resume(person, 'castle-builders', example('castle-builders'), 2);
			await person.page.getByRole('alertdialog').waitFor();
		},
	},
	{
		name: 'text-mode',
		show: async (person) => {
			await person.choose({ textMode: true });
			await resume(person, 'mod-x', example('mod-x'));
			await person.page.locator('#notation').waitFor();
		},
	},
	page('learn', '/learn', 'h1'),
	...games.flatMap((game) => [
		page(`rules-${game}`, `/learn/${game}`, 'article svg, main svg'),
		page(`lesson-${game}`, `/learn/${game}/lesson`, 'main svg'),
	]),
	{
		name: 'review',
		show: async (person) => {
			await resume(person, 'castle-builders', example('castle-builders', true));
			await person.page.locator('.result').getByRole('button', { name: 'Review' }).click();
			await person.page.getByRole('slider').first().waitFor();
		},
	},
	page('review-empty', '/review', 'h1'),
	page('lobby', '/online', 'h1'),
	page('new-table', '/online/new?game=figures', 'form'),
	{
		name: 'waiting',
		show: async (person) => {
			await person.goTo(await table(person, 'trexo', [{ kind: 'open' }, { kind: 'open' }]));
			await person.page.locator('main svg').first().waitFor();
		},
	},
	{
		name: 'online-table',
		show: async (person) => {
			await person.goTo(await table(person, 'figures', [{ kind: 'open' }, { kind: 'engine', level: 'club' }]));
			await person.page.locator('.board svg').first().waitFor();
		},
	},
	page('my-games', '/games', 'h1'),
	page('leaderboard', '/ranks', 'h1'),
	page('search', '/search', 'h1'),
	page('you', '/me', 'h1'),
	page('nowhere', '/nowhere', 'h1'),
];
