// How somebody's last games went.

import type { Listing } from '$gen/types';
import { t } from '$lib/words.svelte';

export type Result = 'won' | 'drawn' | 'lost';

/** How a finished game ended for one of its players; nothing if it is not over or he did not play. */
export function resultFor(table: Listing, user: number): Result | null {
	const seat = table.seats.findIndex((sitting) => sitting?.user === user);
	if (table.status !== 'finished' || !table.winners || seat < 0) return null;
	if (table.winners.length === 0) return 'drawn';
	return table.winners.includes(seat) ? 'won' : 'lost';
}

/** The same in a word, or in none. */
export function resultText(table: Listing, user: number): string {
	const result = resultFor(table, user);
	return result ? t(`online.${result}`) : '';
}

/** The results of games, the oldest first, with what has come together: a win counts one up, a loss one down. */
export function course(results: readonly Result[]): { result: Result; height: number }[] {
	let height = 0;
	return results.map((result) => {
		height += result === 'won' ? 1 : result === 'lost' ? -1 : 0;
		return { result, height };
	});
}
