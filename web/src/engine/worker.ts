// The rules, or an engine, in a worker of their own: a line in, a line out. The name of the worker says who answers.

import { fail, open, type Say } from './module';

let module: Promise<Say> | undefined;

self.onmessage = async ({ data }: MessageEvent<WebAssembly.Module | string>) => {
	if (typeof data !== 'string') {
		module = open(data);
		return;
	}
	try {
		const say = await module;
		if (say) self.postMessage(say(self.name === 'think' ? 'think' : 'answer', data));
	} catch (error) {
		fail(error);
	}
};
