// Moves on the drawn boards by keyboard alone, and the way through a page with the tabulator key.

import type { Page } from 'playwright-core';
import type { View as Marks } from '../../src/generated/views/x-marks-the-spot';
import { beside, cardName, pointedAt, square, type Square } from './boards';
import { beyond, type Seen } from './table';

/** Presses Tab until something that fits has the focus, by its kind and by what it is called. */
export async function tabTo(page: Page, selector: string, called = /^/): Promise<void> {
	for (let presses = 0; presses < 400; presses += 1) {
		const there = await page.evaluate(
			([selector, called]) => {
				const at = document.activeElement;
				const name = at?.getAttribute('aria-label') ?? at?.textContent ?? '';
				return at !== null && at.matches(selector) && new RegExp(called).test(name.trim());
			},
			[selector, called.source] as const,
		);
		if (there) return;
		await page.keyboard.press('Tab');
	}
	throw new Error(`the tabulator key never leads to ${selector} ${called}`);
}

const ARROWS = ['ArrowRight', 'ArrowLeft', 'ArrowUp', 'ArrowDown'] as const;
type Key = (typeof ARROWS)[number];

/** Goes with the arrow keys from what has the focus to something else on the board, as the eye leads. */
async function walkTo(page: Page, selector: string): Promise<void> {
	const tried = new Set<string>();
	for (let steps = 0; steps < 80; steps += 1) {
		const way = await page.evaluate((selector) => {
			const [from, to] = [document.activeElement, document.querySelector(selector)];
			if (!from || !to) throw new Error(`there is no ${selector}`);
			const middle = (element: Element) => {
				const { x, y, width, height } = element.getBoundingClientRect();
				return [x + width / 2, y + height / 2] as const;
			};
			const [fromX, fromY] = middle(from);
			const [toX, toY] = middle(to);
			return { there: from === to, dx: toX - fromX, dy: toY - fromY, at: from.outerHTML.slice(0, 200) };
		}, selector);
		if (way.there) return;
		const across: Key = way.dx > 0 ? 'ArrowRight' : 'ArrowLeft';
		const along: Key = way.dy > 0 ? 'ArrowDown' : 'ArrowUp';
		const keys = Math.abs(way.dx) > Math.abs(way.dy) ? [across, along] : [along, across];
		// What has led nowhere from here is not tried again.
		const key = keys.find((one) => !tried.has(`${way.at} ${one}`)) ?? keys[0] ?? across;
		tried.add(`${way.at} ${key}`);
		await page.keyboard.press(key);
	}
	throw new Error(`the arrow keys never lead to ${selector}`);
}

/** Brings the focus to the board if it is not there, with the one stop that the board has. */
async function enter(page: Page, selector: string): Promise<void> {
	const inside = await page.evaluate((selector) => document.activeElement?.matches(selector) ?? false, selector);
	if (!inside) await tabTo(page, selector);
}

async function until(page: Page, keys: readonly string[], holds: () => Promise<boolean>, what: string): Promise<void> {
	for (const key of ['', ...keys]) {
		if (key) await page.keyboard.press(key);
		if (await holds()) return;
	}
	throw new Error(`the board never shows ${what}`);
}

type Keys = (page: Page, action: string, seen: Seen) => Promise<void>;

const trexo: Keys = async (page, action) => {
	const [, x = '', o = ''] = /^([a-z]\d+)([a-z]\d+)$/.exec(action) ?? [];
	await enter(page, '.trexo [data-square]');
	await walkTo(page, `.trexo [data-square="${x}"]`);
	const wanted = `X on ${x}, O on ${o}`;
	const told = page.locator('.trexo .told [role=status]');
	await until(page, ['r', 'r', 'r', 'x', 'r', 'r', 'r'], async () => (await told.textContent()) === wanted, wanted);
	await page.keyboard.press('Enter');
};

const modX: Keys = async (page, action) => {
	await enter(page, '.mod-x [data-square]');
	await walkTo(page, `.mod-x [data-square="${action.replace('*', '')}"]`);
	await page.keyboard.press('Enter');
};

const STONES: Record<string, string> = { r: 'red', y: 'yellow', g: 'green', b: 'blue', n: 'brown' };

const figures: Keys = async (page, action) => {
	await enter(page, '.board [data-target]');
	const stone = /^[+-]/.test(action) ? STONES[action.slice(1)] : undefined;
	for (const target of stone ? [stone] : [action.slice(0, 2), action.slice(2)]) {
		await walkTo(page, `.board [data-target="${target}"]`);
		await page.keyboard.press('Enter');
	}
};

const castleBuilders: Keys = async (page, action) => {
	const [, kind = '', turned = '', tower = ''] = /^([OCBRKS])([vh]?)(\d?)$/.exec(action) ?? [];
	await enter(page, '.frame [data-at]');
	const counter = page.locator(`.frame [data-at="hand-${kind}0"]`);
	// A counter that is the only one to be played is chosen already.
	if ((await counter.getAttribute('aria-pressed')) !== 'true') await page.keyboard.press(kind.toLowerCase());
	if (turned) await page.keyboard.press(turned);
	if (tower) return page.keyboard.press(tower);
	await walkTo(page, '.frame [data-at=play]');
	await page.keyboard.press('Enter');
};

