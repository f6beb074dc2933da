import { beforeEach, expect, test } from 'vitest';
import { sentence } from '../src/lib/reasons';
import { loadWords } from '../src/lib/words.svelte';

beforeEach(() => loadWords('en'));

const levels = {
	code: 'trexo.levels',
	args: { x: 'e5', x_level: 1, o: 'f5', o_level: 2 },
	text: 'e5 is at level 1 and f5 at level 2',
};
const isolated = {
	code: 'figures.isolated',
	args: { colour: 'red', square: 'b2', other: 'blue' },
	text: 'the red marker would arrive isolated on b2, and the blue ones not be one group',
};
const taken = { code: 'mod-x.square_taken', args: { square: 'c3' }, text: 'square c3 is taken' };

test('a reason is a whole sentence, in the words of the rules or in better ones', () => {
	expect(sentence(taken)).toBe('Square c3 is taken.');
	expect(sentence(levels)).toBe('Height 1 on e5, 2 on f5: a tile needs two squares of the same height.');
});

test('German readers read German, also in the arguments', async () => {
	await loadWords('de');
	expect(sentence(taken)).toBe('Feld c3 ist besetzt.');
	expect(sentence(isolated)).toBe('Verboten: Die rote Scheibe wäre auf b2 isoliert, und die blauen wären keine Gruppe.');
	const line = { code: 'record.line', args: { line: 5, why: taken }, text: 'line 5: square c3 is taken' };
	expect(sentence(line)).toBe('Zeile 5: Feld c3 ist besetzt.');
});

test('an error says its reason, and without one what it says itself', async () => {
	await loadWords('de');
	const refused = Object.assign(new Error('"c3" is not legal: square c3 is taken'), { reason: taken });
	expect(sentence(refused)).toBe('Feld c3 ist besetzt.');
	expect(sentence(new Error('the worker is gone'))).toBe('The worker is gone.');
});

test('what nobody has translated is said as it is', async () => {
	await loadWords('de');
	expect(sentence({ code: 'mod-x.new', args: {}, text: 'something new' })).toBe('Something new.');
	expect(sentence('Schon gesagt.')).toBe('Schon gesagt.');
});
