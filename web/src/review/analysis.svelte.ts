// The engine goes through a whole game, in a worker of its own, and says what it makes of every action.

import { Thinker } from '../engine/engine';
import type { Judged, Step } from '$gen/types';
import { t } from '$lib/words.svelte';
import { samples, turningPoints } from './graph';

/** How long the engine thinks about an action, in milliseconds. */
export const depths = { quick: 100, normal: 400, thorough: 1500 } as const;
export type Depth = keyof typeof depths;

/** How long it will take, in seconds: chance is not thought about. */
export function duration(log: readonly Step[], depth: Depth): number {
	return Math.ceil((log.filter(({ seat }) => seat !== undefined).length * depths[depth]) / 1000);
}

/** What it needs to know about a game. */
type Game = { record: string; plies: number; winners: readonly number[] | null };

export class Analysis {
	readonly game: Game;
	state = $state<'none' | 'running' | 'stopped' | 'done'>('none');
	done = $state(0);
	of = $state(0);
	moves = $state.raw<readonly Judged[]>([]);
	/** Why it has failed, in a sentence. */
	trouble = $state<string | null>(null);
	/** What each seat could expect, as far as it is known. */
	readonly found = $derived.by(() => {
		const { plies, winners } = this.game;
		return samples(this.moves, plies, this.state === 'done' ? winners : null);
	});
	readonly turns = $derived(turningPoints(this.moves));

	#thinker: Thinker | undefined;
	/** Counts the runs, so that one that was stopped says nothing more. */
	#run = 0;

	constructor(game: Game) {
		this.game = game;
	}

	async start(depth: Depth): Promise<void> {
		const run = ++this.#run;
		const thinker = (this.#thinker = new Thinker());
		this.state = 'running';
		[this.done, this.of, this.moves, this.trouble] = [0, 0, [], null];
		try {
			await thinker.review(this.game.record, depths[depth], ({ done, of, moves }) => {
				// One that was stopped before its worker was there still has to end.
				if (run !== this.#run) throw new Error('stopped');
				[this.done, this.of, this.moves] = [done, of, moves];
			});
			if (run === this.#run) this.state = 'done';
		} catch (error) {
			if (run !== this.#run) return;
			this.state = 'stopped';
			this.trouble = t('review.trouble', { why: (error as Error).message });
		} finally {
			thinker.stop();
		}
	}

	/** What was found so far is kept. */
	stop(): void {
		this.#run += 1;
		this.#thinker?.stop();
		if (this.state === 'running') this.state = 'stopped';
	}

	/** What the engine makes of the action that follows this ply. */
	next(ply: number): Judged | undefined {
		return this.moves.find((move) => move.ply === ply + 1);
	}

	/** What the engine makes of the action that led to this ply. */
	past(ply: number): Judged | undefined {
		return this.moves.find((move) => move.ply === ply);
	}
}
