import { beforeEach, expect, test } from 'vitest';
import { allSaved, keepGame, remove, save, saved, type Saved } from '../src/table/saved';

const game = (id: string): Saved => ({
	id,
	game: 'trexo',
	options: {},
	seats: [{ kind: 'person', name: 'Anna' }, { kind: 'engine', level: 'club' }],
	record: 'Game: trexo\n',
	plies: 0,
	changed: 1,
	winners: null,
});

beforeEach(() => localStorage.clear());

test('a game that was kept is found again, the one changed last first', () => {
	save(game('a'));
	save(game('b'));
	save({ ...game('a'), plies: 3 });
	expect(allSaved().map(({ id, plies }) => [id, plies])).toEqual([['a', 3], ['b', 0]]);
	remove('a');
	expect(saved('a')).toBeUndefined();
	expect(allSaved().map(({ id }) => id)).toEqual(['b']);
});

test('of very many games the oldest ones go', () => {
	for (let number = 0; number < 105; number += 1) save(game(`g${number}`));
	expect(allSaved()).toHaveLength(100);
	expect(saved('g4')).toBeUndefined();
	expect(saved('g5')).toBeDefined();
});

test('nonsense in the browser is no game', () => {
	localStorage.setItem('quincunx.games', '["x", 7, "y"]');
	localStorage.setItem('quincunx.game.x', '{"record": 5}');
	localStorage.setItem('quincunx.game.y', 'not JSON');
	expect(allSaved()).toEqual([]);
});

test('what has become of a game is kept, and the last word about a game that was removed does not bring it back', () => {
	save(game('a'));
	expect(keepGame({ id: 'a', record: 'Game: trexo\nLeft: 7 8\n', changed: 2 })).toBe(true);
	expect(saved('a')).toEqual({ ...game('a'), record: 'Game: trexo\nLeft: 7 8\n', changed: 2 });
	remove('a');
	expect(keepGame({ id: 'a', record: 'Game: trexo\n', changed: 3 })).toBe(true);
	expect(allSaved()).toEqual([]);
});
