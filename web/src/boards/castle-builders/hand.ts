// A hand as places with counters in them, so that a counter keeps its place as long as it is held.

import type { PlayerView } from '$gen/views/castle-builders';
import { kindOf, type Kind } from './plays';

/** A place in a hand; without a kind a counter that is not seen or, if empty, one that is being drawn. */
export type Slot = { key: string; kind: Kind | null; empty: boolean };

export function slots(player: PlayerView, drawing = false): Slot[] {
	const met = new Map<Kind, number>();
	const held: Slot[] = player.hand
		? player.hand.map((letter) => {
				const kind = kindOf(letter);
				const before = met.get(kind) ?? 0;
				met.set(kind, before + 1);
				return { key: `${kind}${before}`, kind, empty: false };
			})
		: Array.from({ length: player.hand_size }, (_, index) => ({ key: `?${index}`, kind: null, empty: false }));
	return drawing ? [...held, { key: 'drawn', kind: null, empty: true }] : held;
}
