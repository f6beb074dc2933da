// A server of its own for a test: the real program on a port that is free, with a folder that is removed afterwards.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

/** The program: given by `cargo xtask`, or as `cargo build` leaves it. */
const program = process.env['QUINCUNX'] ?? resolve(import.meta.dirname, '../../../target/debug/quincunx');

export class Server {
	readonly #folder = mkdtempSync(join(tmpdir(), 'quincunx-e2e-'));
	#process: ChildProcess | undefined;
	address = '';

	/** Starts it, again on the same port and with the same data if it was started before. */
	async start(): Promise<this> {
		const listen = this.address ? new URL(this.address).host : '127.0.0.1:0';
		const limits = ['--requests-per-minute', '100000', '--people-per-hour', '1000', '--tables-per-hour', '1000'];
		const child = spawn(program, ['serve', '--listen', listen, '--data', this.#folder, ...limits], {
			stdio: ['ignore', 'pipe', 'inherit'],
			env: { ...process.env, QUINCUNX_LOG_LEVEL: 'error' },
		});
		this.#process = child;
		for await (const line of createInterface({ input: child.stdout! })) {
			const found = /http:\/\/\S+/.exec(line);
			if (found) {
				this.address = found[0];
				return this;
			}
		}
		throw new Error('the server ended before it said where it is');
	}

	/** Ends it as a crash would. */
	async kill(): Promise<void> {
		const child = this.#process;
		this.#process = undefined;
		if (!child || child.exitCode !== null) return;
		const ended = once(child, 'exit');
		child.kill('SIGKILL');
		await ended;
	}

	async close(): Promise<void> {
		await this.kill();
		rmSync(this.#folder, { recursive: true, force: true });
	}
}
