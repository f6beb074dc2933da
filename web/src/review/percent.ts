// A share of a game as people write it: 0.62 is 62% in English and 62 % in German.

import { settings } from '$lib/settings.svelte';

export function percent(share: number, digits = 0): string {
	return share.toLocaleString(settings.language, { style: 'percent', maximumFractionDigits: digits });
}
