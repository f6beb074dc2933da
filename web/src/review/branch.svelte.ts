// Other moves from a position of a game: a game of its own, in which one person acts for whoever is on turn.

import { Refusal, rules, Thinker } from '../engine/engine';
import type { ActionJson, Judged, Look, Position, Reason, Step, Thought } from '$gen/types';
import { sentence } from '$lib/reasons';
import { t } from '$lib/words.svelte';
import { recentAt } from './recent';

/** How long the engine thinks when it is asked, and how many lines it tells. */
const THINKING = { millis: 1500, lines: 5 };

/** How long a step of a line is looked at before the next one. */
const STEP = 800;

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
	/** A line of the engine that is shown here, from where the branch leaves the game. */
	line = $state.raw<readonly Step[]>([]);
	/** Why something was refused, in a sentence. */
	refused = $state<string | null>(null);

	/** Who may act, on turn or not. */
	readonly actors = $derived.by(() => [...new Set(this.position.actions.flatMap(({ seat }) => seat ?? []))]);
	/** What chance may bring, if it is on turn. */
	readonly outcomes: readonly ActionJson[] = $derived(this.position.turn.kind === 'chance' ? this.position.actions : []);
	readonly recent = $derived.by(() => recentAt(this.log, this.position.ply));
	/** What was done here. */
	readonly own = $derived.by(() => this.log.slice(this.root));
	/** The step of the line that comes next, as long as nothing else was tried. What will be drawn, no line knows. */
	readonly ahead: Step | null = $derived.by(() => {
		const next = this.line[this.own.length];
		return next?.seat !== undefined && follows(this.line, this.own) ? next : null;
	});

	readonly #session: number;
	#thinker = new Thinker();
	/** Counts the changes, so that what was thought about an older position is not shown. */
	#epoch = 0;
	/** Counts what people do, so that a line that is shown ends with it; and the step of it that is under way. */
	#run = 0;
	#moving: Promise<unknown> = Promise.resolve();

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
		await this.#halt();
		const seat = this.me;
		if (seat === null) return t('table.not_yours');
		await this.#change(() => rules.call('apply', { session: this.#session, action, seat }), this.lucky);
		return this.refused;
	}

	/** Shows a line, step by step, as far as nothing has to be drawn, until somebody does something else. */
	async follow(line: readonly Step[]): Promise<void> {
		await this.#halt();
		const run = this.#run;
		this.line = line;
		while (run === this.#run && (await (this.#moving = this.#next()))) await new Promise((done) => setTimeout(done, STEP));
	}

	/** Makes the next step of the line. */
	async onward(): Promise<void> {
		await this.#halt();
		await this.#next();
	}

	/** Chance brings this, or whatever it likes. */
	async chance(outcome = '?'): Promise<void> {
		await this.#halt();
		await this.#change(() => rules.call('apply', { session: this.#session, action: outcome }), this.lucky);
	}

	/** Takes back the last action, with what chance made of it if nobody chose that. */
	async back(): Promise<void> {
		await this.#halt();
		const last = this.lucky ? this.own.findLastIndex(({ seat }) => seat !== undefined) : this.own.length - 1;
		const keep = Math.max(last, 0);
		if (this.own.length > keep) await this.#change(() => rules.call('undo', { session: this.#session, count: this.own.length - keep }), false);
	}

	/** Acts for another seat that may do something now. */
	async actFor(seat: number): Promise<void> {
		await this.#halt();
		this.me = seat;
		this.offers = (await this.#look(seat)).offers;
	}

	explain(action: string): Promise<Reason | null> {
		return rules.call('check', { session: this.#session, action, seat: this.me ?? undefined });
	}

	/** Asks the engine what it would do for who is on turn. */
	async ask(): Promise<void> {
		await this.#halt();
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
		void this.#halt().then(() => rules.call('close', { session: this.#session }));
	}

	/** Ends the showing of a line; a step that is under way is made first. */
	async #halt(): Promise<void> {
		this.#run += 1;
		await this.#moving;
	}

	/** Makes the next step of the line; says whether another one follows. */
	async #next(): Promise<boolean> {
		const { ahead } = this;
		if (ahead?.seat === undefined) return false;
		const { action, seat } = ahead;
		// The engine knew only what the seat knew: what it thought of others may be impossible.
		if (await rules.call('check', { session: this.#session, action, seat })) {
			this.line = this.line.slice(0, this.own.length);
			return false;
		}
		await this.#change(() => rules.call('apply', { session: this.#session, action, seat }), false);
		return this.ahead !== null;
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

/** Whether everything that was done is what the line begins with. */
export function follows(line: readonly Step[], done: readonly Step[]): boolean {
	return done.every(({ seat, action }, at) => line[at]?.action === action && line[at].seat === seat);
}

/** Further ahead the engine guesses, and nobody follows. */
const FAR = 8;

/** The better line of a judged action; analyses from before know its first step only. */
export function betterLine({ seat, better, line = [] }: Judged): readonly Step[] {
	return line.length > 0 ? line.slice(0, FAR) : [{ seat, action: better }];
}
