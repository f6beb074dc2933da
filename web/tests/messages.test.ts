// Everything that is said exists in both languages, and what the code asks for is there.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { messages as de, refusals } from './all-de';
import { messages as en, refusals as reworded } from './all-en';

const values = (text: string) => Array.from(text.matchAll(/\{(\w+)\}/g), (found) => found[1]).sort();

test('both languages have the same messages, with the same values in them', () => {
	const plain = (keys: string[]) => keys.filter((key) => !key.endsWith('.one')).sort();
	expect(plain(Object.keys(de))).toEqual(plain(Object.keys(en)));
	for (const [key, text] of Object.entries(en)) {
		if (!key.endsWith('.one')) expect(values(de[key] ?? ''), key).toEqual(values(text));
	}
});

test('no message is empty, and none shouts', () => {
	for (const [key, text] of [...Object.entries(en), ...Object.entries(de)]) {
		expect(text.trim(), key).not.toBe('');
		expect(text, key).not.toContain('!');
	}
});

test('a refusal that is put into other words in English has a German text', () => {
	for (const code of Object.keys(reworded)) expect(refusals[code], code).toBeTruthy();
});

test('every message that the code names is there', () => {
	const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => /\.(svelte|ts)$/.test(file));
	const missing: string[] = [];
	for (const file of files) {
		if (file.startsWith('generated')) continue;
		const code = readFileSync(join('src', file), 'utf8');
		for (const [, key] of code.matchAll(/\bt\('([\w.-]+)'/g)) if (key && !(key in en)) missing.push(`${file}: ${key}`);
	}
	expect(missing).toEqual([]);
});
