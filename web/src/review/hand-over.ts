// How another page gives a record to the review: it is kept in this tab, so that the review outlives a reload.

import { keep, kept } from '$lib/kept';
import { newId } from '../table/saved';
import { writeAddress } from './address';
import { withNames } from './headers';

type Kept = { key: string; record: string };

/** So many reviews back the browser's way back leads. */
const MOST = 5;

/** Where nothing may be stored, the records stay at least until the page is loaded anew. */
let memory: Kept[] = [];

/**
 * Keeps a record for a review and gives the address of the review, at the end of the game or after `ply` actions. Names
 * that the record does not have itself are written into it.
 */
export function toReview(record: string, ply: number | null = null, names: readonly string[] = []): string {
	const named = withNames(record, names);
	const before = all();
	const known = before.find((entry) => entry.record === named);
	const entry = known ?? { key: newId(), record: named };
	const now = [entry, ...before.filter((other) => other !== known)].slice(0, MOST);
	memory = keep('review', now, 'sessionStorage') ? [] : now;
	return writeAddress({ source: { from: 'tab', key: entry.key }, ply });
}

/** The record with a key; nothing if it is no longer kept. */
export function handedOver(key: string): string | undefined {
	return all().find((entry) => entry.key === key)?.record;
}

function all(): Kept[] {
	const list = kept<unknown>('review', 'sessionStorage');
	return [...(Array.isArray(list) ? list.filter(isKept) : []), ...memory];
}

function isKept(entry: unknown): entry is Kept {
	const { key, record } = (entry ?? {}) as Partial<Kept>;
	return typeof key === 'string' && typeof record === 'string';
}
