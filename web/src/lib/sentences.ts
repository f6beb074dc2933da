// Sentences that the rules and the server say, for people: in their language, without what only programs need.
//
// The rules speak English. A language has a file of templates for what they say, `refusal.json`, such as
// "square {a} is taken". A sentence that fits no template is shown as it is.

import { templates } from './words.svelte';

type Template = { fits: RegExp; names: string[]; text: string };

let read: { from: Record<string, string>; templates: Template[] } | undefined;

function known(): Template[] {
	const from = templates();
	if (read?.from !== from) read = { from, templates: Object.entries(from).map(([english, text]) => template(english, text)) };
	return read.templates;
}

function template(english: string, text: string): Template {
	const names = Array.from(english.matchAll(/\{(\w+)\}/g), (found) => found[1]!);
	const pattern = english.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '(.+?)');
	return { fits: new RegExp(`^${pattern}$`, 's'), names, text };
}

/** A sentence or a part of one in the reader's language; parts of it are looked up in turn. */
function translated(sentence: string, depth = 0): string {
	if (depth > 3) return sentence;
	for (const { fits, names, text } of known()) {
		const found = fits.exec(sentence);
		if (!found) continue;
		const parts = Object.fromEntries(names.map((name, index) => [name, translated(found[index + 1]!, depth + 1)]));
		return text.replace(/\{(\w+)\}/g, (whole, name: string) => parts[name] ?? whole);
	}
	return sentence;
}

/** What was refused is before one's eyes: only the reason is said. */
const OBVIOUS = /^"[^"]*" is not legal: /s;

export function sentence(said: string): string {
	const text = translated(said.replace(OBVIOUS, '').replace(/\.$/, ''));
	// A square such as e5 keeps its small letter.
	const begun = /^[a-z]\d/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
	return /[.?:]$/.test(begun) ? begun : `${begun}.`;
}

/** The same for something that may not have been said. */
export function sentenceOr<T>(said: string | T): string | T {
	return typeof said === 'string' ? sentence(said) : said;
}
