// A game of a server replayed here by the same rules, so that the server need not tell what follows from the moves.

import type { Look, Reason, Step } from '$gen/rpc';
import type { Setup } from '$gen/wire';
import { rules, type Eyes } from '../engine/engine';
import { common } from './told';

export class Mirror {
	#session: number;
	#log: readonly Step[] = [];

	private constructor(session: number) {
		this.#session = session;
	}

	static async of({ game, seats, options }: Setup): Promise<Mirror> {
		return new Mirror((await rules.open(game, seats.length, options)).session);
	}

	/** Makes the game the one with this log: takes back what is not in it, and makes what is missing. */
	async follow(log: readonly Step[]): Promise<void> {
		const shared = common(this.#log, log);
		const back = this.#log.length - shared;
		if (back > 0) await rules.undo(this.#session, back);
		this.#log = log.slice(0, shared);
		const fresh = log.slice(shared);
		await Promise.all(fresh.map(({ action, seat }) => rules.apply(this.#session, action, seat ?? undefined)));
		this.#log = log;
	}

	look(eyes: Eyes, ply?: number): Promise<Look> {
		return rules.look(this.#session, eyes, ply);
	}

	check(action: string, seat: number | null): Promise<Reason | null> {
		return rules.check(this.#session, action, seat ?? undefined);
	}

	close(): void {
		// A worker that has failed has nothing to close.
		rules.close(this.#session).catch(() => undefined);
	}
}
