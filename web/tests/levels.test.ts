// @vitest-environment node
// The games of the levels (`crates/engine/suites/levels.txt`) at the module of the browser: with one seed they are the same
// games as everywhere else.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { open } from '../src/engine/module';

const source = new WebAssembly.Module(readFileSync('src/generated/engine.wasm'));
const games = readFileSync('../crates/engine/suites/levels.txt', 'utf8').trim().split('\n');

test.each(games)('%s', async (line) => {
	const [game, seats, level, seed, actions] = line.split(' | ') as [string, string, string, string, string];
	const say = await open(source);
	const call = (method: string, params: object): { session?: number; action?: string } => {
		const answer = JSON.parse(say('answer', JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })));
		expect(answer.error).toBeUndefined();
		return answer.result;
	};
	const { session } = call('new', { game, seats: Number(seats) });
	const played: string[] = [];
	for (const written of actions.split('; ')) {
		const drawn = written.startsWith('~');
		const action = drawn ? written.slice(1) : call('bestmove', { session, level, seed: Number(seed) }).action!;
		played.push(drawn ? written : action);
		call('apply', { session, action });
	}
	expect(played.join('; ')).toBe(actions);
});
