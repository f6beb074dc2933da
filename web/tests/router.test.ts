import { expect, test } from 'vitest';
import { match } from '../src/lib/router.svelte';

test('a pattern names parts of a path, which are decoded', () => {
	expect(match('/player/:name', '/player/Anna%20Lena')).toEqual({ name: 'Anna Lena' });
	expect(match('/learn/:game/lesson', '/learn/trexo/lesson/')).toEqual({ game: 'trexo', });
});

test('another path, or one that cannot be decoded, does not fit', () => {
	expect(match('/table/:id', '/table')).toBeUndefined();
	expect(match('/table/:id', '/table/a/b')).toBeUndefined();
	expect(match('/table/:id', '/table/%E0%A4%A')).toBeUndefined();
	expect(match('/', '/online')).toBeUndefined();
});
