// Games at tables of this browser, kept in it.

import { forget, keep, kept } from '$lib/kept';

export type SeatPlan = { kind: 'person'; name: string } | { kind: 'engine'; level: string };

export type Plan = { game: string; options: Record<string, unknown>; seats: SeatPlan[] };

export type Saved = Plan & {
	id: string;
	/** The whole game. */
	record: string;
	plies: number;
	changed: number;
	/** The winners' seats, if it is over. */
	winners: number[] | null;
};

/** How many games are kept; the oldest ones go. */
const MOST = 100;

/** The ids, the one changed last first. */
function ids(): string[] {
	const list = kept<unknown>('games');
	return Array.isArray(list) ? list.filter((id) => typeof id === 'string') : [];
}

export function save(game: Saved): boolean {
	const others = ids().filter((id) => id !== game.id);
	for (const id of others.splice(MOST - 1)) forget(`game.${id}`);
	return keep(`game.${game.id}`, game) && keep('games', [game.id, ...others]);
}

export function saved(id: string): Saved | undefined {
	const game = kept<Saved>(`game.${id}`);
	return game && typeof game.record === 'string' && Array.isArray(game.seats) ? game : undefined;
}

export function allSaved(): Saved[] {
	return ids().flatMap((id) => saved(id) ?? []);
}

export function remove(id: string): void {
	forget(`game.${id}`);
	keep('games', ids().filter((other) => other !== id));
}

export function newId(): string {
	return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => (byte % 36).toString(36)).join('');
}
