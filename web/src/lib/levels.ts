// The levels of the engines, for who chooses one.

import { tOr } from './words.svelte';

/** The weakest first. */
export const LEVELS = ['beginner', 'novice', 'casual', 'club', 'strong', 'expert', 'master'] as const;

/** The level by which the engine of a seat plays that is chosen as `casual` or, at a server's table, as `engine:casual`. */
export function levelOf(who: string): string | null {
	const level = who.replace(/^engine:/, '');
	return (LEVELS as readonly string[]).includes(level) ? level : null;
}

/** What somebody can expect who plays against it; nothing is known of a level from elsewhere. */
export function aboutLevel(level: string): string {
	return tOr(`level-about.${level}`, '');
}
