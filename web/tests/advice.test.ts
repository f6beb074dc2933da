// What the engine makes of a game, and what becomes of it here: verdicts, accuracy, luck, lines; and the levels to choose from.

import { beforeAll, describe, expect, it } from 'vitest';
import type { Judged } from '$gen/types';
import { playerOf } from '$lib/games';
import { aboutLevel, levelOf, LEVELS } from '$lib/levels';
import { loadPart, loadWords } from '$lib/words.svelte';
import { openEngine } from '../scripts/engine.mjs';
import { accuracies } from '../src/review/accuracy';
import { betterLine, follows } from '../src/review/branch.svelte';
import { line, signed, turningPoints, y } from '../src/review/graph';
import { draws, luckCurve, reach } from '../src/review/luck';
import { gain } from '../src/review/percent';
import { aVerdict, isBad, markOf, verdictWords } from '../src/review/verdicts';

const VERDICTS = ['best', 'only_move', 'good', 'inaccuracy', 'mistake', 'blunder', 'missed_win'] as const;

const judged = (ply: number, seat: number, more: Partial<Judged> = {}): Judged => ({
	ply,
	seat,
	action: 'e5f5',
	better: 'e6f6',
	line: [],
	expected: [0.5, 0.5],
	played: [0.5, 0.5],
	loss: 0,
	accuracy: 100,
	verdict: 'best',
	luck: [],
	...more,
});

/** As it was kept before there were lines, accuracy and luck. */
const before = (ply: number, seat: number, verdict: Judged['verdict'] = null) =>
	({ ply, seat, action: 'e5f5', better: 'e6f6', expected: [0.5, 0.5], loss: 0.2, verdict }) as Judged;

beforeAll(async () => {
	await loadWords('en');
	await Promise.all([loadPart('review'), loadPart('setup')]);
});

describe('a verdict', () => {
	it.each(VERDICTS)('%s has a word and a sign', (verdict) => {
		expect(verdictWords(verdict)).not.toContain('.');
		expect(markOf(verdict)?.sign).toBeTruthy();
	});

	it('that warns has a sign and an outline of its own, and a word with its article', () => {
		const bad = VERDICTS.filter(isBad);
		expect(bad).toEqual(['inaccuracy', 'mistake', 'blunder', 'missed_win']);
		for (const key of ['sign', 'outline'] as const) expect(new Set(bad.map((verdict) => markOf(verdict)?.[key])).size).toBe(bad.length);
		expect(bad.map(aVerdict)).toEqual(['an inaccuracy', 'a mistake', 'a blunder', 'a missed win']);
	});

	it('is praise for the only move, and quiet for what is as it should be', () => {
		expect(VERDICTS.filter((verdict) => markOf(verdict)?.tone === 'praise')).toEqual(['only_move']);
		expect(VERDICTS.filter((verdict) => markOf(verdict)?.tone === 'quiet')).toEqual(['best', 'good']);
	});

	it('that an analysis from before does not have is not shown', () => {
		expect(markOf(null)).toBeUndefined();
		expect(isBad(null)).toBe(false);
		expect(isBad(undefined)).toBe(false);
	});

	it('that only a newer engine knows is said as it is, and not marked', () => {
		for (const unknown of ['quite_brilliant', 'constructor']) expect(markOf(unknown)).toBeUndefined();
		expect(verdictWords('quite_brilliant')).toBe('quite brilliant');
	});

	it('makes a turning point only if something was given away', () => {
		const moves = VERDICTS.map((verdict, at) => judged(at + 1, 0, { verdict }));
		expect(turningPoints([...moves, before(8, 1), before(9, 1, 'blunder')]).map(({ ply }) => ply)).toEqual([4, 5, 6, 7, 9]);
	});
});

describe('the signs in the graph', () => {
	it('are those of the worst mistakes where there is no room for all', () => {
		const losses = [0.1, 0.3, 0.2, 0.1, 0.5, 0.4];
		const turns = losses.map((loss, at) => judged(at + 1, 0, { loss, verdict: 'blunder' }));
		const box = { left: 0, top: 0, width: 60, height: 50 };
		const plies = (width: number) => [...signed(turns, 6, { ...box, width })].map(({ ply }) => ply).sort();
		expect(plies(60)).toEqual([2, 5]);
		expect(plies(600)).toEqual([1, 2, 3, 4, 5, 6]);
		expect(signed([], 0, box).size).toBe(0);
	});
});

describe('accuracy', () => {
	it('is the mean over the actions of a seat', () => {
		const moves = [judged(1, 0), judged(2, 1, { accuracy: 90 }), judged(3, 0, { accuracy: 50 }), judged(4, 0, { accuracy: 90 })];
		expect(accuracies(moves, 3)).toEqual([80, 90, null]);
	});

	it('is not known of a game that was analysed before', () => {
		expect(accuracies([before(1, 0), before(2, 1, 'blunder')], 2)).toEqual([null, null]);
		expect(accuracies([], 2)).toEqual([null, null]);
	});
});

