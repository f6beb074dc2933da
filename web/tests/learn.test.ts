// How a lesson goes, and how the pages of the rules are put together.

import { describe, expect, it } from 'vitest';
import { taught } from '../src/learn';
import type { Step } from '../src/learn/contract';
import { back, begin, hintFor, next, over, PATIENCE, tried, type Flow } from '../src/learn/flow';
import words from '../src/messages/en/learn.json';
import { arrange, rulesText } from '../src/learn/rules-page';

const scene = { seats: 2, actions: [], me: 0 };
const look: Step = { id: 'look', scene, wanted: [] };
const move: Step = { id: 'move', scene, wanted: ['e5f5', 'f5e5'] };
const last: Step = { id: 'last', scene, wanted: ['a1a2'] };
const steps = [look, move, last];

describe('a lesson', () => {
	const atMove = next(begin(steps), steps);

	it('asks for nothing where there is only something to look at', () => {
		expect(begin(steps)).toMatchObject({ step: 0, stage: 'done', passed: [0] });
	});

	it('waits for a move where one is wanted', () => {
		expect(atMove).toMatchObject({ step: 1, stage: 'asked', misses: 0, passed: [0] });
	});

	it.each(move.wanted)('takes any of the wanted moves: %s', (action) => {
		expect(tried(atMove, action, move)).toMatchObject({ stage: 'done', passed: [0, 1] });
	});

	it('counts other moves, and stays at the step', () => {
		expect(tried(atMove, 'a1a2', move)).toMatchObject({ step: 1, stage: 'wrong', misses: 1, passed: [0] });
	});

	it('shows the move after two others, not before', () => {
		let flow: Flow = atMove;
		for (let misses = 0; misses < PATIENCE; misses += 1) {
			expect(hintFor(flow, move)).toBeNull();
			flow = tried(flow, 'a1a2', move);
		}
		expect(PATIENCE).toBe(2);
		expect(hintFor(flow, move)).toBe('e5f5');
		expect(hintFor(tried(flow, 'e5f5', move), move)).toBeNull();
	});

	it('takes nothing more once a step is done', () => {
		const done = tried(atMove, 'e5f5', move);
		expect(tried(done, 'a1a2', move)).toBe(done);
	});

	it('begins a step anew for who comes back to it, and remembers that it was done', () => {
		const on = next(tried(atMove, 'e5f5', move), steps);
		expect(back(on, steps)).toMatchObject({ step: 1, stage: 'asked', misses: 0, passed: [0, 1] });
	});

	it('forgets the misses of the step before', () => {
		const missed = tried(tried(atMove, 'a1a2', move), 'a1a2', move);
		expect(next(missed, steps)).toMatchObject({ step: 2, stage: 'asked', misses: 0, passed: [0] });
	});

	it('has a first step and an end', () => {
		expect(back(begin(steps), steps).step).toBe(0);
		const end = next(next(atMove, steps), steps);
		expect(over(end)).toBe(true);
		expect(next(end, steps).step).toBe(3);
		expect(over(next(atMove, steps))).toBe(false);
	});

	it('without steps is over at once', () => {
		expect(over(begin([]))).toBe(true);
	});
});

describe('a page of rules', () => {
	const page = arrange(`<h1>Trexo</h1><p>About.</p><h2>The &amp; table</h2><p>One</p><h3>Sub</h3><p>Two</p><h2>End</h2>
		<p><a href="mod-x.md">a</a> <a href="../rules/figures.md#notation">b</a> <a href="../records.md">c</a>
		<a href="https://example.org/x.md">d</a> <a href="#x">e</a> <a href="rules/">f</a></p>
		<table><tr><td>1</td></tr></table>`);

	it('is parted at its headings of the second order', () => {
		expect(page.title).toBe('Trexo');
		expect(page.intro).toBe('<h1>Trexo</h1>\n<p>About.</p>');
		expect(page.sections.map(({ id, title }) => [id, title])).toEqual([
			['section-0', 'The & table'],
			['section-1', 'End'],
		]);
		expect(page.sections[0]?.html).toContain('<h3>Sub</h3>');
	});

	it('links to our pages, and not to files that nobody is shown', () => {
		const html = page.sections[1]?.html ?? '';
		const links = [...html.matchAll(/href="([^"]*)"/g)].map((found) => found[1]);
		expect(links).toEqual(['/learn/mod-x', '/learn/figures', 'https://example.org/x.md', '#x', '/learn']);
		expect(html).toContain(' c\n');
	});

	it('can be scrolled where a table is wide', () => {
		expect(page.sections[1]?.html).toMatch(/<div class="wide" tabindex="0"><table>/);
	});

	it.each(taught)('exists for %s, with the same sections in every language', async (game) => {
		const english = await rulesText(game, 'en');
		const german = await rulesText(game, 'de');
		expect(english?.language).toBe('en');
		expect(english?.sections.length).toBeGreaterThan(4);
		// Examples are placed by the number of their section.
		expect(german?.sections.length).toBe(english?.sections.length);
	});

	it('does not exist for a game that nobody knows', async () => {
		expect(await rulesText('chess', 'de')).toBeUndefined();
	});
});

describe('the words of the lessons', () => {
	it('have a sentence for every game', () => {
		expect(taught.filter((game) => !(`about.${game}` in words))).toEqual([]);
	});
});
