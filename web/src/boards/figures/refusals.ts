// Why something may not be done: the sentence of the rules, and where on the display to look.

import { sentence } from '$lib/sentences';

export type Refusal = {
	text: string;
	/** The square on which a marker would stand alone. */
	alone: string | null;
};

export function refusal(reason: string): Refusal {
	return { text: sentence(reason), alone: /isolated on (\w\d)/.exec(reason)?.[1] ?? null };
}
