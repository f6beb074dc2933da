// A table that stands in this browser alone: the rules in one worker, the engine that plays in another.

import { Refusal, rules, Thinker, type Eyes } from '../engine/engine';
import type { Look, Position, Reason, Step, Thought } from '$gen/rpc';
import type { Ending } from '$gen/wire';
import { sentence } from '$lib/reasons';
import { t } from '$lib/words.svelte';
import { newId, save, saved, type Plan, type Saved } from './saved';
import type { SeatAt, Table } from './table';

/** An engine that answers at once looks like a mistake of one's own: its move comes after this many milliseconds at least. */
const UNHURRIED = 350;
/** How long an engine leaves a person alone before it says what the person has overlooked. */
const POLITE = 2500;
/** How long the engine thinks about a hint. */
const HINT = 800;

const pause = (millis: number) => new Promise((done) => setTimeout(done, millis));

/** A finished game is open to all; without a seat one only watches. */
const eyes = (me: number | null, over: boolean): Eyes => (over ? undefined : (me ?? 'spectator'));

export class LocalTable implements Table {
	readonly id: string;
	readonly plan: Plan;
	readonly title: string;
	/** Whether an engine plays this game. */
	readonly engines: boolean;
	/** Whether several people with secrets from each other share this screen. */
	readonly #discreet: boolean;
	readonly where = 'here';
	readonly online = null;
	readonly clocks = null;
	/** Whether some see more than others. */
	readonly hidden: boolean;

