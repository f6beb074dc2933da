// A table of a server: what the server tells, what follows from it by the rules, and what is said to it.

import { Refusal, rules } from '../engine/engine';
import type { Look, Reason } from '$gen/rpc';
import type { Command, Ending, Person, SeatPlan, Setup, Spoken } from '$gen/wire';
import { sentence } from '$lib/reasons';
import { has, t } from '$lib/words.svelte';
import { api } from '../online/api';
import { live, type Watcher } from '../online/live.svelte';
import { Mirror } from '../online/mirror';
import { Denied, type Done } from '../online/protocol';
import { after, fromSnapshot, heard, seatOf, type Told } from '../online/told';
import { who } from '../online/who.svelte';
import type { Online, SeatAt, Table } from './table';

/**
 * Where the position comes from. Where nothing is hidden a mirror works it out; where something is, the server tells it. If the
 * rules cannot be had here, the server is asked after each change.
 */
type Source = Mirror | 'told' | 'asked';

/** What is shown at one moment: all of it belongs together. */
type Shown = { told: Told; look: Look };

type Heard = Parameters<Watcher['hear']>[0];

export class OnlineTable implements Table, Watcher {
	readonly table: string;
	readonly invitation: string | null;
	readonly title: string;
	readonly where = 'online';
	readonly handOver = null;
	readonly canHint = false;
	readonly online: Online = this.#side();

	#shown = $state.raw<Shown | null>(null);
	#remarks = $state.raw<readonly Spoken[]>([]);
	#present = $state.raw<{ seated: readonly number[]; others: number }>({ seated: [], others: 0 });
	#trouble = $state<string | null>(null);

