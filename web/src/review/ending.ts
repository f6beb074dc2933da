// How a game ended, in a sentence.

import type { Ending } from '$gen/wire';
import { has, t } from '$lib/words.svelte';

export function endingText({ winners, reason }: Ending, names: readonly string[]): string {
	const why = has(`review.reason.${reason}`) ? t(`review.reason.${reason}`) : reason;
	if (winners.length === 0) return t(reason === 'unfinished' ? 'review.result_none' : 'review.result_draw', { why });
	const who = winners.map((seat) => names[seat] ?? t('review.seat', { number: seat + 1 }));
	return t('review.result_won', { n: who.length, who: who.join(t('review.and')), why });
}
