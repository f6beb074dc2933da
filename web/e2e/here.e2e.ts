// A table of this browser has what one of a server has, and outlives what goes wrong.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeBrowser, Person } from './support/person';
import { example, resume } from './support/scenes';
import { Server } from './support/server';
import { agree, short } from './support/setup';
import { made, picker, seen, turn, turnOrHandOver } from './support/table';
import { type } from './support/words';

const server = new Server();
beforeAll(() => server.start());
afterAll(async () => {
	await closeBrowser();
	await server.close();
});

/** A game of Mod X against a novice, with so many minutes on the clock if any. */
async function begin(person: Person, minutes?: string): Promise<Page> {
	const { page } = person;
	page.on('dialog', (dialog) => void dialog.accept());
	await person.goTo('/new/mod-x');
	await page.locator('#who-1').selectOption('novice');
	if (minutes !== undefined) {
		await page.getByRole('button', { name: 'Minutes a game' }).click();
		await page.getByLabel('Minutes', { exact: true }).fill(minutes);
		await page.getByLabel('Seconds more a move', { exact: true }).fill('0');
	}
	await page.getByRole('button', { name: 'Begin' }).click();
	await page.locator('.mod-x [data-square]').first().waitFor();
	return page;
}

async function part(person: Person): Promise<void> {
	expect(person.troubles).toEqual([]);
	await person.leave();
}

test('a clock runs for the person, is there again after a reload, and its flag falls', async () => {
	const person = await Person.arrive(server.address);
	const page = await begin(person, '0.5');
	const clock = page.getByRole('timer').first();
	await page.waitForFunction(() => /0:2[0-7]/.test(document.querySelector('[role=timer]')?.textContent ?? ''));
	// Only what was kept with the last move is known after a reload, and the clock stands while nobody is here.
	await page.reload();
	await page.locator('.mod-x [data-square]').first().waitFor();
	expect(await clock.textContent()).toMatch(/^0:(2\d|30)$/);
	await page.locator('.result').waitFor({ timeout: 60_000 });
	expect(await page.locator('.result').textContent()).toMatch(/Novice has won/);
	await part(person);
});

