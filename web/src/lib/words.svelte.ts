// Everything that people read, in their language, from the files in `messages`.

import { settings } from './settings.svelte';

export type Language = 'en' | 'de';
export type Values = Record<string, string | number>;
type Messages = Record<string, string>;

/** Each language is a file of its own: only the one that is read is loaded. */
const loaders: Record<Language, () => Promise<{ messages: Messages; refusals: Messages }>> = {
	en: () => import('../messages/en'),
	de: () => import('../messages/de'),
};

/** What only some pages say is loaded with them: lessons, reviews, moderation, and what there is to choose before a game. */
export type Part = 'learn' | 'moderation' | 'review' | 'setup';
const parts = import.meta.glob<{ messages: Messages }>('../messages/*-*.ts');
const load = (language: Language, part: Part) => parts[`../messages/${language}-${part}.ts`]!();

let messages = $state.raw<Messages>({});
let refusals = $state.raw<Messages>({});

let spoken: Language = 'en';
const wanted = new Set<Part>();

export async function loadWords(language: Language): Promise<void> {
	const [usual, ...more] = await Promise.all([loaders[language](), ...Array.from(wanted, (part) => load(language, part))]);
	spoken = language;
	messages = Object.assign({}, ...[usual, ...more].map(({ messages }) => messages));
	refusals = usual.refusals;
	document.documentElement.lang = language;
}

/** Loads the words of a part as well, in this language and in every other that is chosen later. */
export async function loadPart(part: Part): Promise<void> {
	if (wanted.has(part)) return;
	const more = await load(spoken, part);
	wanted.add(part);
	messages = { ...messages, ...more.messages };
}

/** Whether there is a message with this key. */
export function has(key: string): boolean {
	return key in messages;
}

/**
 * The message with a key such as `trexo.supply`, with `{name}` filled in. Where the number `n` is 1 and there is a key with
 * `.one` at its end, that one is taken.
 */
export function t(key: string, values: Values = {}): string {
	const single = values['n'] === 1 ? messages[`${key}.one`] : undefined;
	const text = single ?? messages[key] ?? key;
	return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The message with a key, or something else where there is none. */
export function tOr(key: string, otherwise: string): string {
	return has(key) ? t(key) : otherwise;
}

/** How a reason with this code is said in the reader's language, if not as the rules say it. */
export function refusal(code: string): string | undefined {
	return refusals[code];
}

/** A number as it is written in the reader's language. */
export function number(value: number, digits = 0): string {
	return value.toLocaleString(settings.language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A moment as it is written in the reader's language. */
export function moment(millis: number): string {
	return new Date(millis).toLocaleString(settings.language, { dateStyle: 'medium', timeStyle: 'short' });
}
