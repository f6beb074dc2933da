// What who looks can do at each square.

import type { View } from '$gen/views/mod-x';
import { parse } from './actions';

export type Offer = 'place' | 'joker' | 'touch' | null;

/** Whether it is this seat's time to claim patterns, whether or not there are any. */
export function mayTouch(view: View, me: number | null): boolean {
	return view.manual_claims && me !== null && view.may_claim.includes(me);
}

/** By square. Who may claim can touch any piece, so that nothing tells where a pattern is. */
export function offersOf(view: View, me: number | null, actions: readonly string[]): Offer[] {
	const touching = mayTouch(view, me);
	const offers: Offer[] = view.squares.map(({ piece }) => (touching && piece ? 'touch' : null));
	for (const text of actions) {
		const action = parse(text);
		if (action?.kind === 'place' || action?.kind === 'joker') offers[action.index] = action.kind;
	}
	return offers;
}
