// The tables of this browser, in a worker: requests in, messages and games to keep out. What follows from a request is
// decided by the host in the module; here is only what it cannot have: a clock that rings, and engines that take their time.

import { fail, open, type Say } from '../engine/module';
import type { Message, Request } from '$gen/types';
import type { Kept } from './saved';

/** An engine that answers at once looks like a mistake of one's own: its move comes after this many milliseconds at least. */
const UNHURRIED = 350;
/** How long an engine leaves a person alone before it says what the person has overlooked. */
const POLITE = 2500;
/** The longest time that a browser can be asked to wait for. */
const LONGEST = 2 ** 31 - 1;

/** What the page is told. */
export type Told = {
	messages: Message[];
	keep: Kept[];
	/** The table at which an engine has stopped, and why. */
	failed?: { table: string; why: string };
};

type Wanted = { table: string; unprompted: boolean; job: object };
/** What follows from a line: messages for each page, of which this worker has one. */
type Outcome = { messages: [Message[]]; keep: Kept[]; think: Wanted[]; halt: string[]; deadline: number | null };

let source: WebAssembly.Module;
let module: Promise<Say> | undefined;
let bell: ReturnType<typeof setTimeout> | undefined;
/** How to end what is thought at each table. */
const thoughts = new Map<string, () => void>();
/** An engine that has nothing to do. */
let idle: Worker | undefined;

self.onmessage = ({ data }: MessageEvent<WebAssembly.Module | Request>) => {
	if (!(data instanceof WebAssembly.Module)) return void take({ ask: data });
	source = data;
	module = open(data);
	void take({});
};

/** Gives something to the host, and does what follows. */
async function take(what: { ask?: Request; answer?: unknown }): Promise<void> {
	try {
		const say = await module;
		if (say) follow(JSON.parse(say('host', JSON.stringify({ now: Date.now(), ...what }))) as Outcome);
	} catch (error) {
		fail(error);
	}
}

function follow({ messages: [messages], keep, think, halt, deadline }: Outcome): void {
	if (messages.length > 0 || keep.length > 0) tell({ messages, keep });
	for (const table of halt) end(table);
	for (const wanted of think) begin(wanted);
	clearTimeout(bell);
	if (deadline !== null) bell = setTimeout(() => void take({}), Math.min(Math.max(deadline - Date.now(), 0), LONGEST));
}

function tell(told: Told): void {
	self.postMessage(told);
}

function end(table: string): void {
	thoughts.get(table)?.();
	thoughts.delete(table);
}

/** Lets an engine think at a table, instead of whatever was thought there. */
function begin({ table, unprompted, job }: Wanted): void {
	end(table);
	let engine: Worker | undefined;
	const started = Date.now();
	let timer = setTimeout(
		() => {
			const worker = idle ?? hired();
			engine = worker;
			idle = undefined;
			worker.onmessage = ({ data }: MessageEvent<string>) => {
				engine = undefined;
				if (idle) worker.terminate();
				else idle = worker;
				const answer = JSON.parse(data) as { error?: string };
				if (answer.error !== undefined) return stopped(table, answer.error);
				const early = Math.max(0, UNHURRIED - (Date.now() - started));
				timer = setTimeout(() => {
					thoughts.delete(table);
					void take({ answer });
				}, early);
			};
			worker.onerror = (event) => {
				event.preventDefault();
				worker.terminate();
				engine = undefined;
				stopped(table, event.message || 'the engine has failed');
			};
			worker.postMessage(JSON.stringify(job));
		},
		unprompted ? POLITE : 0,
	);
	thoughts.set(table, () => {
		clearTimeout(timer);
		engine?.terminate();
	});
}

function stopped(table: string, why: string): void {
	thoughts.delete(table);
	tell({ messages: [], keep: [], failed: { table, why } });
}

/** A new engine. */
function hired(): Worker {
	const worker = new Worker(new URL('../engine/worker.ts', import.meta.url), { type: 'module', name: 'think' });
	worker.postMessage(source);
	return worker;
}
