// A parlay as it was spoken: who said what, from the first offer to the cards that change hands.

import { t } from '$lib/words.svelte';
import type { View } from './cards';

/** A line somebody has said. What is only told, such as who is choosing, nobody has said. */
export type Speech = { id: string; seat: number | null; words: string };

export function talk({ trade, player, phase, to_act: acting, viewer }: View, names: readonly string[]): Speech[] {
	if (!trade) return [];
	const say = (id: string, seat: number | null, n = 0, name = '') => {
		lines.push({ id, seat, words: t(`x-marks-the-spot.talk.${id.replace(/_\d+$/, '')}`, { n, name }) });
	};
	const lines: Speech[] = [];
	const { target, offer, counter, offers, partner, cards } = trade;
	const name = (seat: number) => names[seat] ?? '';

	say('offer', player, offer, name(target));
	if (counter !== null) say('counter', target, counter);
	else if (cards !== null) say('agreed', target, cards);
	if (phase === 'offering' || offers.length > 0) say('open', player);
	for (const { seat, cards } of offers) say(`${cards === null ? 'decline' : 'bid'}_${seat}`, seat, cards ?? 0);
	if (counter !== null && partner !== null && cards !== null) {
		if (partner !== target) say('taken', player, cards, name(partner));
		// Whether one card was agreed on or forced makes no difference, if one is what the other has named.
		else say(cards === counter ? 'agreed' : 'forced', player, cards);
	}
	// Who picks cards oneself need not be told so.
	if (phase === 'giving' && acting !== null && acting !== viewer && cards !== null) {
		say('giving', null, cards, name(acting));
	}
	return lines;
}
