// A share of a game as people write it: 0.62 is 62% in English and 62 % in German.

import { settings } from '$lib/settings.svelte';

export function percent(share: number, digits = 0): string {
	return share.toLocaleString(settings.language, { style: 'percent', maximumFractionDigits: digits });
}

/** What was gained or lost, with its sign: +12%. Next to nothing has none. */
export function gain(share: number): string {
	const rounded = Math.round(share * 100) / 100;
	// Typographic as the signs of the graph; and a rounded nothing is never below it.
	return percent(rounded === 0 ? 0 : rounded)
		.replace('-', '−')
		.replace(/^(?=\d)/, rounded > 0 ? '+' : '');
}
