import { beforeAll, expect, test } from 'vitest';
import { sentence } from '../src/lib/sentences';
import { loadWords } from '../src/lib/words.svelte';

beforeAll(() => loadWords('en'));

test('a refusal is a whole sentence that does not repeat what was tried', async () => {
	expect(sentence('"e5f5" is not legal: e5 is at level 1 and f5 at level 2')).toBe('E5 is at level 1 and f5 at level 2.');
});

test('German readers read German, also in the parts of a sentence', async () => {
	await loadWords('de');
	expect(sentence('"c3" is not legal: square c3 is taken')).toBe('Feld c3 ist besetzt.');
	expect(sentence('the red marker would arrive isolated on b2, and the blue ones not be one group')).toBe(
		'Der Marker in Rot stünde auf b2 allein, und die in Blau hingen nicht zusammen.',
	);
});

test('what nobody has translated is said as it is', async () => {
	await loadWords('de');
	expect(sentence('something new')).toBe('Something new.');
});
