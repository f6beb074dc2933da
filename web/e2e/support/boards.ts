// Moves on the drawn boards, made with the pointer as a person makes them. Each board shows what is about to be done; that is
// read before the last click, so that a board which shows one thing and does another is found out.

import type { Locator, Page } from 'playwright-core';
import type { View as Marks } from '../../src/generated/views/x-marks-the-spot';
import { beyond, type Seen } from './table';

type Driver = (page: Page, action: string, seen: Pick<Seen, 'me' | 'position'>) => Promise<void>;

/** Makes an action on the drawn board and waits until it was made. */
export async function act(page: Page, game: string, action: string, seen: Seen): Promise<void> {
	await move(page, game, action, seen);
	await beyond(page, seen.position.ply);
}

/** Makes an action on the drawn board. */
export async function move(page: Page, game: string, action: string, seen: Pick<Seen, 'me' | 'position'>): Promise<void> {
	const driver = drivers[game];
	if (!driver) throw new Error(`nobody knows how to play ${game}`);
	await driver(page, action, seen);
}

/** Presses a key until something holds; it does so after a few times, or never. */
async function until(page: Page, keys: readonly string[], holds: () => Promise<boolean>, what: string): Promise<void> {
	for (const key of ['', ...keys]) {
		if (key) await page.keyboard.press(key);
		if (await holds()) return;
	}
	throw new Error(`the board never shows ${what}`);
}

/** Two squares of an action such as `a1c3`. */
function pair(action: string): [string, string] {
	const [, one, other] = /^([a-z]\d+)([a-z]\d+)$/.exec(action) ?? [];
	if (!one || !other) throw new Error(`${action} names no two squares`);
	return [one, other];
}

const trexo: Driver = async (page, action) => {
	if (action === 'swap') return page.locator('.trexo .take').click();
	const [x, o] = pair(action);
	const square = page.locator(`.trexo [data-square="${x}"]`);
	await square.hover();
	const wanted = `X on ${x}, O on ${o}`;
	const holds = async () => (await page.locator('.trexo .told [role=status]').textContent()) === wanted;
	await until(page, ['r', 'r', 'r', 'x', 'r', 'r', 'r'], holds, wanted);
	await square.click();
};

const modX: Driver = async (page, action) => {
	if (action === 'done') return page.locator('.tray').getByRole('button', { name: 'Done' }).click();
	await page.locator(`.mod-x [data-square="${action.replace(/^[*!]/, '')}"]`).click();
};

const STONES: Record<string, string> = { r: 'red', y: 'yellow', g: 'green', b: 'blue', n: 'brown' };

const figures: Driver = async (page, action) => {
	const target = (name: string) => page.locator(`.board [data-target="${name}"]`);
	const stone = STONES[action.slice(1)];
	if (stone && /^[+-]/.test(action)) return target(stone).click();
	const [one, other] = pair(action);
	await target(one).click();
	await target(other).click();
};

const castleBuilders: Driver = async (page, action) => {
	const [, kind, turned, tower] = /^([OCBRKS])([vh]?)(\d?)$/.exec(action) ?? [];
	const spot = (id: string) => page.locator(`.frame [data-at="${id}"]`);
	const counter = spot(`hand-${kind}0`);
	// A counter that is the only one to be played is chosen already.
	if ((await counter.getAttribute('aria-pressed')) !== 'true') await counter.click();
	if (turned) await spot(turned === 'v' ? 'vertical' : 'horizontal').click();
	await spot(tower ? `tower-${tower}` : 'play').click();
};

const ICONS: Record<string, string> = {
	c: 'Condent',
	r: 'Rackham',
	a: 'Avery',
	w: 'Wynn',
	g: 'ghost ship',
	k: 'kraken',
	o: 'open water',
};
const CARDS: Record<string, string> = { cannon: 'Cannon', heading: 'New Heading', parlay: 'Parlay', plunder: 'Plunder' };

/** What the page calls a card. */
export function cardName(card: string): string {
	const [first = '', second = ''] = card;
	return CARDS[card] ?? (first === second ? `${ICONS[first]} twice` : `${ICONS[first]} and ${ICONS[second]}`);
}

const STEPS: Record<string, readonly [number, number]> = { n: [0, 1], e: [1, 0], s: [0, -1], w: [-1, 0] };

export type Square = readonly [x: number, y: number];

export function square(text: string): Square {
	const [x = 0, y = 0] = text.split(',').map(Number);
	return [x, y];
}

/** The neighbour of a square in a direction. */
export function beside([x, y]: Square, direction: string): Square {
	const [dx, dy] = STEPS[direction] ?? [0, 0];
	return [x + dx, y + dy];
}

/** Where a square of the chart is on the screen; what is out of sight comes into sight first. */
async function pixel(page: Page, [x, y]: Square): Promise<{ x: number; y: number }> {
	for (let zoomed = 0; zoomed < 6; zoomed += 1) {
		const at = await page.evaluate(
			([x, y]) => {
				const cell = document.querySelector('.x-marks svg [role=gridcell]');
				const chart = cell?.closest('svg');
				const [, cellX = 0, cellY = 0] = (/-(-?\d+),(-?\d+)$/.exec(cell?.id ?? '') ?? []).map(Number);
				const box = cell?.getBoundingClientRect();
				const room = chart?.getBoundingClientRect();
				if (!box || !room) return null;
				const point = {
					x: box.x + box.width * (x - cellX + 0.5),
					y: box.y + box.height * (cellY - y + 0.5),
				};
				const inside =
					point.x > room.left + 4 && point.x < room.right - 4 && point.y > room.top + 4 && point.y < room.bottom - 4;
				return { ...point, seen: inside && document.elementFromPoint(point.x, point.y)?.closest('svg') === chart };
			},
			[x, y] as const,
		);
		if (at?.seen) return at;
		await page.getByRole('button', { name: 'Zoom out' }).click();
		// The camera glides.
		await page.waitForTimeout(400);
	}
	throw new Error(`${x},${y} is not to be seen on the chart`);
}

