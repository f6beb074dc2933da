// Moves on the drawn boards by keyboard alone, and the way through a page with the tabulator key.

import type { Page } from 'playwright-core';
import type { View as Marks } from '../../src/generated/views/x-marks-the-spot';
import { beside, pointedAt, square, type Square } from './boards';
import { beyond, type Seen } from './table';

/** Presses Tab until something that fits has the focus. */
export async function tabTo(page: Page, selector: string, words = ''): Promise<void> {
	for (let presses = 0; presses < 400; presses += 1) {
		const there = await page.evaluate(
			([selector, words]) => {
				const at = document.activeElement;
				const name = at?.getAttribute('aria-label') ?? at?.textContent ?? '';
				return at !== null && at.matches(selector) && name.trim().startsWith(words);
			},
			[selector, words] as const,
		);
		if (there) return;
		await page.keyboard.press('Tab');
	}
	throw new Error(`the tabulator key never leads to ${selector} ${words}`);
}

type Key = 'ArrowRight' | 'ArrowLeft' | 'ArrowUp' | 'ArrowDown';

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

/** Goes over the chart to a square. */
async function sail(page: Page, to: Square): Promise<void> {
	for (let steps = 0; steps < 80; steps += 1) {
		const [, x = 0, y = 0] = (/^(-?\d+),(-?\d+):/.exec(await pointedAt(page)) ?? []).map(Number);
		if (x === to[0] && y === to[1]) return;
		await page.keyboard.press(x < to[0] ? 'ArrowRight' : x > to[0] ? 'ArrowLeft' : y < to[1] ? 'ArrowUp' : 'ArrowDown');
	}
	throw new Error(`the arrow keys never lead to ${to}`);
}

const SAID: Record<string, string> = {
	draw: 'Draw',
	pass: 'Pass',
	scuttle: 'Scuttle',
	accept: 'Agreed',
	decline: 'Not I',
	force: '',
};

const xMarksTheSpot: Keys = async (page, action, { me, position }) => {
	const hand = (position.view as Marks).players[me]?.hand ?? [];
	const [verb = '', ...words] = action.split(' ');
	if (verb in SAID) {
		await tabTo(page, '.x-marks button:not(:disabled):not(.pile)', SAID[verb]);
		await page.keyboard.press('Enter');
		if (verb !== 'scuttle') return;
		await tabTo(page, '.x-marks button', 'Scuttle, end turn');
		return page.keyboard.press('Enter');
	}
	await enter(page, '.x-marks [role=toolbar] button');
	if (verb === 'give') {
		const given: number[] = [];
		for (const card of words) {
			const place = hand.findIndex((held, at) => held === card && !given.includes(at));
			given.push(place);
			await page.keyboard.press(String(place + 1));
		}
		await tabTo(page, '.x-marks button', 'Give these');
		return page.keyboard.press('Enter');
	}
	const [card = '', at = '', direction = ''] = words;
	if (verb !== 'place') throw new Error(`nobody knows the keys to ${action}`);
	const cards = page.locator('.x-marks [role=toolbar] button');
	const place = hand.indexOf(card as (typeof hand)[number]);
	// A card that has to be played is picked already.
	if ((await cards.nth(place).getAttribute('aria-pressed')) === 'true') await tabTo(page, '.x-marks svg[role=grid]');
	else await page.keyboard.press(String(place + 1));
	await sail(page, square(at));
	const other = `on ${beside(square(at), direction)}. You may lay it here`;
	await until(page, ['r', 'r', 'r'], async () => (await pointedAt(page)).endsWith(other), action);
	await page.keyboard.press('Enter');
};

const all: Record<string, Keys> = {
	trexo,
	'mod-x': modX,
	figures,
	'castle-builders': castleBuilders,
	'x-marks-the-spot': xMarksTheSpot,
};

/** What can be done with keys here; of X Marks the Spot, what is not too rare. */
export function byKeys(game: string, offers: readonly string[]): string[] {
	const able = game === 'x-marks-the-spot' ? offers.filter((action) => /^(draw|place|give|accept|decline|pass)/.test(action)) : offers;
	return able.length > 0 ? [...able] : [...offers];
}

/** Makes an action with keys alone and waits until it was made. */
export async function press(page: Page, game: string, action: string, seen: Seen): Promise<void> {
	const keys = all[game];
	if (!keys) throw new Error(`nobody knows the keys of ${game}`);
	await keys(page, action, seen);
	await beyond(page, seen.position.ply);
}
