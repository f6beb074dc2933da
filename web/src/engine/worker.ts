// The rules and the engines in a worker of their own: a JSON-RPC line in, a line out.

export {};

type Exports = {
	memory: WebAssembly.Memory;
	begin(seed: bigint): void;
	space(bytes: number): number;
	answer(): number;
	answer_start(): number;
};

let module: Promise<Exports> | undefined;

async function open(source: WebAssembly.Module): Promise<Exports> {
	const instance = await WebAssembly.instantiate(source, { page: { now: () => performance.now() } });
	const exports = instance.exports as Exports;
	exports.begin(crypto.getRandomValues(new BigUint64Array(1))[0]!);
	return exports;
}

function answer({ memory, space, answer, answer_start }: Exports, line: string): string {
	const bytes = new TextEncoder().encode(line);
	const start = space(bytes.length);
	if (start === 0) throw new Error('the line is too long');
	new Uint8Array(memory.buffer, start, bytes.length).set(bytes);
	const length = answer();
	return new TextDecoder().decode(new Uint8Array(memory.buffer, answer_start(), length));
}

self.onmessage = async ({ data }: MessageEvent<WebAssembly.Module | string>) => {
	if (typeof data !== 'string') {
		module = open(data);
		return;
	}
	try {
		const opened = await module;
		if (opened) self.postMessage(answer(opened, data));
	} catch (error) {
		// Only what is thrown outside of promises reaches the page, as an error of this worker: it ends all that waits.
		setTimeout(() => {
			throw error;
		});
	}
};
