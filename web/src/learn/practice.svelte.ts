// The board of a lesson's step: the learner acts, and what he does can be taken back.

import { rules } from '../engine/engine';
import type { Look, Reason } from '$gen/types';
import { sentence } from '$lib/reasons';
import type { Step } from './contract';
import { perform, setUp } from './scene';

/** How long a wrong move lies on the board before it is taken back: long enough to be seen. */
const SEEN = 900;
/** How long what the others do is looked at. */
const PACE = 700;

const pause = (millis: number) => new Promise((done) => setTimeout(done, millis));

export class Practice {
	readonly me: number;
	look = $state.raw<Look>() as Look;
	/** Whether something happens by itself. */
	busy = $state(false);

	readonly #session: number;
	readonly #step: Step;
	#closed = false;

	private constructor(session: number, step: Step) {
		this.#session = session;
		this.#step = step;
		this.me = step.scene.me;
	}

	static async open(game: string, step: Step): Promise<Practice> {
		const practice = new Practice(await setUp(game, step.scene), step);
		await practice.#see();
		return practice;
	}

	explain(action: string): Promise<Reason | null> {
		return rules.call('check', { session: this.#session, action, seat: this.me });
	}

	/** The learner makes an action; gives a sentence if the rules refuse it. */
	async act(action: string): Promise<string | null> {
		const why = await this.explain(action);
		if (why !== null) return sentence(why);
		await perform(this.#session, [this.me, action]);
		await this.#see();
		return null;
	}

	/** Goes back to the scene as it was. */
	async takeBack(): Promise<void> {
		await this.#byItself(async () => {
			await pause(SEEN);
			if (this.#closed) return;
			await rules.call('undo', { session: this.#session, count: 1 });
			await this.#see();
		});
	}

	/** Plays what the others then do. */
	async consequence(): Promise<void> {
		await this.#byItself(async () => {
			for (const action of this.#step.then ?? []) {
				await pause(PACE);
				if (this.#closed) return;
				await perform(this.#session, action);
				await this.#see();
			}
		});
	}

	close(): void {
		this.#closed = true;
		void rules.call('close', { session: this.#session });
	}

	async #byItself(play: () => Promise<void>): Promise<void> {
		this.busy = true;
		try {
			await play();
		} finally {
			this.busy = false;
		}
	}

	async #see(): Promise<void> {
		if (!this.#closed) this.look = await rules.call('look', { session: this.#session, seat: this.me });
	}
}
