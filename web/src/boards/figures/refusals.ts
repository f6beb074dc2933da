// Why something may not be done: the sentence of the rules, and where on the display to look.

import type { Reason } from '$gen/types';
import { sentence } from '$lib/reasons';

export type Refusal = {
	text: string;
	/** The square on which a marker would stand alone. */
	alone: string | null;
};

export function refusal(reason: Reason): Refusal {
	return { text: sentence(reason), alone: reason.code === 'figures.isolated' ? String(reason.args['square']) : null };
}
