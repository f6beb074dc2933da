// Why something was refused, for people: the rules and the server give a reason as data, and it is said in the reader's language.
//
// A language has a file of texts by code, `refusal.json`, such as "mod-x.square_taken": "Feld {square} ist besetzt". What
// nobody has translated, or put into other words, is said as the rules say it.

import type { Reason } from '$gen/types';
import { settings } from './settings.svelte';
import { refusal, tOr } from './words.svelte';

/** A reason, an error that may carry one, or a text in the reader's language. */
type Said = Reason | (Error & { reason?: Reason | null }) | string;

/** What was said in the reader's language, with a capital letter and a full stop. */
export function sentence(said: Said): string {
	const text = inWords(said);
	// A square such as e5 keeps its small letter.
	const begun = /^[a-z]\d/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
	return /[.?:]$/.test(begun) ? begun : `${begun}.`;
}

function inWords(said: Said): string {
	if (typeof said === 'string') return said;
	if (!(said instanceof Error)) return translated(said);
	return said.reason ? translated(said.reason) : said.message;
}

function translated({ code, args, text }: Reason): string {
	return refusal(code)?.replace(/\{(\w+)\}/g, (whole, name: string) => (name in args ? word(args[name]) : whole)) ?? text;
}

/** An argument: a reason within the reason, a list, a word that has an id, or what stands for itself. */
function word(value: unknown): string {
	if (Array.isArray(value)) return new Intl.ListFormat(settings.language, { type: 'disjunction' }).format(value.map(word));
	if (typeof value === 'object' && value !== null && 'code' in value) return translated(value as Reason);
	return tOr(`reason-word.${String(value)}`, String(value));
}