const tables: [game: string, many: number][] = [
	['trexo', 2],
	['castle-builders', 2],
	['figures', 2],
	['figures', 4],
	['mod-x', 2],
	['mod-x', 3],
	['mod-x', 4],
	['x-marks-the-spot', 2],
	['x-marks-the-spot', 3],
	['x-marks-the-spot', 4],
];
test.each(tables)('%s for %d is begun at one screen, left, resumed and played to its end', async (game, many) => {
	const person = await Person.arrive(server.address);
	await person.choose({ textMode: true });
	const { page } = person;
	await person.goTo(`/new/${game}`);
	await page.getByRole('button', { name: 'Together at this screen' }).click();
	const count = page.getByRole('group', { name: 'How many play?' });
	if ((await count.count()) > 0) await count.getByRole('button', { name: String(many), exact: true }).click();
	await agree(page, short[game] ?? {});
	await page.getByRole('button', { name: 'Begin' }).click();
	await page.waitForURL(/\/here\//);
	const pick = picker(many);
	for (let moves = 0; ; ) {
		const now = await turnOrHandOver(page);
		if (now === 'handed over') {
			await page.getByRole('alertdialog').getByRole('button').first().click();
			await page.getByRole('alertdialog').waitFor({ state: 'detached' });
			continue;
		}
		if (now.over) break;
		moves += 1;
		if (moves === 5) {
			// The table is left, its worker with it, and found again among the own games.
			const { pathname } = new URL(page.url());
			await person.goTo('/games');
			await page.locator(`a[href="${pathname}"]`).first().click();
			expect((await seen(page))?.position.ply).toBe(now.position.ply);
			continue;
		}
		expect(await type(page, pick(now.offers))).toBe('');
		await made(page, now.position.ply);
	}
	expect(await page.locator('.result').textContent()).toMatch(/won|draw/i);
	await part(person);
});

test('an engine declines a draw; who resigns has lost, and begins second in the next game', async () => {
	const person = await Person.arrive(server.address);
	const page = await begin(person);
	expect((await turn(page)).me).toBe(0);
	await page.getByRole('button', { name: 'Offer a draw' }).click();
	await page.getByText('Novice declines the draw.').waitFor();
	await page.getByRole('button', { name: 'Resign' }).click();
	await page.locator('.result', { hasText: 'Novice has won' }).waitFor();
	const before = page.url();
	await page.getByRole('button', { name: 'Play again' }).click();
	await page.waitForURL((url) => url.href !== before);
	const next = await turn(page);
	expect(next.me).toBe(1);
	expect(next.position.ply).toBeGreaterThan(0);
	await part(person);
});

test('a game that was kept by an older version goes on', async () => {
	const person = await Person.arrive(server.address);
	const { page } = person;
	await person.goTo('/');
	await page.evaluate(() => {
		const seats = [{ kind: 'person', name: 'Anna' }, { kind: 'engine', level: 'novice' }];
		const record = 'Game: mod-x\nSeats: 2\n\n0: *c4; *c1; *g5; *c8; *f8\n';
		const game = { id: 'old', game: 'mod-x', options: {}, seats, record, plies: 5, changed: 1, winners: null };
		localStorage.setItem('quincunx.game.old', JSON.stringify(game));
		localStorage.setItem('quincunx.games', '["old"]');
	});
	await person.goTo('/here/old');
	const now = await turn(page);
	expect(now.position.ply).toBeGreaterThan(5);
	expect(await page.locator('.seats').textContent()).toContain('Anna');
	await part(person);
});

test('a kept game that was cut off or edited is refused with a sentence, and the others are unharmed', async () => {
	const person = await Person.arrive(server.address);
	const page = await begin(person);
	const good = page.url();
	await turn(page);
	await page.evaluate(() => {
		const id = location.pathname.split('/')[2]!;
		const game = JSON.parse(localStorage.getItem(`quincunx.game.${id}`)!) as { id: string; record: string };
		const broken = { ...game, id: 'edited', record: `${game.record}\n0: z99\n` };
		const cut = { ...game, id: 'cut', record: game.record.slice(0, 9) };
		for (const one of [broken, cut]) localStorage.setItem(`quincunx.game.${one.id}`, JSON.stringify(one));
		localStorage.setItem('quincunx.games', JSON.stringify([id, 'edited', 'cut']));
	});
	for (const id of ['edited', 'cut']) {
		await person.goTo(`/here/${id}`);
		await page.getByRole('heading', { name: 'This game cannot be opened.' }).waitFor();
		expect(await page.locator('main').innerText()).toMatch(/record/);
	}
	await page.goto(good);
	await page.locator('.mod-x [data-square]').first().waitFor();
	await part(person);
});

test('a worker that dies says so, and the game is opened again', async () => {
	const person = await Person.arrive(server.address);
	const page = await begin(person);
	await turn(page);
	await page.locator('.mod-x [data-square=d4]').click();
	const { position } = await turn(page);
	const host = page.workers().find((worker) => worker.url().includes('host'))!;
	await host.evaluate(() => void setTimeout(() => { throw new Error('a test ends it'); }));
	await page.getByRole('heading', { name: 'The game was interrupted.' }).waitFor();
	await page.getByRole('button', { name: 'Try again' }).click();
	await page.locator('.mod-x [data-square]').first().waitFor();
	expect((await seen(page))?.position.ply).toBe(position.ply);
	expect((await turn(page)).position.ply).toBe(position.ply);
	await person.leave();
});

test('who chooses a level reads what to expect of it', async () => {
	const person = await Person.arrive(server.address);
	const { page } = person;
	await person.goTo('/new/trexo');
	const level = page.locator('#who-1');
	// The levels come from the engine, which a worker loads.
	await level.locator('optgroup option').first().waitFor({ state: 'attached' });
	expect(await level.locator('optgroup option').count()).toBe(7);
	await level.selectOption('beginner');
	await page.getByText('Has just learnt the rules').waitFor();
	await level.selectOption('strong');
	await page.getByText('you need a plan').waitFor();
	expect(await page.getByText('Has just learnt the rules').count()).toBe(0);
	await part(person);
});

test('a hint tells the best lines, and the board shows the one that is pressed', async () => {
	const person = await Person.arrive(server.address);
	const { page } = person;
	await resume(person, 'trexo', example('trexo'));
	await page.getByRole('button', { name: 'Hint' }).click();
	const lines = page.getByRole('list', { name: 'Best moves' }).getByRole('button');
	await lines.nth(2).waitFor();
	expect(await lines.count()).toBe(3);
	const hint = page.locator('.task .hint');
	for (const number of [0, 2]) {
		await lines.nth(number).click();
		const action = await lines.nth(number).locator('.action').textContent();
		await hint.getByText(`Hint: ${action}`, { exact: true }).waitFor();
		await page.locator('.trexo .hint').first().waitFor();
	}
	expect(await lines.first().textContent()).toMatch(/\d+\s?%/);
	await part(person);
});
