// Why a tile cannot be laid, in the reader's language. The rules say it in English; what is not known here is shown as it is.

import { t } from '$lib/words.svelte';

const SQUARE = '([a-z]\\d+)';

/** The sentences of the rules about tiles, and the names of what stands in them. */
const SENTENCES: readonly [RegExp, string, readonly string[]][] = [
	[new RegExp(`${SQUARE} is at level (\\d+) and ${SQUARE} at level (\\d+)$`), 'uneven', ['a', 'high', 'b', 'low']],
	[new RegExp(`${SQUARE} and ${SQUARE} are the two halves of one tile$`), 'one_tile', ['a', 'b']],
];

export function reasonOf(refusal: string): string {
	for (const [sentence, key, names] of SENTENCES) {
		const found = sentence.exec(refusal);
		if (found) return t(`trexo.why.${key}`, Object.fromEntries(names.map((name, index) => [name, found[index + 1] ?? ''])));
	}
	return refusal;
}
