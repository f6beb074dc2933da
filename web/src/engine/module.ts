// The module of the rules, the engines and the tables in a worker: lines through its memory.

type Exports = {
	memory: WebAssembly.Memory;
	begin(seed: bigint): void;
	space(bytes: number): number;
	answer(): number;
	host(): number;
	think(): number;
	answer_start(): number;
};

/** Who takes a line: the rules for tools, the tables, or an engine that plays at one. */
export type Face = 'answer' | 'host' | 'think';

export type Say = (face: Face, line: string) => string;

/** Opens the module; gives a function that says a line to one of its faces, and gives what is answered. */
export async function open(source: WebAssembly.Module): Promise<Say> {
	const instance = await WebAssembly.instantiate(source, { page: { now: () => performance.now() } });
	const exports = instance.exports as Exports;
	exports.begin(crypto.getRandomValues(new BigUint64Array(1))[0]!);
	return (face, line) => {
		const bytes = new TextEncoder().encode(line);
		const start = exports.space(bytes.length);
		if (start === 0) throw new Error('the line is too long');
		new Uint8Array(exports.memory.buffer, start, bytes.length).set(bytes);
		const length = exports[face]();
		return new TextDecoder().decode(new Uint8Array(exports.memory.buffer, exports.answer_start(), length));
	};
}

/** What goes wrong in a promise does not reach who has made the worker: only what is thrown outside of one ends it. */
export function fail(error: unknown): void {
	setTimeout(() => {
		throw error;
	});
}
