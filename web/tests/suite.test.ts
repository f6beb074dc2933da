// @vitest-environment node
// The scripts of table behaviour (`crates/table/suite`) at the module of the browser: the same requests, the same messages as
// at a host in process and at a server.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { open } from '../src/engine/module';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Said = { [name: string]: Json };
type Script = { about: string; people: string[]; steps: { by: number; request: Said; heard: Said[][] }[] };

const FOLDER = '../crates/table/suite';
/** What comes when it comes is not compared. */
const APART = ['welcome', 'present', 'listed', 'closing'];
const source = new WebAssembly.Module(readFileSync('src/generated/engine.wasm'));

test.each(readdirSync(FOLDER))('the module answers as %s says', async (file) => {
	const script = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Script;
	const say = await open(source);
	let now = 1_000;
	/** What each person hears after a line. */
	const heard = (page: number, line: object): Said[][] =>
		JSON.parse(say('host', JSON.stringify({ now: (now += 1_000), page, ...line }))).messages as Said[][];
	const people = script.people.map((_, page) => (heard(page, {})[page]![0]!.user as Said).id as number);
	const tables: string[] = [];
	for (const [number, { by, request, heard: expected }] of script.steps.entries()) {
		const text = tables.reduce((text, table, place) => text.replaceAll(`$${place + 1}`, table), JSON.stringify(request));
		const messages = heard(by, { ask: { ...JSON.parse(text), id: `step-${number}` } });
		for (const { type, table } of messages.flat())
			if (type === 'done' && typeof table === 'string' && !tables.includes(table)) tables.push(table);
		const compared = messages.map((said) => said.filter(({ type }) => !APART.includes(type as string)));
		const told = `step ${number}: ${JSON.stringify(request)}`;
		expect(nameless(blank(compared, '', tables, people)), told).toEqual(nameless(expected));
	}
});

/** What is by chance or by the clock, as the scripts have it. */
function blank(value: Json, name: string, tables: string[], people: number[]): Json {
	if (Array.isArray(value)) {
		if (name === 'running') return [value[0]!, 'since'];
		return value.map((item) => (name === 'left' ? 'left' : blank(item, '', tables, people)));
	}
	if (typeof value === 'object' && value !== null)
		return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, blank(member, name, tables, people)]));
	if (typeof value === 'string') {
		if (name === 'invitation') return 'key';
		return tables.includes(value) ? `$${tables.indexOf(value) + 1}` : value;
	}
	if (typeof value === 'number' && name === 'at') return 'at';
	if (typeof value === 'number' && (name === 'user' || name === 'host')) return `person ${people.indexOf(value)}`;
	return value;
}

/** Everybody at a page has the same name. */
function nameless(value: Json): Json {
	return JSON.parse(JSON.stringify(value, (name, member: Json) => (name === 'name' && member !== null ? 'name' : member)));
}
