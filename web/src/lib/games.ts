// The games by name. Titles are names and the same in all languages; a game that the messages do not know has its id.

import authors from '$gen/authors.json';
import samples from '$gen/samples.json';
import { has, t, tOr } from './words.svelte';

/** The games that every client knows, in the order in which they are shown; the rules and a server may know more. */
export const knownGames: readonly string[] = Object.keys(samples);

export function titleOf(game: string): string {
	return tOr(`game.${game}`, game);
}

/** Who made a game that every client knows. */
export function authorsOf(game: string): string | undefined {
	return (authors as Partial<Record<string, string>>)[game];
}

/** A player of a record: a level of the engines by its name in the reader's language, everybody else as they are called. */
export function playerOf(name: string): string {
	return tOr(`level.${name}`, name);
}

/** The word of a rules page for how a game ended, as a sentence for people. */
export function reasonOf(reason: string): string {
	return tOr(`reason.${reason}`, reason);
}

/** A game's own words for a part of its options, or those for any game. */
export function optionWords(game: string, path: string): string | undefined {
	const key = [`options.${game}.${path}`, `options.${path}`].find(has);
	return key && t(key);
}
