// The module of the rules in Node, for what is made when the client is built.

import { readFileSync } from 'node:fs';

/** Opens the module in a file; gives a function that calls a method and gives its result. */
export async function openEngine(file) {
	const { instance } = await WebAssembly.instantiate(readFileSync(file), { page: { now: () => performance.now() } });
	const { memory, begin, space, answer, answer_start } = instance.exports;
	begin(5n);
	return (method, params = {}) => {
		const line = new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
		const start = space(line.length);
		new Uint8Array(memory.buffer, start, line.length).set(line);
		const length = answer();
		const reply = JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, answer_start(), length)));
		if (reply.error) throw new Error(`${method}: ${reply.error.message}`);
		return reply.result;
	};
}
