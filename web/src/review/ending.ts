// How a game ended, in a sentence for who was not there.

import type { Ending } from '$gen/wire';
import { reasonOf } from '$lib/games';
import { t } from '$lib/words.svelte';

export function endingText({ winners, reason: word }: Ending, names: readonly string[]): string {
	const reason = reasonOf(word);
	if (word === 'unfinished') return reason;
	const [name, ...others] = winners.map((seat) => names[seat] ?? t('review.seat', { number: seat + 1 }));
	if (name === undefined) return t('table.draw', { reason });
	if (others.length === 0) return t('table.won', { name, reason });
	return t('table.won_together', { names: [name, ...others].join(t('table.and')), reason });
}
