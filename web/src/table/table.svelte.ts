// A table as the page sees it: what its connection tells, and what is said to it. Whether it stands in this browser or on a
// server is a matter of the connection.

import { Refusal, rules, Thinker } from '../engine/engine';
import type { About, Command, Ending, Event, Line, Look, Person, Reason, Remark, Setup, Snapshot, Status } from '$gen/types';
import { playerOf } from '$lib/games';
import { sentence } from '$lib/reasons';
import { t } from '$lib/words.svelte';
import { api } from '../online/api';
import { live } from '../online/live.svelte';
import { Denied } from '../online/denied';
import type { Answer, Wish } from '../online/protocol';
import { after, heard, seatOf } from '../online/snapshot';
import { who } from '../online/who.svelte';
import type { Connection, Heard, Watcher } from './connection';
import { here, setUp } from './here.svelte';
import { saved, type SeatPlan as SeatHere } from './saved';

/** How long the engine thinks about a hint, and how many lines it tells. */
const HINT = { millis: 800, lines: 3 };

export type SeatAt = {
	/** The person's name, or that of the engine's level. */
	name: string;
	kind: 'person' | 'engine' | 'open';
	/** Whether this is a person at this browser. */
	mine: boolean;
	/** Whether somebody at a server's table is connected now. */
	here: boolean;
};

/** A table as a user was told of it; what others are told does not go on from there. */
type Told = { snapshot: Snapshot; to: number | null };

/** What is known of a table when it is opened. */
type Opened = { told: Told; title: string; invitation?: string; about?: About };

export class Table implements Watcher {
	readonly table: string;
	readonly invitation: string | null;
	readonly title: string;
	readonly where: 'here' | 'online';
	readonly #connection: Connection;
	/** What the rules here say about the game; not asked for at a server's table. */
	readonly #about: About | null;

	#told = $state.raw() as Told;
	remarks = $state.raw<readonly Remark[]>([]);
	#present = $state.raw<{ seated: readonly number[]; others: number }>({ seated: [], others: 0 });
	#trouble = $state<string | null>(null);
	/** What somebody has answered, in a sentence, until the game goes on. */
	notice = $state<string | null>(null);
	/** Whether the connection has ended for good: the table has to be opened again. */
	broken = $state(false);

