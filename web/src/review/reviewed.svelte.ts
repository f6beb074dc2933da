// A game that was played, as it is looked at again: a place in it, and the position there with everything shown.

import { boardOf } from '../boards';
import type { BoardModule } from '../boards/contract';
import { rules } from '../engine/engine';
import type { Ending, Position, Step } from '$gen/types';
import { playerOf, titleOf } from '$lib/games';
import { t } from '$lib/words.svelte';
import { brokenOff, headersOf } from './headers';
import { recentAt } from './recent';

/** How long a position is looked at when the game plays on by itself. */
const STEP = 900;

export class Reviewed {
	ply = $state(0);
	position = $state.raw<Position>() as Position;
	playing = $state(false);
	trouble = $state<string | null>(null);
	/** A seat that the record has no name for is named in the reader's language. */
	readonly names: readonly string[] = $derived.by(() =>
		this.last.scores.map((_, seat) => playerOf(this.#headers.get(`Player ${seat}`) ?? '') || t('review.seat', { number: seat + 1 })),
	);
	readonly recent = $derived.by(() => recentAt(this.log, this.position.ply));
	/** How it ended: by the rules, or before. */
	readonly ending: Ending | null;

	readonly #headers: ReadonlyMap<string, string>;
	#timer: ReturnType<typeof setInterval> | undefined;

	private constructor(
		private readonly session: number,
		readonly record: string,
		/** Whether an engine plays this game. */
		readonly engine: boolean,
		readonly board: BoardModule,
		readonly log: readonly Step[],
		/** The last position, which also says what the seats' marks are. */
		readonly last: Position,
	) {
		this.#headers = headersOf(record);
		this.ending = last.outcome ?? brokenOff(this.#headers);
		this.position = last;
		this.ply = last.ply;
	}

	/** Refuses a record that cannot be replayed with the rules' own sentence. */
	static async open(text: string, ply: number | null): Promise<Reviewed> {
		const { session, position } = await rules.call('load', { record: text });
		const { game } = position;
		const [record, about, board, { log }] = await Promise.all([
			rules.call('record', { session }),
			rules.call('about', { game }),
			boardOf(game),
			rules.call('look', { session }),
		]);
		const reviewed = new Reviewed(session, record, about.engine, board, log, position);
		if (ply !== null) await reviewed.goTo(ply);
		return reviewed;
	}

	get title(): string {
		return titleOf(this.last.game);
	}

	/** The winners by the rules; nobody knows them of a game that was broken off or goes on. */
	get winners(): readonly number[] | null {
		return this.last.outcome?.winners ?? null;
	}

	get plies(): number {
		return this.log.length;
	}

	/** Shows the position after so many actions. */
	async goTo(ply: number): Promise<void> {
		const wanted = Math.min(this.plies, Math.max(0, Math.round(ply)));
		this.ply = wanted;
		try {
			const { position } = await rules.call('look', { session: this.session, ply: wanted });
			// Who goes on faster than the answers come sees the last one.
			if (wanted === this.ply) this.position = position;
			this.trouble = null;
		} catch (error) {
			this.trouble = t('review.trouble', { why: (error as Error).message });
			this.pause();
		}
	}

	/** Somebody goes somewhere: the game no longer plays on by itself. */
	step(by: number): void {
		this.jump(this.ply + by);
	}

	jump(ply: number): void {
		this.pause();
		void this.goTo(ply);
	}

	/** Lets the game play on by itself, from its beginning if it was at its end. */
	play(): void {
		if (this.plies === 0) return;
		this.playing = true;
		void this.goTo(this.ply === this.plies ? 0 : this.ply + 1);
		this.#timer = setInterval(() => {
			if (this.ply === this.plies) this.pause();
			else void this.goTo(this.ply + 1);
		}, STEP);
	}

	pause(): void {
		clearInterval(this.#timer);
		this.playing = false;
	}

	toggle(): void {
		if (this.playing) this.pause();
		else this.play();
	}

	close(): void {
		this.pause();
		void rules.call('close', { session: this.session });
	}
}
