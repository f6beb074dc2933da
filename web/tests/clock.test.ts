import { beforeAll, expect, test } from 'vitest';
import { loadWords } from '../src/lib/words.svelte';
import { clockText, leftOf } from '../src/table/clock';

beforeAll(() => loadWords('en'));

test('a running clock loses the time since it was started, and never goes below nothing', () => {
	const face = { left: [60_000, 30_000], running: [1, 1_000] as [number, number] };
	expect(leftOf(face, 0, 21_000)).toBe(60_000);
	expect(leftOf(face, 1, 21_000)).toBe(10_000);
	expect(leftOf(face, 1, 99_000)).toBe(0);
	expect(leftOf(face, 1, 500)).toBe(30_000);
});

test('a clock is written in the coarsest way that still tells', () => {
	expect(clockText(9_870)).toBe('0:09.8');
	expect(clockText(65_000)).toBe('1:05');
	expect(clockText(3_723_000)).toBe('1:02:03');
	expect(clockText(273_600_000)).toBe('3 d 4 h');
});
