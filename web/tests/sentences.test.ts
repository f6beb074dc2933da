import { beforeAll, expect, test } from 'vitest';
import { sentence } from '../src/lib/sentences';
import { loadWords } from '../src/lib/words.svelte';

beforeAll(() => loadWords('en'));

test('a refusal is a whole sentence that does not repeat what was tried', async () => {
	expect(sentence('"e5f5" is not legal: e5 is at level 1 and f5 at level 2')).toBe('Height 1 on e5, 2 on f5: a tile needs two squares of the same height.');
});

test('German readers read German, also in the parts of a sentence', async () => {
	await loadWords('de');
	expect(sentence('"c3" is not legal: square c3 is taken')).toBe('Feld c3 ist besetzt.');
	expect(sentence('the red marker would arrive isolated on b2, and the blue ones not be one group')).toBe(
		'Verboten: Die rote Scheibe wäre auf b2 isoliert, und die blauen wären keine Gruppe.',
	);
});

test('what nobody has translated is said as it is', async () => {
	await loadWords('de');
	expect(sentence('something new')).toBe('Something new.');
});
