// What teaches X Marks the Spot: the lesson, its words, and the rules in German.

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { apply, call, GAME, look, play, stepOf } from './x-marks-the-spot';
import { lesson } from '../src/learn/lessons/x-marks-the-spot';
import { messages as de } from './all-de';
import { messages as en } from './all-en';

describe('the lesson', () => {
	it('has five to eight steps, and examples below headings that exist', () => {
		expect(lesson.steps.length).toBeGreaterThanOrEqual(5);
		expect(lesson.steps.length).toBeLessThanOrEqual(8);
		const rules = readFileSync('../docs/rules/x-marks-the-spot.md', 'utf8');
		const headings = rules.match(/^## /gm)?.length ?? 0;
		for (const { section } of lesson.examples) expect(section).toBeLessThan(headings);
	});

	it.each(lesson.steps)('step $id can be reached, and what it wants can be done', ({ scene, wanted, then }) => {
		expect(wanted.length).toBeGreaterThan(0);
		for (const action of wanted) {
			const session = play(scene);
			expect(call('check', { session, action, seat: scene.me }), action).toBeNull();
			apply(session, [scene.me, action]);
			for (const next of then ?? []) apply(session, next);
		}
	});

	it.each(['mark', 'heading', 'win'])('step %s wants exactly what lays a doubloon', (id) => {
		const { scene, wanted } = stepOf(id);
		const session = play(scene);
		// Only a Condent or a ghost ship can complete an X of Condent.
		const useful = look(session, scene.me).offers.filter((text) => /^(place|heading \S+) \w*[cg]/.test(text));
		const scoring = useful.filter((action) => {
			const { view } = apply(session, [scene.me, action]);
			call('undo', { session, count: 1 });
			return view.players[scene.me]?.doubloons === 1;
		});
		expect([...wanted].sort()).toEqual(scoring.sort());
	});

	it('step cannon wants what keeps the other player from an X', () => {
		const { scene, wanted } = stepOf('cannon');
		/** Whether the other player then has an X with the square that is missing. */
		const completes = (action: string) => {
			const session = play(scene);
			apply(session, [0, action]);
			for (const next of ['place aa -3,1 n', 'draw', '+rg', '+ro']) apply(session, next);
			return apply(session, [1, 'place rg 3,0 s']).view.players[1]?.doubloons === 1;
		};
		expect(completes('place wo -3,3 n')).toBe(true);
		for (const action of wanted) expect(completes(action), action).toBe(false);
	});

	it.each(lesson.examples)('example $id can be reached', ({ scene }) => {
		expect(look(play(scene), scene.me).position.view.chart.length).toBeGreaterThan(3);
	});

	it('has all its words in both languages', () => {
		const steps = lesson.steps.flatMap(({ id }) => [`step.${id}`, `step.${id}.done`, `step.${id}.wrong`]);
		const keys = [...steps, ...lesson.examples.map(({ id }) => `example.${id}`)].map((key) => `learn-${GAME}.${key}`);
		for (const key of keys) {
			expect(en, key).toHaveProperty([key]);
			expect(de, key).toHaveProperty([key]);
		}
	});
});

describe('the messages', () => {
	const own = (messages: Record<string, string>) =>
		Object.entries(messages).filter(([key]) => key.startsWith(`${GAME}.`) || key.startsWith(`learn-${GAME}.`));

	it('are the same in both languages, with the same gaps to be filled', () => {
		const gaps = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();
		expect(own(de).map(([key]) => key).sort()).toEqual(own(en).map(([key]) => key).sort());
		for (const [key, text] of own(en)) expect(gaps(de[key] ?? ''), key).toEqual(gaps(text));
	});

	it('have every key that the board asks for', () => {
		const folder = 'src/boards/x-marks-the-spot/';
		for (const file of readdirSync(folder)) {
			const source = readFileSync(folder + file, 'utf8');
			for (const [, plain, short] of source.matchAll(/'x-marks-the-spot\.([\w.]+)'|`\$\{X\}\.([\w.]+)`/g)) {
				// In one place it is the beginning of keys.
				const key = plain ?? (file === 'Board.svelte' ? `prompt.${short}` : short);
				if (key !== 'prompt') expect(en, `${file}: ${key}`).toHaveProperty([`${GAME}.${key}`]);
			}
		}
	});

	it('do not shout', () => {
		for (const [key, text] of [...own(en), ...own(de)]) expect(text, key).not.toContain('!');
	});
});

describe('the rules in German', () => {
	it('have the same headings in the same order, the same texts of actions and the same marks of rulings', () => {
		const read = (file: string) => readFileSync(file, 'utf8');
		const original = read('../docs/rules/x-marks-the-spot.md');
		const german = read('src/learn/rules/de/x-marks-the-spot.md');
		const heads = (text: string) => text.match(/^#+ /gm);
		const first = (text: string) => [...text.matchAll(/^\| (`[^|]*) \|/gm)].map(([, cell]) => cell);
		expect(heads(german)).toEqual(heads(original));
		expect(first(german)).toEqual(first(original));
		const count = (text: string, mark: string) => text.split(`**${mark}:**`).length;
		expect(count(german, 'Auslegung')).toBe(count(original, 'Ruling'));
		expect(count(german, 'Rekonstruiert')).toBe(count(original, 'Reconstructed'));
		expect(count(original, 'Ruling')).toBeGreaterThan(1);
	});
});
