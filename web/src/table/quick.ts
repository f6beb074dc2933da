// The shortest way to a game: against the computer, on the first seat, with as few as the game can be played by.

import { settings } from '$lib/settings.svelte';
import { t } from '$lib/words.svelte';
import { setUp } from './here.svelte';
import type { SeatPlan } from './saved';

/** Sets the game up and gives its address; what stands in the way is said in a sentence. */
export async function againstComputer(game: string, seats: number, level: string): Promise<string> {
	const person: SeatPlan = { kind: 'person', name: settings.name || t('table.you') };
	const others = Array<SeatPlan>(seats - 1).fill({ kind: 'engine', level });
	return setUp({ game, options: {}, seats: [person, ...others] });
}