describe('luck', () => {
	const moves = [
		judged(1, 0),
		judged(3, 1, { luck: [0.2, -0.2] }),
		judged(6, 0, { luck: [-0.05, 0.05] }),
		judged(7, 1),
		judged(8, 0, { luck: [0.3, -0.3] }),
	];

	it('adds up, and rises or falls from the action to the next decision', () => {
		const rounded = luckCurve(moves, 10).map(({ ply, shares }) => [ply, ...shares.map((share) => Math.round(share * 100))]);
		expect(rounded).toEqual([
			[0, 0, 0],
			[3, 0, 0],
			[5, 20, -20],
			[6, 20, -20],
			[6, 15, -15],
			[8, 15, -15],
			[10, 45, -45],
			[10, 45, -45],
		]);
	});

	it('is told action by action with its sum', () => {
		expect(draws(moves).map(({ move }) => move.ply)).toEqual([3, 6, 8]);
		expect(draws(moves).at(-1)?.sums[0]).toBeCloseTo(0.45);
	});

	it('has no curve where nothing was drawn, nor in an analysis from before', () => {
		expect(luckCurve([judged(1, 0), judged(2, 1)], 2)).toEqual([]);
		expect(luckCurve([before(1, 0), before(2, 1, 'mistake')], 2)).toEqual([]);
		expect(draws([])).toEqual([]);
	});

	it('is drawn as far below nothing as above it', () => {
		expect(reach(luckCurve(moves, 10))).toBe(0.5);
		expect(reach(luckCurve([judged(1, 0, { luck: [0.01, -0.01] })], 1))).toBe(0.1);
		const box = { left: 0, top: 10, width: 100, height: 80 };
		const range = { low: -0.5, high: 0.5 };
		expect([0.5, 0, -0.5].map((value) => y(value, box, range))).toEqual([10, 50, 90]);
		expect(line([{ ply: 0, shares: [0] }, { ply: 4, shares: [-0.25] }], 0, 4, box, range)).toBe('M0 50L100 70');
	});

	it('is written with its sign', () => {
		expect([0.123, -0.2, 0, -0.001].map(gain)).toEqual(['+12%', '−20%', '0%', '0%']);
	});
});

describe('the better line', () => {
	const steps = [
		{ seat: 0, action: 'e6f6' },
		{ action: 'red' },
		{ seat: 1, action: 'a1' },
	];

	it('is told with the verdict; an analysis from before knows its first step', () => {
		expect(betterLine(judged(5, 0, { line: steps }))).toEqual(steps);
		expect(betterLine(judged(5, 0, { line: Array.from({ length: 30 }, () => steps[0]!) }))).toHaveLength(8);
		expect(betterLine(before(5, 1, 'mistake'))).toEqual([{ seat: 1, action: 'e6f6' }]);
	});

	it('goes on as long as nothing else was done', () => {
		expect(follows(steps, [])).toBe(true);
		expect(follows(steps, steps.slice(0, 2))).toBe(true);
		expect(follows(steps, [{ seat: 0, action: 'b2' }])).toBe(false);
		expect(follows(steps, [...steps, { seat: 0, action: 'b2' }])).toBe(false);
	});
});

describe('the levels', () => {
	it('have a name and a sentence each', () => {
		expect(new Set(LEVELS.map(playerOf)).size).toBe(7);
		for (const level of LEVELS) {
			expect(playerOf(level)).not.toBe(level);
			expect(aboutLevel(level)).toMatch(/\.$/);
		}
	});

	it('are those of the engines, in their order', async () => {
		const call = await openEngine('src/generated/engine.wasm');
		const { session } = call('new', { game: 'trexo', seats: 2, options: {} });
		expect(() => call('bestmove', { session, level: 'grandmaster' })).toThrow(LEVELS.join(', '));
	});

	it('are found in what was chosen for a seat', () => {
		expect(['person', 'club', 'engine:club', 'open', 'engine:grandmaster'].map(levelOf)).toEqual([null, 'club', 'club', null, null]);
	});

	it('that a kept game has from elsewhere are called as they are', () => {
		expect(playerOf('grandmaster')).toBe('grandmaster');
		expect(aboutLevel('grandmaster')).toBe('');
	});
});

describe('the engine', () => {
	it('tells its lines, the most promising first, and what it makes of a game', async () => {
		const call = await openEngine('src/generated/engine.wasm');
		const { session } = call('load', { record: 'Game: trexo\nSeats: 2\n\n0: e5f5\n1: e6f6\n' });
		const { action, lines } = call('bestmove', { session, millis: 50, lines: 3, seat: 0 });
		expect(lines).toHaveLength(3);
		expect(lines[0].steps[0]).toEqual({ seat: 0, action });
		expect(lines[0].expected).toHaveLength(2);
		const { moves } = call('review', { session, millis: 50 });
		expect(VERDICTS).toContain(moves[0].verdict);
		expect(moves[0].line[0].action).toBe(moves[0].better);
		expect(moves[0].accuracy).toBeGreaterThan(0);
	});
});
