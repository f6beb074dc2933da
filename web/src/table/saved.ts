// Games at tables of this browser, kept in it.

import type { SeatPlan as AnySeat, TimeControl } from '$gen/types';
import { forget, keep, kept } from '$lib/kept';

/** A person at this screen, or an engine. */
export type SeatPlan = Extract<AnySeat, { kind: 'person' | 'engine' }>;

export type Plan = { game: string; options: Record<string, unknown>; seats: SeatPlan[]; clock?: TimeControl };

export type Saved = Omit<Plan, 'clock'> & {
	id: string;
	/** The whole game, with the clocks. */
	record: string;
	plies: number;
	changed: number;
	/** The winners' seats, if it is over. */
	winners: number[] | null;
};

/** A game as the worker gives it; what is missing is as it was. */
export type Kept = Partial<Saved> & { id: string };

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

/** Keeps what has become of a game; one that was removed meanwhile stays so. */
export function keepGame(game: Kept): boolean {
	const now = { ...saved(game.id), ...game };
	return isSaved(now) ? save(now) : true;
}

export function saved(id: string): Saved | undefined {
	const game = kept<unknown>(`game.${id}`);
	return isSaved(game) ? game : undefined;
}

/** A browser keeps what anybody wrote there. */
function isSaved(game: unknown): game is Saved {
	const { record, seats, game: kind, options, changed, plies } = (game ?? {}) as Partial<Saved>;
	const seated = (seat: SeatPlan | null) => typeof (seat?.kind === 'person' ? seat.name : seat?.level) === 'string';
	const texts = typeof record === 'string' && typeof kind === 'string';
	const numbers = Number.isSafeInteger(changed) && Number.isSafeInteger(plies) && Math.abs(changed ?? 0) < 8.64e15;
	return texts && numbers && typeof options === 'object' && options !== null && Array.isArray(seats) && seats.every(seated);
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
