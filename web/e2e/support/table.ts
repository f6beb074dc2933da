// What stands on the table in front of a person: asked of the rules and of the server, not of the page that is tested.

import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { openEngine } from '../../scripts/engine.mjs';
import type { Look, Opened, Position, Snapshot } from '../../src/generated/types';
import type { Saved } from '../../src/table/saved';

/** The rules, in this process. */
export const call = await openEngine(resolve(import.meta.dirname, '../../src/generated/engine.wasm'));

export type Seen = {
	/** The seat of this person. */
	me: number;
	/** What this person may be offered. */
	offers: string[];
	position: Position;
	/** What was done, as far as this person may know it. */
	log: readonly { action: string }[];
	over: boolean;
};

type Kept = { record: string; seats: Saved['seats'] };
type Told = { snapshot: Snapshot; user: number };

/** The table whose address the page has; nothing if the page shows none. */
export async function seen(page: Page): Promise<Seen | null> {
	const told = await page.evaluate(async () => {
		const [, place, id] = location.pathname.split('/');
		if (place === 'here') return JSON.parse(localStorage.getItem(`quincunx.game.${id}`) ?? 'null') as Kept | null;
		if (place !== 'table') return null;
		const [look, me] = await Promise.all([fetch(`/api/tables/${id}${location.search}`), fetch('/api/me')]);
		if (!look.ok || !me.ok) return null;
		return { snapshot: (await look.json()) as Snapshot, user: ((await me.json()) as { id: number }).id };
	});
	if (!told) return null;
	return 'record' in told ? seenHere(told) : seenThere(told);
}

function seenHere({ record, seats }: Kept): Seen {
	const { session, position } = call('load', { record }) as Opened;
	const people = seats.flatMap(({ kind }, seat) => (kind === 'person' ? seat : []));
	const turn = position.turn.kind === 'seat' ? position.turn.seat : -1;
	const me = people.includes(turn) ? turn : (people[0] ?? 0);
	const look = call('look', { session, seat: me }) as Look;
	call('close', { session });
	return { me, offers: look.offers, position: look.position, log: look.log, over: look.position.turn.kind === 'over' };
}

function seenThere({ snapshot, user }: Told): Seen {
	const position = snapshot.position as Position;
	return {
		me: snapshot.seats.findIndex((seat) => seat.user === user),
		offers: position.actions.map(({ action }) => action),
		position,
		log: snapshot.log,
		over: snapshot.status === 'finished',
	};
}

/** How many actions the page shows; -1 where it shows none. */
export async function shownPlies(page: Page): Promise<number> {
	return page.evaluate(() => Number(document.querySelector('.log .steps .figures')?.textContent?.split('/')[1] ?? -1));
}

/** Waits until this person is on turn and the page shows it, or until the game is over. */
export async function turn(page: Page, patience = 120_000): Promise<Seen> {
	const until = Date.now() + patience;
	while (Date.now() < until) {
		const now = await seen(page);
		const mine = now?.position.turn.kind === 'seat' && now.position.turn.seat === now.me && now.offers.length > 0;
		if (now?.over && (await page.locator('.result').count()) > 0) return now;
		if (now && mine && (await shownPlies(page)) === now.position.ply && (await ready(page))) return now;
		await page.waitForTimeout(40);
	}
	throw new Error(`nobody is on turn: ${await page.locator('.status').textContent({ timeout: 1000 }).catch(() => page.url())}`);
}

/** Whether the page asks for something and nothing lies over it. */
async function ready(page: Page): Promise<boolean> {
	return page.evaluate(() => document.querySelector('.task') !== null && document.querySelector('[role=alertdialog]') === null);
}

/** Waits until more than so many actions were made and the page shows them. */
export async function beyond(page: Page, ply: number): Promise<void> {
	await page.waitForFunction(
		(ply) => Number(document.querySelector('.log .steps .figures')?.textContent?.split('/')[1] ?? -1) > ply,
		ply,
		{ timeout: 60_000, polling: 30 },
	);
}

/** Waits until an action was made: the page shows it, or nothing any more. */
export async function made(page: Page, ply: number): Promise<void> {
	await page.waitForFunction(
		(ply) => {
			const shown = document.querySelector('.log .steps .figures')?.textContent?.split('/')[1];
			return document.querySelector('[role=alertdialog]') !== null || Number(shown ?? -1) > ply;
		},
		ply,
		{ timeout: 60_000, polling: 30 },
	);
}

/** As `turn`, but the screen may have to be handed over. */
export async function turnOrHandOver(page: Page): Promise<Seen | 'handed over'> {
	for (let tries = 0; tries < 1000; tries += 1) {
		if ((await page.getByRole('alertdialog').count()) > 0) return 'handed over';
		const now = await seen(page);
		if (now?.over) return turn(page);
		if (now?.position.turn.kind === 'seat' && (await shownPlies(page)) === now.position.ply) {
			await page.waitForTimeout(30);
			if ((await page.getByRole('alertdialog').count()) === 0) return now;
		}
		await page.waitForTimeout(30);
	}
	throw new Error('nobody is on turn');
}

/** A pick among several that is the same in every run. */
export type Pick = <T>(items: readonly T[]) => T;

export function picker(seed: number): Pick {
	let state = seed;
	return (items) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		const item = items[Math.floor((state / 2 ** 32) * items.length)];
		if (item === undefined) throw new Error('there is nothing to pick from');
		return item;
	};
}

/** An action of any kind that there is: rare kinds get their chance among hundreds of placements. */
export function pickKind(offers: readonly string[], pick: Pick): string {
	const kind = (action: string) => /^[a-z]+ |^[-+*!OCBRKS]|^[a-z]+$/.exec(action)?.[0] ?? '';
	const chosen = pick([...new Set(offers.map(kind))]);
	return pick(offers.filter((action) => kind(action) === chosen));
}
