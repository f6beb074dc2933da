// Every page and every state that people see, each reached as they reach it: for pictures, and for the check that all can
// use them.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { WebSocketRoute } from 'playwright-core';
import type { Created, Look, Opened } from '../../src/generated/types';
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

/** An example of a game up to the first position in which seat 0 acts, from its middle or from another ply on. */
export function example(game: string, from = GAMES[game]?.ply ?? 0): string {
	const { session, position } = call('load', { record: wholeExample(game) }) as Opened;
	for (let at = from; at < position.ply; at += 1) {
		const { position: earlier } = call('look', { session, ply: at }) as Look;
		if (earlier.turn.kind !== 'seat' || earlier.turn.seat !== 0) continue;
		call('undo', { session, count: position.ply - at });
		const record = call('record', { session }) as string;
		call('close', { session });
		return record;
	}
	throw new Error(`seat 0 does not act any more in the example of ${game}`);
}

export function wholeExample(game: string): string {
	return readFileSync(resolve(repo, 'examples', GAMES[game]?.example ?? ''), 'utf8');
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

/** Sends the server something from the page where a person is; gives what it answers. */
function post(person: Person, path: string, body: object): Promise<unknown> {
	return person.page.evaluate(
		async ([path, body]) => {
			const headers = { 'content-type': 'application/json' };
			return (await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })).json() as Promise<unknown>;
		},
		[path, body] as const,
	);
}

/** Comes to the server as a guest or with an account; gives the name. */
async function comeIn(person: Person, as: 'guests' | 'accounts'): Promise<string> {
	const name = `Anna ${Math.floor(Math.random() * 1e9)}`;
	await person.goTo('/learn');
	await post(person, `/api/${as}`, as === 'guests' ? { name } : { name, password: 'five dots on a die' });
	return name;
}

/** Sets up a table of the server and sits down at its first seat; gives its address. */
async function table(person: Person, game: string, other: object): Promise<string> {
	await comeIn(person, 'guests');
	const clock = { kind: 'real_time', seconds: 600, increment: 5 };
	const seats = [{ kind: 'open' }, other];
	const setup = { game, options: {}, seats, shuffled: false, clock, rated: false, public: true, undo: 'asked' };
	const { table } = (await post(person, '/api/tables', { setup })) as Created;
	await post(person, `/api/tables/${table}/commands`, { id: 'sit', command: { type: 'sit', seat: 0 } });
	return `/table/${table}`;
}

/** A table of the server with a game against the computer, at which this person is on turn. */
async function playOnline(person: Person, game: string): Promise<void> {
	await person.goTo(await table(person, game, { kind: 'engine', level: 'novice' }));
	await person.page.locator('.board svg').first().waitFor();
	await person.page.locator('.lost').waitFor({ state: 'detached' });
}

/** The end of a game, and from there its review. */
async function review(person: Person, game: string): Promise<void> {
	await resume(person, game, wholeExample(game));
	await person.page.locator('.result button:not(.primary)').click();
	await person.page.getByRole('slider').first().waitFor();
}

export const scenes: Scene[] = [
	page('home', '/', '.games svg'),
	{
		name: 'menu',
		show: async (person) => {
			await person.goTo('/');
			await person.page.locator('.games svg').first().waitFor();
			await person.page.locator('header summary').click();
		},
	},
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
		name: 'table-parlay',
		show: async (person) => {
			// Here Ben asks Anna for cards.
			await resume(person, 'x-marks-the-spot', example('x-marks-the-spot', 223));
			await person.page.getByRole('dialog').waitFor();
		},
	},
	{
		name: 'finished',
		show: async (person) => {
			await resume(person, 'trexo', wholeExample('trexo'));
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
		page(`rules-${game}`, `/learn/${game}`, 'main svg'),
		page(`lesson-${game}`, `/learn/${game}/lesson`, 'main svg'),
	]),
	{
		name: 'review',
		show: (person) => review(person, 'castle-builders'),
	},
	{
		name: 'analysis',
		show: async (person) => {
			await review(person, 'trexo');
			const card = person.page.locator('section', { has: person.page.locator('#analysis') });
			await card.locator('select').selectOption('quick');
			await card.locator('select + button').click();
			await card.locator('progress').waitFor();
			await card.locator('progress').waitFor({ state: 'detached', timeout: 120_000 });
		},
	},
	page('review-empty', '/review', 'h1'),
	page('lobby', '/online', '#open'),
	page('new-table', '/online/new?game=figures', 'form'),
	{
		name: 'waiting',
		show: async (person) => {
			await person.goTo(await table(person, 'trexo', { kind: 'open' }));
			// The code of the link: on a small screen the picture of the board is not shown.
			await person.page.locator('main svg[shape-rendering]').waitFor();
		},
	},
	{
		name: 'online-table',
		show: (person) => playOnline(person, 'figures'),
	},
	{
		name: 'online-table-lost',
		show: async (person) => {
			let there = true;
			const open: WebSocketRoute[] = [];
			await person.page.routeWebSocket('**/api/live', (socket) => {
				if (!there) return void socket.close();
				socket.connectToServer();
				open.push(socket);
			});
			await playOnline(person, 'mod-x');
			there = false;
			for (const socket of open) await socket.close();
			await person.page.locator('.lost').waitFor();
		},
	},
	{
		name: 'no-server',
		show: async (person) => {
			await person.page.route('**/api/**', (route) => route.abort());
			await person.goTo('/online');
			await person.page.getByRole('alert').waitFor();
		},
	},
	page('my-games', '/games', 'h1'),
	page('leaderboard', '/ranks', 'h1'),
	page('search', '/search', 'h1'),
	page('you', '/me', 'form'),
	{
		name: 'account',
		show: async (person) => {
			await comeIn(person, 'accounts');
			await person.goTo('/me');
			await person.page.locator('main details').waitFor();
		},
	},
	{
		name: 'player',
		show: async (person) => {
			await person.goTo(`/player/${encodeURIComponent(await comeIn(person, 'guests'))}`);
			await person.page.locator('main h2').first().waitFor();
		},
	},
	page('nowhere', '/nowhere', 'h1'),
];