	/** The table as it was last told. */
	readonly snapshot: Snapshot = $derived(this.#told.snapshot);
	/** What is seen now. */
	readonly look: Look = $derived(lookOf(this.snapshot));
	/** Through whose eyes. */
	readonly me: number | null = $derived(this.snapshot.viewer ?? seatOf(this.snapshot.seats, this.#told.to));
	readonly seats: readonly SeatAt[] = $derived(this.snapshot.seats.map((_, seat) => this.#seatAt(seat)));
	readonly status: Status = $derived(this.snapshot.status);
	/** How it ended: by the rules, or before. */
	readonly ending: Ending | null = $derived(this.snapshot.ending);
	/** The seat at which an engine is thinking. */
	readonly thinking: number | null = $derived.by(() => {
		const { turn } = this.snapshot.position;
		return this.status === 'playing' && turn.kind === 'seat' && this.seats[turn.seat]?.kind === 'engine' ? turn.seat : null;
	});
	/** The seat to whose person the screen has to be handed, before anything is shown. */
	readonly handOver: number | null = $derived(this.snapshot.hand_over ?? null);
	/** What does not work at the moment, in a sentence. */
	readonly trouble: string | null = $derived.by(() => (this.#connection.outdated ? t('online.outdated') : this.#trouble));
	readonly canUndo: boolean = $derived.by(() => {
		const { log, setup, undo } = this.snapshot;
		const acted = log.some(({ seat }) => seat !== undefined && this.seats[seat]?.mine);
		return acted && (setup.undo === 'free' || (setup.undo === 'asked' && this.status === 'playing' && undo === null));
	});
	/** Whether somebody has left a live game: after a minute the others need not wait any longer, and the server says so before. */
	readonly canClaim: boolean = $derived.by(() => {
		const live = this.where === 'online' && this.status === 'playing' && this.snapshot.setup.clock?.kind === 'real_time';
		return live && this.me !== null && this.seats.some(({ kind, mine, here }) => kind === 'person' && !mine && !here);
	});
	readonly canHint: boolean = $derived.by(() => this.#about?.engine === true && this.me !== null && this.look.offers.length > 0);
	/** Whether the whole game may be looked through: nothing in it is hidden here, or it is over. */
	readonly canReview: boolean = $derived.by(() => this.ending !== null || this.#about?.hidden === false);
	/** The address of the rematch that was agreed on. */
	readonly next: string | null = $derived(this.snapshot.rematch && this.#address(this.snapshot.rematch));
	/** How many look on who do not sit here. */
	readonly watchers: number = $derived(this.#present.others);
	readonly isHost: boolean = $derived(this.snapshot.host === this.#told.to);

	/** Whether what comes does not go on from here: then only a new snapshot counts. */
	#stale = false;
	#unwatch: () => void;
	#thinker = new Thinker();

	private constructor(connection: Connection, { told, title, invitation, about }: Opened) {
		this.#connection = connection;
		this.#told = told;
		this.#about = about ?? null;
		this.table = told.snapshot.table;
		this.where = connection === here ? 'here' : 'online';
		this.invitation = invitation ?? null;
		this.title = title;
		this.#unwatch = connection.watch(this);
	}

	/** Opens a table of the server; one that cannot be seen is refused with a sentence. */
	static async online(id: string, invitation?: string): Promise<Table> {
		const [me, snapshot] = await Promise.all([who.ask(), api.look(id, invitation)]);
		const games = await rules.games().catch(() => api.games().catch(() => []));
		const title = games.find((entry) => entry.id === snapshot.setup.game)?.title ?? snapshot.setup.game;
		return new Table(live, { told: { snapshot, to: me?.id ?? null }, title, ...(invitation ? { invitation } : {}) });
	}

	/** Goes on with a game that is kept in this browser; nothing if there is none. */
	static async here(id: string): Promise<Table | null> {
		const game = saved(id);
		if (!game) return null;
		const [games, about] = await Promise.all([rules.games(), rules.call('about', { game: game.game })]);
		const title = games.find((entry) => entry.id === game.game)?.title ?? game.game;
		await here.ask({ type: 'open', table: id, record: game.record, seats: game.seats });
		let stop = () => {};
		try {
			const snapshot = await new Promise<Snapshot>((hear, denied) => {
				const known = () => ({ since: null, heard: null });
				const first = (message: Heard) => message.type === 'snapshot' && hear(message);
				stop = here.watch({ table: id, invitation: null, known, hear: first, denied });
			});
			return new Table(here, { told: { snapshot, to: here.user?.id ?? null }, title, about });
		} finally {
			stop();
		}
	}

	/** What the table agreed on. */
	get setup(): Setup {
		return this.snapshot.setup;
	}

	get connected(): boolean {
		return this.#connection.connected;
	}

	get ahead(): number {
		return this.#connection.ahead;
	}

	/** For the host: the address that invites somebody. */
	get link(): string | null {
		const key = this.snapshot.invitation;
		return key ? `${location.origin}/table/${this.table}?invitation=${encodeURIComponent(key)}` : null;
	}

	/** Makes an action for `me`; gives a sentence if it is refused, as all that follow. */
	async act(action: string): Promise<string | null> {
		if (this.me === null || this.handOver !== null) return t('table.not_yours');
		return this.do({ type: 'act', action, ply: this.snapshot.position.ply });
	}

	/** Why an action cannot be made; `null` if it can. */
	async explain(action: string): Promise<Reason | null> {
		try {
			await this.#connection.ask({ type: 'check', table: this.table, seat: this.me, action });
			return null;
		} catch (error) {
			if (error instanceof Denied) return error.reason ?? { code: error.code, args: {}, text: error.message };
			throw error;
		}
	}

	/** Does something for the seat that looks. */
	do(command: Command): Promise<string | null> {
		return this.#ask({ type: 'command', table: this.table, seat: this.me, command });
	}

	/** Does something for whoever of the people here it concerns, such as the one who was asked. */
	doForAny(command: Command): Promise<string | null> {
		return this.#ask({ type: 'command', table: this.table, command });
	}

	say(text: string): Promise<string | null> {
		return this.#ask({ type: 'say', table: this.table, text });
	}

	/** The person to whom the screen was handed is looking. */
	ready(): Promise<string | null> {
		return this.handOver === null ? Promise.resolve(null) : this.#lookAs(this.handOver);
	}

	/** Lets another person at this browser act out of turn. Where people have secrets, nobody may look through other eyes. */
	async actFor(seat: number): Promise<void> {
		if (this.#about?.hidden === false && this.seats[seat]?.mine) await this.#lookAs(seat);
	}

	/** What was seen after the first `ply` actions. */
	async at(ply: number): Promise<Look> {
		const answer = await this.#connection.ask({ type: 'position', table: this.table, ply });
		if (answer.type !== 'position') throw new Refusal(t('online.no_sense'));
		return { log: this.snapshot.log, offers: [], position: answer.position };
	}

	/** What the engine would do, the most promising line first; nothing if it would wait, or the game has gone on. */
	async hint(): Promise<readonly Line[]> {
		const { version } = this.snapshot;
		const thought = await this.#thinker.think(await this.record(), this.me === null ? HINT : { ...HINT, seat: this.me });
		return version === this.snapshot.version ? (thought?.lines ?? []) : [];
	}

	/** The record of the game, as far as `me` may have it. */
	async record(): Promise<string> {
		if (this.where === 'online') return api.record(this.table, this.invitation ?? undefined);
		const game = saved(this.table);
		if (!game) throw new Refusal(t('table.not_here'));
		return game.record;
	}

	/** A new game of the same kind, everybody a seat further; gives its address. */
	async rematch(): Promise<string | null> {
		// Those who only look on play no game again, but let the engines play another one.
		if (this.where === 'here' && this.me === null) return setUp({ ...this.setup, seats: this.setup.seats as SeatHere[] });
		const command: Command = { type: 'rematch' };
		const done = await answered(this.#connection.ask({ type: 'command', table: this.table, command }));
		if (typeof done === 'string') throw new Refusal(done);
		return done.type === 'done' && done.table ? this.#address(done.table) : null;
	}

	/** Nobody looks any more. */
	close(): void {
		this.#thinker.stop();
		this.#unwatch();
	}

	known(user: Person | null) {
		const goesOn = !this.#stale && this.#told.to === (user?.id ?? null);
		return { since: goesOn ? this.snapshot.version : null, heard: this.remarks.at(-1)?.number ?? null };
	}

	hear(message: Heard): void {
		switch (message.type) {
			case 'snapshot':
				this.#stale = false;
				return this.#show({ snapshot: message, to: this.#connection.user?.id ?? null });
			case 'update': {
				if (this.#stale) return;
				const next = after(this.snapshot, message);
				if (next === 'known') return;
				if (next === 'gap') {
					this.#stale = true;
					return this.#connection.watchAnew(this);
				}
				this.#show({ ...this.#told, snapshot: next });
				for (const event of message.events) this.#note(event);
				return;
			}
			case 'said':
				this.remarks = heard(this.remarks, message.remarks);
				return;
			case 'present':
				this.#present = message;
		}
	}

	denied(why: Denied): void {
		this.#trouble = sentence(why);
		this.broken = this.where === 'here' && why.code === 'internal';
	}

	#show(told: Told): void {
		this.#told = told;
		this.#trouble = null;
	}

	#note(event: Event): void {
		if (event.type === 'acted' || event.type === 'undone') this.notice = null;
		if (event.type !== 'draw_declined' && event.type !== 'undo_refused') return;
		this.notice = t(`table.${event.type}`, { name: this.seats[event.seat]?.name ?? '' });
	}

	#seatAt(number: number): SeatAt {
		const { user, name, engine, taken_over } = this.snapshot.seats[number]!;
		const mine = user !== null && user === this.#told.to;
		if (engine) {
			const level = playerOf(engine);
			return { name: taken_over ? t('online.for', { level, name: name ?? '' }) : level, kind: 'engine', mine, here: true };
		}
		if (!user) return { name: name ?? '', kind: name ? 'person' : 'open', mine: false, here: false };
		return { name: name ?? '', kind: 'person', mine, here: this.#present.seated.includes(user) };
	}

	#address(table: string): string {
		return `/${this.where === 'here' ? 'here' : 'table'}/${table}`;
	}

	#lookAs(seat: number): Promise<string | null> {
		return this.#ask({ type: 'look', table: this.table, seat });
	}

	async #ask(wish: Wish): Promise<string | null> {
		const done = await answered(this.#connection.ask(wish));
		return typeof done === 'string' ? done : null;
	}
}

/** What was answered; a sentence if it was refused. */
async function answered(request: Promise<Answer>): Promise<Answer | string> {
	try {
		return await request;
	} catch (error) {
		if (error instanceof Refusal) return sentence(error);
		throw error;
	}
}

function lookOf({ log, position }: Snapshot): Look {
	return { log, position, offers: position.actions.map(({ action }) => action) };
}