	readonly #told = $derived(this.#shown?.told ?? null);
	readonly look = $derived(this.#shown?.look ?? null);
	readonly me = $derived(this.#told && seatOf(this.#told.seats, this.#told.to));
	readonly seats: readonly SeatAt[] = $derived(this.#told?.seats.map((_, seat) => this.#seatAt(seat)) ?? []);
	/** Who may sit on each seat, as long as the table waits. */
	readonly plans: readonly SeatPlan[] = $derived(this.#told?.setup.seats ?? []);
	readonly status = $derived(this.#told?.status ?? 'loading');
	readonly ending: Ending | null = $derived(this.#told?.ending ?? this.look?.position.outcome ?? null);
	readonly clocks = $derived(this.#told?.clocks ?? null);
	readonly thinking = $derived.by(() => {
		const turn = this.look?.position.turn;
		return this.status === 'playing' && turn?.kind === 'seat' && this.#told?.seats[turn.seat]?.engine ? turn.seat : null;
	});
	readonly canReview = $derived(this.ending !== null);
	readonly trouble = $derived(live.outdated ? t('online.outdated') : this.#trouble);
	readonly canUndo = $derived.by(() => {
		const told = this.#told;
		const acted = told?.log.some(({ seat }) => seat !== undefined && seat === this.me) ?? false;
		return acted && told?.status === 'playing' && told.setup.undo === 'asked' && told.undo === null;
	});

	/** The newest that is known; it is shown as soon as the position is worked out. */
	#newest: Told;
	#source: Source;
	/** Whether what comes does not go on from there: then only a new snapshot counts. */
	#stale = false;
	#showing = false;
	#closed = false;
	#unwatch: () => void = () => undefined;

	private constructor(told: Told, invitation: string | null, title: string, source: Source) {
		this.table = told.table;
		this.invitation = invitation;
		this.title = title;
		this.#newest = told;
		this.#source = source;
	}

	/** Opens a table; one that cannot be seen is refused with a sentence. */
	static async open(id: string, invitation?: string): Promise<OnlineTable> {
		const [me, snapshot] = await Promise.all([who.ask(), api.look(id, invitation)]);
		const [title, source] = await Promise.all([titleOf(snapshot.setup.game), sourceOf(snapshot.setup)]);
		const table = new OnlineTable(fromSnapshot(snapshot, me?.id ?? null), invitation ?? null, title, source);
		await table.#show();
		table.#unwatch = live.watch(table);
		return table;
	}

	get game(): string {
		return this.#newest.setup.game;
	}

	get options(): Record<string, unknown> {
		return this.#newest.setup.options;
	}

	/** What the table agreed on. */
	get setup(): Setup {
		return this.#newest.setup;
	}

	act(action: string): Promise<string | null> {
		const ply = this.look?.position.ply ?? null;
		return this.#do({ type: 'act', action, ply });
	}

	async explain(action: string): Promise<Reason | null> {
		if (this.#source instanceof Mirror) return this.#source.check(action, this.me);
		return this.look?.offers.includes(action) ? null : { code: 'online.not_possible', args: {}, text: t('online.not_possible') };
	}

	async at(ply: number): Promise<Look> {
		if (this.#source instanceof Mirror) return this.#source.look(this.#eyes(this.#newest), ply);
		const position = await api.position(this.table, ply, this.invitation ?? undefined);
		return { log: this.look?.log ?? [], offers: [], position };
	}

	undo(): Promise<string | null> {
		return this.#do({ type: 'ask_undo' });
	}

	hint(): Promise<string | null> {
		return Promise.resolve(null);
	}

	ready(): void {
		// Everybody has a screen of his own.
	}

	record(): Promise<string> {
		return api.record(this.table, this.invitation ?? undefined);
	}

	async rematch(): Promise<string | null> {
		const done = await answered(live.command(this.table, { type: 'rematch' }));
		if (typeof done === 'string') throw new Refusal(done);
		return done.table ? `/table/${done.table}` : null;
	}

	close(): void {
		this.#closed = true;
		this.#unwatch();
		if (this.#source instanceof Mirror) this.#source.close();
	}

	known(user: Person | null) {
		const goesOn = !this.#stale && this.#newest.to === (user?.id ?? null);
		return { since: goesOn ? this.#newest.version : null, heard: this.#remarks.at(-1)?.number ?? null };
	}

	hear(message: Heard): void {
		switch (message.type) {
			case 'snapshot':
				this.#newest = fromSnapshot(message, live.user?.id ?? null);
				this.#stale = false;
				void this.#show();
				return;
			case 'happened': {
				if (this.#stale) return;
				const next = after(this.#newest, message);
				if (next === 'known') return;
				if (next === 'gap') return this.#anew();
				this.#newest = next;
				// Of a finished game everything is open, also what was hidden when it happened.
				if (message.status === 'finished' && this.#source === 'told') this.#anew();
				void this.#show();
				return;
			}
			case 'said':
				this.#remarks = heard(this.#remarks, message.remarks);
				return;
			case 'present':
				this.#present = message;
		}
	}

	denied(why: Denied): void {
		this.#trouble = sentence(why);
	}

	/** Asks for everything from the beginning. */
	#anew(): void {
		this.#stale = true;
		live.watchAnew(this);
	}

	/** Shows the newest, and what has become of it meanwhile. */
	async #show(): Promise<void> {
		if (this.#showing) return;
		this.#showing = true;
		try {
			for (let told: Told | null = null; told !== this.#newest && !this.#closed; ) {
				told = this.#newest;
				const look = await this.#lookAt(told);
				if (!this.#closed) this.#shown = { told, look };
				this.#trouble = null;
			}
		} catch (error) {
			this.#trouble = (error as Error).message;
		} finally {
			this.#showing = false;
		}
	}

	async #lookAt(told: Told): Promise<Look> {
		if (this.#source instanceof Mirror) {
			try {
				await this.#source.follow(told.log);
				return this.#offered(told, await this.#source.look(this.#eyes(told)));
			} catch {
				// The rules here are not those of the server, or cannot be had any more: the server knows.
				this.#source = 'asked';
			}
		}
		if (this.#source === 'told') {
			return this.#offered(told, { log: told.log, offers: [...told.offers], position: told.position });
		}
		const { position, log } = await api.look(this.table, this.invitation ?? undefined);
		return this.#offered(told, { log, offers: position.actions.map(({ action }) => action), position });
	}

	/** Only who plays is offered something, and only while the game is on. */
	#offered(told: Told, look: Look): Look {
		const seat = seatOf(told.seats, told.to);
		const plays = told.status === 'playing' && seat !== null && !told.seats[seat]?.engine;
		return plays ? look : { ...look, offers: [] };
	}

	#eyes(told: Told) {
		return told.status === 'finished' ? undefined : (seatOf(told.seats, told.to) ?? 'spectator');
	}

	#seatAt(number: number): SeatAt {
		const seated = this.#told?.seats[number];
		const mine = number === this.me;
		if (seated?.engine) {
			const level = has(`level.${seated.engine}`) ? t(`level.${seated.engine}`) : seated.engine;
			const name = seated.taken_over ? t('online.for', { level, name: seated.name ?? '' }) : level;
			return { name, kind: 'engine', mine, here: true };
		}
		if (!seated?.user) return { name: seated?.name ?? '', kind: seated?.name ? 'person' : 'open', mine: false, here: false };
		return { name: seated.name ?? '', kind: 'person', mine, here: this.#present.seated.includes(seated.user) };
	}

	async #do(command: Command): Promise<string | null> {
		const done = await answered(live.command(this.table, command));
		return typeof done === 'string' ? done : null;
	}

	async #say(text: string): Promise<string | null> {
		const done = await answered(live.say(this.table, text));
		return typeof done === 'string' ? done : null;
	}

	/** What only a table on a server has. */
	#side(): Online {
		const table = this;
		return {
			get table() {
				return table.table;
			},
			get connected() {
				return live.connected;
			},
			get remarks() {
				return table.#remarks;
			},
			get watchers() {
				return table.#present.others;
			},
			get drawOffer() {
				return table.#told?.draw_offer ?? null;
			},
			get undo() {
				return table.#told?.undo ?? null;
			},
			get rated() {
				return table.#told?.setup.rated ?? false;
			},
			get invitation() {
				const key = table.#told?.invitation;
				return key ? `${location.origin}/table/${table.table}?invitation=${encodeURIComponent(key)}` : null;
			},
			get host() {
				const told = table.#told;
				return told !== null && told.host === told.to;
			},
			get next() {
				return table.#told?.rematch ?? null;
			},
			get ahead() {
				return live.ahead;
			},
			say: (text) => table.#say(text),
			sit: (seat) => table.#do({ type: 'sit', seat, invitation: table.invitation }),
			leave: () => table.#do({ type: 'leave' }),
			abort: () => table.#do({ type: 'abort' }),
			resign: () => table.#do({ type: 'resign' }),
			offerDraw: () => table.#do({ type: 'offer_draw' }),
			answerDraw: (accept) => table.#do({ type: 'answer_draw', accept }),
			answerUndo: (grant) => table.#do({ type: 'answer_undo', grant }),
		};
	}
}

/** What was answered; a sentence if it was refused. */
async function answered(request: Promise<Done>): Promise<Done | string> {
	try {
		return await request;
	} catch (error) {
		if (error instanceof Denied || error instanceof Refusal) return sentence(error);
		throw error;
	}
}

/** Where nothing is hidden the position follows from the moves; the rules here know both. */
async function sourceOf(setup: Setup): Promise<Source> {
	try {
		return (await rules.about(setup.game)).hidden ? 'told' : await Mirror.of(setup);
	} catch {
		return 'asked';
	}
}

async function titleOf(game: string): Promise<string> {
	const games = await rules.games().catch(() => api.games().catch(() => []));
	return games.find(({ id }) => id === game)?.title ?? game;
}