	look = $state.raw<Look | null>(null);
	me = $state<number | null>(null);
	thinking = $state<number | null>(null);
	handOver = $state<number | null>(null);
	trouble = $state<string | null>(null);
	readonly seats: readonly SeatAt[];
	readonly ending: Ending | null = $derived(this.look?.position.outcome ?? null);
	readonly status = $derived(this.look === null ? 'loading' : this.ending ? 'finished' : 'playing');
	readonly canUndo = $derived(this.#lastOwn() !== null);
	readonly canHint = $derived.by(() => this.engines && this.me !== null && (this.look?.offers.length ?? 0) > 0);

	readonly canReview = $derived.by(() => this.ending !== null || !this.hidden);

	#thinker = new Thinker();
	#session = 0;
	/** Counts what changes the game, so that what was thought about an older position is not played. */
	#epoch = 0;
	#closed = false;

	private constructor(id: string, plan: Plan, title: string, about: { hidden: boolean; engine: boolean }) {
		this.id = id;
		this.plan = plan;
		this.title = title;
		this.engines = about.engine;
		this.hidden = about.hidden;
		this.#discreet = about.hidden && plan.seats.filter((seat) => seat.kind === 'person').length > 1;
		this.seats = plan.seats.map((seat) => ({
			name: seat.kind === 'person' ? seat.name : t(`level.${seat.level}`),
			kind: seat.kind,
			mine: seat.kind === 'person',
			here: true,
		}));
	}

	get game(): string {
		return this.plan.game;
	}

	get options(): Record<string, unknown> {
		return this.plan.options;
	}

	/** Sets up a new game and keeps it; gives its id. A plan against the rules is refused with a sentence. */
	static async setUp(plan: Plan): Promise<string> {
		const { session } = await rules.open(plan.game, plan.seats.length, plan.options);
		const record = await rules.record(session);
		await rules.close(session);
		const id = newId();
		if (!save({ ...plan, id, record, plies: 0, changed: Date.now(), winners: null })) {
			throw new Refusal(t('table.cannot_keep'));
		}
		return id;
	}

	/** Goes on with a game that was kept; nothing if there is none. */
	static async open(id: string): Promise<LocalTable | null> {
		const game = saved(id);
		if (!game) return null;
		const [games, about] = await Promise.all([rules.games(), rules.about(game.game)]);
		const title = games.find((entry) => entry.id === game.game)?.title ?? game.game;
		const table = new LocalTable(id, game, title, about);
		table.#session = (await rules.load(game.record)).session;
		const mine = table.seats.findIndex((seat) => seat.mine);
		if (!table.#discreet && mine >= 0) table.me = mine;
		void table.#go();
		return table;
	}

	async act(action: string): Promise<string | null> {
		const seat = this.me;
		if (seat === null || this.handOver !== null) return t('table.not_yours');
		try {
			await rules.apply(this.#session, action, seat);
		} catch (error) {
			if (error instanceof Refusal) return sentence(error);
			throw error;
		}
		void this.#go();
		return null;
	}

	async explain(action: string): Promise<Reason | null> {
		return rules.check(this.#session, action, this.me ?? undefined);
	}

	async at(ply: number): Promise<Look> {
		return rules.look(this.#session, eyes(this.me, this.ending !== null), ply);
	}

	async undo(): Promise<string | null> {
		// Nobody may act in between, and what is shown may be older than the game.
		this.#halt();
		const { log } = await rules.look(this.#session, 'spectator');
		const keep = this.#lastOwn(log);
		if (keep !== null) await rules.undo(this.#session, log.length - keep);
		void this.#go();
		return keep === null ? t('table.nothing_to_undo') : null;
	}

	async hint(): Promise<string | null> {
		const thought = await this.#think(this.#epoch, { millis: HINT });
		return thought?.action ?? null;
	}

	/** Another person here acts, out of turn. Where people have secrets, nobody may look through other eyes like that. */
	async actFor(seat: number): Promise<void> {
		if (this.#discreet || !this.seats[seat]?.mine) return;
		const epoch = this.#epoch;
		const look = await rules.look(this.#session, seat);
		if (epoch !== this.#epoch) return;
		this.me = seat;
		this.look = look;
	}

	ready(): void {
		this.handOver = null;
	}

	record(): Promise<string> {
		return rules.record(this.#session);
	}

	async rematch(): Promise<string> {
		const [first, ...others] = this.plan.seats;
		const seats = first ? [...others, first] : [];
		return `/here/${await LocalTable.setUp({ ...this.plan, seats })}`;
	}

	close(): void {
		this.#closed = true;
		this.#halt();
		void rules.close(this.#session);
	}

	/** How many actions remain if the last one of a person here is taken back. */
	#lastOwn(log: readonly Step[] = this.look?.log ?? []): number | null {
		const last = log.findLastIndex(({ seat }) => seat !== undefined && this.seats[seat]?.mine);
		return last < 0 ? null : last;
	}

	/** Whatever is being thought or waited for counts no more. */
	#halt(): number {
		this.#thinker.stop();
		this.thinking = null;
		return ++this.#epoch;
	}

	/** Goes on after a change: lets chance and the engines act, until a person is on turn. */
	async #go(): Promise<void> {
		const epoch = this.#halt();
		this.trouble = null;
		try {
			while (await this.#step(epoch));
		} catch (error) {
			if (epoch === this.#epoch) this.trouble = t('table.engine_failed', { why: (error as Error).message });
		}
	}

	/** Shows the position and makes the next move that is not a person's; says whether there may be another one. */
	async #step(epoch: number): Promise<boolean> {
		const all = await rules.look(this.#session);
		if (epoch !== this.#epoch) return false;
		const { turn } = all.position;
		const me = turn.kind === 'seat' && this.seats[turn.seat]?.mine ? turn.seat : this.me;
		const shown = await rules.look(this.#session, eyes(me, turn.kind === 'over'));
		if (epoch !== this.#epoch) return false;
		// Who sees more than others must not be seen over the shoulder. All of it changes at once: the eyes and what they see.
		if (this.#discreet && me !== this.me) this.handOver = me;
		this.me = me;
		this.look = shown;
		await this.#keep(all.position);
		if (epoch !== this.#epoch || turn.kind === 'over') return false;
		if (turn.kind === 'chance') {
			await rules.apply(this.#session, '?');
			return epoch === this.#epoch;
		}
		if (this.seats[turn.seat]?.mine) return this.#overlooked(epoch, all.position);
		return this.#play(epoch, turn.seat);
	}

	/** Lets the engine at a seat make its move. */
	async #play(epoch: number, seat: number): Promise<boolean> {
		this.thinking = seat;
		const [thought] = await Promise.all([this.#think(epoch, { level: this.#level(seat), seat }), pause(UNHURRIED)]);
		if (epoch !== this.#epoch || !thought) return false;
		this.thinking = null;
		await rules.apply(this.#session, thought.action, seat);
		return epoch === this.#epoch;
	}

	/** While a person is on turn: an engine may say what others have overlooked, if the person does not act first. */
	async #overlooked(epoch: number, position: Position): Promise<boolean> {
		const others = new Set(position.actions.flatMap(({ seat }) => seat ?? []));
		const engines = [...others].filter((seat) => this.plan.seats[seat]?.kind === 'engine');
		if (engines.length === 0) return false;
		await pause(POLITE);
		for (const seat of engines) {
			if (epoch !== this.#epoch) return false;
			const thought = await this.#think(epoch, { level: this.#level(seat), seat });
			if (epoch !== this.#epoch) return false;
			if (thought) {
				await rules.apply(this.#session, thought.action, seat);
				return epoch === this.#epoch;
			}
		}
		return false;
	}

	#level(seat: number): string {
		const plan = this.plan.seats[seat];
		return plan?.kind === 'engine' ? plan.level : 'club';
	}

	/** What an engine thinks; nothing if the game has gone on meanwhile. */
	async #think(epoch: number, how: Parameters<Thinker['think']>[1]): Promise<Thought | null> {
		const record = await rules.record(this.#session);
		if (epoch !== this.#epoch) return null;
		const thought = await this.#thinker.think(record, how);
		return epoch === this.#epoch ? thought : null;
	}

	async #keep(position: Position): Promise<void> {
		const record = await rules.record(this.#session);
		if (this.#closed) return;
		const game: Saved = {
			...this.plan,
			id: this.id,
			record,
			plies: position.ply,
			changed: Date.now(),
			winners: position.outcome?.winners ?? null,
		};
		if (!save(game)) this.trouble = t('table.cannot_keep');
	}
}
