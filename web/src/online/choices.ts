// What tables can be, in words.

import type { TimeControl } from '$gen/types';
import { number, t, tOr } from '$lib/words.svelte';

/** The classes of clocks, as the server lists and rates games. */
export const CLOCKS = ['none', 'bullet', 'blitz', 'rapid', 'correspondence'] as const;

export function clockClass(name: string): string {
	return tOr(`online.clock_${name}`, name);
}

export function clockText(clock: TimeControl): string {
	switch (clock.kind) {
		case 'none':
			return t('online.clock_none');
		case 'real_time': {
			const minutes = clock.seconds / 60;
			const written = number(minutes, Number.isInteger(minutes) ? 0 : 1);
			return t('online.real_time', { minutes: written, seconds: clock.increment });
		}
		case 'correspondence':
			return t('online.days', { n: clock.days });
	}
}
