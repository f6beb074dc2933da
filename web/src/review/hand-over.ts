// How another page gives a record to the review: it is kept in this tab, so that the review outlives a reload.

import { newId } from '../table/saved';
import { writeAddress } from './address';
import { withNames } from './headers';

type Kept = { key: string; record: string };

const NAME = 'quincunx.review';
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
	const kept = all();
	const known = kept.find((entry) => entry.record === named);
	const entry = known ?? { key: newId(), record: named };
	keep([entry, ...kept.filter((other) => other !== known)].slice(0, MOST));
	return writeAddress({ source: { from: 'tab', key: entry.key }, ply });
}

/** The record with a key; nothing if it is no longer kept. */
export function handedOver(key: string): string | undefined {
	return all().find((entry) => entry.key === key)?.record;
}

function all(): Kept[] {
	try {
		const text = sessionStorage.getItem(NAME);
		const list: unknown = text === null ? [] : JSON.parse(text);
		const stored = Array.isArray(list) ? list.filter(isKept) : [];
		return [...stored, ...memory];
	} catch {
		return memory;
	}
}

function keep(list: Kept[]): void {
	try {
		sessionStorage.setItem(NAME, JSON.stringify(list));
		memory = [];
	} catch {
		memory = list;
	}
}

function isKept(entry: unknown): entry is Kept {
	const { key, record } = (entry ?? {}) as Partial<Kept>;
	return typeof key === 'string' && typeof record === 'string';
}
