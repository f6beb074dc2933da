// How an action is marked in the notation, as chess players know it.

import type { Judged } from '$gen/types';
import { tOr } from '$lib/words.svelte';

/** Good play is marked quietly, the only good move as praise, and what gave something away as a warning. */
export type Tone = 'quiet' | 'praise' | 'warn';

type Mark = {
	sign: string;
	tone: Tone;
	/** In the graph each that warns has an outline of its own: a path around 0. */
	outline?: string;
};

const marks: Record<string, Mark> = {
	best: { sign: '✓', tone: 'quiet' },
	good: { sign: '·', tone: 'quiet' },
	only_move: { sign: '!', tone: 'praise' },
	inaccuracy: { sign: '?!', tone: 'warn', outline: 'M-9-6H9V6H-9Z' },
	mistake: { sign: '?', tone: 'warn', outline: 'M0-8A8 8 0 1 1 0 8A8 8 0 1 1 0-8Z' },
	blunder: { sign: '??', tone: 'warn', outline: 'M0-12L12 0L0 12L-12 0Z' },
	missed_win: { sign: '×', tone: 'warn', outline: 'M-9 8L0-10L9 8Z' },
};

type Verdict = Judged['verdict'] | string | undefined;

/** Nothing for an action that was not judged, and for what a newer engine may say. */
export function markOf(verdict: Verdict): Mark | undefined {
	return verdict && Object.hasOwn(marks, verdict) ? marks[verdict] : undefined;
}

/** Whether an action gave away enough to be worth a word. */
export function isBad(verdict: Verdict): boolean {
	return markOf(verdict)?.tone === 'warn';
}

/** A verdict in words; one that has no message is said as it is. */
export function verdictWords(verdict: Verdict): string {
	return tOr(`review.verdict.${verdict}`, plain(verdict));
}

/** The same with its article, as a part of a sentence. */
export function aVerdict(verdict: Verdict): string {
	return tOr(`review.a_verdict.${verdict}`, plain(verdict));
}

const plain = (verdict: Verdict) => (verdict ?? '').replaceAll('_', ' ');