/** What the page says about the square that is pointed at. */
export async function pointedAt(page: Page): Promise<string> {
	return page.evaluate(() => document.querySelector('.x-marks [role=gridcell][aria-selected=true]')?.getAttribute('aria-label') ?? '');
}

const xMarksTheSpot: Driver = async (page, action, { me, position }) => {
	const view = position.view as Marks;
	const hand = view.players[me]?.hand ?? [];
	const [verb = '', ...words] = action.split(' ');
	const sheet = page.locator('.x-marks').getByRole('dialog');
	const press = (name: string, within: Locator = page.locator('.x-marks')) =>
		within.getByRole('button', { name, exact: true }).first().click();
	const cards = page.locator('.x-marks .tray [role=toolbar] button');

	async function pick(card: string, butNot: readonly number[] = []): Promise<number> {
		const place = hand.findIndex((held, at) => held === card && !butNot.includes(at));
		if ((await cards.nth(place).getAttribute('aria-pressed')) !== 'true') await cards.nth(place).click();
		return place;
	}
	async function click(at: Square): Promise<void> {
		const { x, y } = await pixel(page, at);
		await page.mouse.move(x, y);
		await page.mouse.down();
		await page.mouse.up();
	}
	const laid = (card: string, first: Square, second: Square) =>
		`${ICONS[card[0] ?? '']} on ${first}, ${ICONS[card[1] ?? '']} on ${second}`;
	const turns = ['r', 'r', 'r'];

	switch (verb) {
		case 'draw':
			return press('Draw');
		case 'pass':
			return press('Pass');
		case 'scuttle':
			await press('Scuttle');
			return press('Scuttle, end turn');
		case 'place': {
			const [card = '', at = '', direction = ''] = words;
			const first = square(at);
			await pick(card);
			const { x, y } = await pixel(page, first);
			await page.mouse.move(x, y);
			const wanted = laid(card, first, beside(first, direction));
			await until(page, turns, async () => (await pointedAt(page)).endsWith(`${wanted}. You may lay it here`), wanted);
			return click(first);
		}
		case 'cannon':
			await pick('cannon');
			return click(square(words[0] ?? ''));
		case 'heading': {
			const [at = '', card = '', direction = ''] = words;
			const target = square(at);
			const used = await pick('heading');
			await click(target);
			await pick(card, [used]);
			const upper = direction === 's' ? beside(target, 'n') : direction === 'w' ? beside(target, 'e') : target;
			const wanted = laid(card, upper, beside(upper, direction));
			await until(page, turns, async () => (await pointedAt(page)).endsWith(wanted), wanted);
			return press('Lay it');
		}
		case 'parlay': {
			const [seat, cards] = [Number(words[0]), Number(words[1]?.slice(1))];
			await pick('parlay');
			const whom = sheet.getByRole('group', { name: 'Whom do you talk to?' });
			// With one other player there is nobody to choose.
			if ((await whom.count()) > 0) await whom.getByRole('button').nth(others(view, me).indexOf(seat)).click();
			return press(counted(cards), sheet);
		}
		case 'counter':
		case 'offer':
			return press(counted(Number(words[0]?.slice(1))), sheet);
		case 'accept':
			return press('Agreed', sheet);
		case 'decline':
			return press('Not I', sheet);
		case 'open':
			return press('Who else would trade?', sheet);
		case 'force':
			return sheet.getByRole('button', { name: /one card, like it or not/ }).click();
		case 'take': {
			const offers = view.trade?.offers.filter(({ cards }) => cards !== null).map(({ seat }) => seat) ?? [];
			return sheet.getByRole('button', { name: /^Trade \d+ with/ }).nth(offers.indexOf(Number(words[0]))).click();
		}
		case 'give': {
			const given: number[] = [];
			for (const card of words) given.push(await pick(card, given));
			return press('Give these', sheet);
		}
		case 'plunder': {
			await pick('plunder');
			if (words[0] === 'discard') return press(`Take ${cardName(words[1] ?? '')}`, sheet);
			const able = position.actions.flatMap(({ action }) => /^plunder (\d)$/.exec(action)?.[1] ?? []);
			return sheet.getByRole('button', { name: /'s hand \(/ }).nth(able.indexOf(words[0] ?? '')).click();
		}
		case 'steal':
			return press(`Take ${cardName(words[0] ?? '')}`, sheet);
		default:
			throw new Error(`nobody knows how to ${action}`);
	}
};

const counted = (cards: number) => (cards === 1 ? '1 card' : `${cards} cards`);
const others = (view: Marks, me: number) => view.players.map(({ seat }) => seat).filter((seat) => seat !== me);

const drivers: Record<string, Driver> = {
	trexo,
	'mod-x': modX,
	figures,
	'castle-builders': castleBuilders,
	'x-marks-the-spot': xMarksTheSpot,
};
