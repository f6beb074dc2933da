// Other moves from a position of a game: a game of its own, in which one person acts for whoever is on turn.

import { Refusal, rules, Thinker } from '../engine/engine';
import type { ActionJson, Look, Position, Reason, Step, Thought } from '$gen/types';
import { sentence } from '$lib/reasons';
import { t } from '$lib/words.svelte';
import { recentAt } from './recent';

/** How long the engine thinks when it is asked. */
const THINKING = 1500;

export class Branch {
	/** The ply at which it leaves the game. */
	readonly root: number;
	/** Whether chance draws by itself after an action, or is asked for. */
	lucky = $state(true);
	position = $state.raw<Position>() as Position;
	log = $state.raw<readonly Step[]>([]);
	/** For whom one acts. */
	me = $state<number | null>(null);
	offers = $state.raw<readonly string[]>([]);
	thinking = $state(false);
	thought = $state.raw<Thought | null>(null);
	/** Why something was refused, in a sentence. */
	refused = $state<string | null>(null);

	/** Who may act, on turn or not. */
	readonly actors = $derived.by(() => [...new Set(this.position.actions.flatMap(({ seat }) => seat ?? []))]);
	/** What chance may bring, if it is on turn. */
	readonly outcomes: readonly ActionJson[] = $derived(this.position.turn.kind === 'chance' ? this.position.actions : []);
	readonly recent = $derived.by(() => recentAt(this.log, this.position.ply));
	/** What was done here. */
	readonly own = $derived.by(() => this.log.slice(this.root));

	readonly #session: number;
	#thinker = new Thinker();
	/** Counts the changes, so that what was thought about an older position is not shown. */
	#epoch = 0;

	private constructor(session: number, root: number) {
		this.#session = session;
		this.root = root;
	}

	/** Leaves the game of a record after so many actions. */
	static async leave(record: string, ply: number): Promise<Branch> {
		const { session, position } = await rules.call('load', { record });
		const branch = new Branch(session, ply);
		if (position.ply > ply) await rules.call('undo', { session, count: position.ply - ply });
		await branch.#see();
		return branch;
	}

	/** Makes an action for `me`; gives a sentence if it is refused. */
	async act(action: string): Promise<string | null> {
		const seat = this.me;
		if (seat === null) return t('table.not_yours');
		await this.#change(() => rules.call('apply', { session: this.#session, action, seat }), this.lucky);
		return this.refused;
	}

	/** Chance brings this, or whatever it likes. */
	async chance(outcome = '?'): Promise<void> {
		await this.#change(() => rules.call('apply', { session: this.#session, action: outcome }), this.lucky);
	}

	/** Takes back the last action, with what chance made of it if nobody chose that. */
	async back(): Promise<void> {
		const last = this.lucky ? this.own.findLastIndex(({ seat }) => seat !== undefined) : this.own.length - 1;
		const keep = Math.max(last, 0);
		if (this.own.length > keep) await this.#change(() => rules.call('undo', { session: this.#session, count: this.own.length - keep }), false);
	}

	/** Acts for another seat that may do something now. */
	async actFor(seat: number): Promise<void> {
		this.me = seat;
		this.offers = (await this.#look(seat)).offers;
	}

	explain(action: string): Promise<Reason | null> {
		return rules.call('check', { session: this.#session, action, seat: this.me ?? undefined });
	}

	/** Asks the engine what it would do for who is on turn. */
	async ask(): Promise<void> {
		const epoch = ++this.#epoch;
		this.thinking = true;
		this.refused = null;
		try {
			const thought = await this.#thinker.think(await this.record(), THINKING);
			if (epoch === this.#epoch) this.thought = thought;
		} catch (error) {
			if (epoch === this.#epoch) this.refused = t('review.trouble', { why: (error as Error).message });
		}
		if (epoch === this.#epoch) this.thinking = false;
	}

	/** The game with these moves instead. */
	record(): Promise<string> {
		return rules.call('record', { session: this.#session });
	}

	close(): void {
		this.#forget();
		void rules.call('close', { session: this.#session });
	}

	async #change(change: () => Promise<Position>, draws: boolean): Promise<void> {
		this.#forget();
		const epoch = this.#epoch;
		this.refused = null;
		try {
			let { turn } = await change();
			while (draws && turn.kind === 'chance') ({ turn } = await rules.call('apply', { session: this.#session, action: '?' }));
		} catch (error) {
			this.refused = error instanceof Refusal ? sentence(error) : t('review.trouble', { why: (error as Error).message });
		}
		if (epoch === this.#epoch) await this.#see();
	}

	#look(seat?: number): Promise<Look> {
		return rules.call('look', { session: this.#session, seat });
	}

	#forget(): void {
		this.#epoch += 1;
		this.#thinker.stop();
		this.thinking = false;
		this.thought = null;
	}

	/** Everything is shown, but offered is only what the acting seat would be offered. */
	async #see(): Promise<void> {
		const all = await this.#look();
		const { turn } = all.position;
		const me = turn.kind === 'seat' ? turn.seat : null;
		const offers = me === null ? [] : (await this.#look(me)).offers;
		[this.log, this.position, this.me, this.offers] = [all.log, all.position, me, offers];
	}
}
