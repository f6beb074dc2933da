// Why something may not be done: the sentences of the rules in the reader's language, and where on the display to
// look.

import { t } from '$lib/words.svelte';

export type Refusal = {
	text: string;
	/** The square on which a marker would stand alone. */
	alone: string | null;
};

type Known = { sentence: RegExp; key: string; names: readonly string[] };

/** The sentences that a board can meet. One that is not here is shown as the rules say it. */
const known: readonly Known[] = [
	{
		sentence: /^the (\w+) marker would arrive isolated on (\w\d), and the (\w+) ones not be one group$/,
		key: 'isolated',
		names: ['colour', 'square', 'other'],
	},
	{
		sentence: /^the stones in hand are (\w+) and (\w+), but (\w\d) holds a (\w+) marker and (\w\d) a (\w+) one$/,
		key: 'other_colours',
		names: ['one', 'other', 'square', 'colour', 'second', 'there'],
	},
	{ sentence: /^the first exchange of the game may not make a figure$/, key: 'first_exchange', names: [] },
	{ sentence: /^the (\w+) stone is already in hand$/, key: 'in_hand', names: ['colour'] },
	{ sentence: /^the other side holds the (\w+) stone$/, key: 'held', names: ['colour'] },
	{
		sentence: /^the other stone must be returned: its colour made the figure, not (\w+)$/,
		key: 'other_stone',
		names: ['colour'],
	},
	{ sentence: /^there is no (\w+) stone in hand$/, key: 'not_in_hand', names: ['colour'] },
	{ sentence: /^first a stone is taken from the bank/, key: 'first_take', names: [] },
	{ sentence: /^two markers are to be exchanged now/, key: 'exchange_now', names: [] },
	{ sentence: /^a stone is to be returned now/, key: 'return_now', names: [] },
];

export function refusal(reason: string): Refusal {
	// The action in front is what the person has just pointed at.
	const sentence = reason.replace(/^"[^"]*" is not legal: /, '');
	for (const { sentence: pattern, key, names } of known) {
		const found = pattern.exec(sentence);
		if (!found) continue;
		const values: Record<string, string> = {};
		for (const [index, name] of names.entries()) {
			const word = found[index + 1] ?? '';
			values[name] = /^\w\d$/.test(word) ? word : t(`figures.${word}`);
		}
		return { text: t(`figures.refused.${key}`, values), alone: key === 'isolated' ? (values['square'] ?? null) : null };
	}
	return { text: sentence.charAt(0).toUpperCase() + sentence.slice(1), alone: null };
}