/** Goes over the chart to a square: from square to square, or from target to target where there are some. */
async function sail(page: Page, to: Square): Promise<void> {
	const tried = new Map<string, number>();
	for (let steps = 0; steps < 200; steps += 1) {
		const [, x = 0, y = 0] = (/^(-?\d+),(-?\d+):/.exec(await pointedAt(page)) ?? []).map(Number);
		const [dx, dy] = [to[0] - x, to[1] - y];
		if (dx === 0 && dy === 0) return;
		const across: Key = dx > 0 ? 'ArrowRight' : 'ArrowLeft';
		const along: Key = dy > 0 ? 'ArrowUp' : 'ArrowDown';
		const ahead: Key[] = Math.abs(dx) > Math.abs(dy) ? [across, along] : [along, across];
		// Ahead first; what was tried here least often otherwise.
		const keys = [...ahead, ...ARROWS].map((key) => ({ key, times: tried.get(`${x},${y} ${key}`) ?? 0 }));
		const { key } = keys.reduce((best, one) => (one.times < best.times ? one : best));
		tried.set(`${x},${y} ${key}`, (tried.get(`${x},${y} ${key}`) ?? 0) + 1);
		await page.keyboard.press(key);
	}
	throw new Error(`the arrow keys never lead to ${to}, only along ${[...tried.keys()].join('; ')}`);
}

/** What is said with a button: in the bar below the chart, or in a sheet. */
const SAID: Record<string, RegExp> = {
	draw: /^Draw$/,
	pass: /^Pass$/,
	scuttle: /^Scuttle$/,
	accept: /^Agreed$/,
	decline: /^Not I$/,
	force: /like it or not$/,
};

const xMarksTheSpot: Keys = async (page, action, { me, position }) => {
	const hand: readonly string[] = (position.view as Marks).players[me]?.hand ?? [];
	const [verb = '', ...words] = action.split(' ');
	const said = SAID[verb];
	const cards = page.locator('.x-marks [role=toolbar] button');

	async function say(called: RegExp, where = '.x-marks button'): Promise<void> {
		await tabTo(page, where, called);
		await page.keyboard.press('Enter');
	}
	/** Picks a card by its number; a card that has to be played is picked already. */
	async function pick(card: string, butNot: readonly number[] = []): Promise<number> {
		const place = hand.findIndex((held, at) => held === card && !butNot.includes(at));
		if ((await cards.nth(place).getAttribute('aria-pressed')) !== 'true') await page.keyboard.press(String(place + 1));
		else if (butNot.length === 0 && /place|cannon|heading/.test(verb)) await tabTo(page, '.x-marks svg[role=grid]');
		return place;
	}
	const sheet = '.x-marks [role=dialog] button';
	const counted = (text = '') => new RegExp(`^${text.slice(1)} cards?$`);
	const points = async (first: Square, direction: string) => {
		const wanted = `on ${beside(first, direction)}`;
		await until(page, ['r', 'r', 'r'], async () => (await pointedAt(page)).replace('. You may lay it here', '').endsWith(wanted), action);
	};

	if (said) {
		await say(said, '.x-marks button:not(:disabled):not(.pile)');
		if (verb === 'scuttle') await say(/^Scuttle, end turn$/);
		return;
	}
	if (verb === 'counter' || verb === 'offer') return say(counted(words[0]), sheet);
	if (verb === 'steal') return say(new RegExp(`^Take ${cardName(words[0] ?? '')}$`), sheet);
	await enter(page, '.x-marks [role=toolbar] button');
	switch (verb) {
		case 'place': {
			const [card = '', at = '', direction = ''] = words;
			await pick(card);
			await sail(page, square(at));
			await points(square(at), direction);
			return page.keyboard.press('Enter');
		}
		case 'cannon':
			await pick('cannon');
			await sail(page, square(words[0] ?? ''));
			return page.keyboard.press('Enter');
		case 'heading': {
			const [at = '', card = '', direction = ''] = words;
			const target = square(at);
			const used = await pick('heading');
			await sail(page, target);
			await page.keyboard.press('Enter');
			const laid = await pick(card, [used]);
			// Where there was no choice, the card was laid by itself.
			await cards.nth(laid).and(page.locator('[aria-pressed=true]')).waitFor();
			await points(direction === 's' ? beside(target, 'n') : direction === 'w' ? beside(target, 'e') : target, direction);
			return say(/^Lay it$/);
		}
		case 'give': {
			const given: number[] = [];
			for (const card of words) given.push(await pick(card, given));
			return say(/^Give these$/);
		}
		case 'parlay':
			await pick('parlay');
			return say(counted(words[1]), sheet);
		case 'plunder':
			await pick('plunder');
			if (words[0] === 'discard') return say(new RegExp(`^Take ${cardName(words[1] ?? '')}$`), sheet);
			return say(/'s hand \(/, sheet);
		default:
			throw new Error(`nobody knows the keys to ${action}`);
	}
};

const all: Record<string, Keys> = {
	trexo,
	'mod-x': modX,
	figures,
	'castle-builders': castleBuilders,
	'x-marks-the-spot': xMarksTheSpot,
};

/** Makes an action with keys alone and waits until it was made. */
export async function press(page: Page, game: string, action: string, seen: Seen): Promise<void> {
	const keys = all[game];
	if (!keys) throw new Error(`nobody knows the keys of ${game}`);
	await keys(page, action, seen);
	await beyond(page, seen.position.ply);
}
