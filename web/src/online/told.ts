// What a table's server has told of it so far, and what it has become by the next message.

import type { Position } from '$gen/rpc';
import type { Happened, Seated, Snapshot, Spoken, Step } from '$gen/wire';
import { merged } from './merge';

export type Told = Omit<Snapshot, 'position'> & {
	position: Position;
	/** In games with hidden information: what the viewer may be offered. */
	offers: readonly string[];
	/** The user as whom it was told; what others are told does not go on from here. */
	to: number | null;
};

export function fromSnapshot(snapshot: Snapshot, to: number | null): Told {
	return { ...snapshot, offers: snapshot.position.actions.map(({ action }) => action), to };
}

/**
 * The table after something happened. `known` if nothing of it is new, `gap` if it does not go on where we are: then only a new
 * snapshot helps.
 */
export function after(told: Told, happened: Happened): Told | 'known' | 'gap' {
	if (happened.version <= told.version) return 'known';
	if (happened.from !== told.version) return 'gap';
	const log = logAfter(told.log, happened);
	if (!log) return 'gap';
	const { position } = told;
	const view = happened.view === undefined ? position.view : merged(position.view, happened.view);
	const { turn, scores, version } = happened;
	return {
		...told,
		version,
		log,
		offers: happened.offers ?? [],
		position: { ...position, ply: log.length, turn, scores, view },
		status: happened.status ?? told.status,
		seats: happened.seats ?? told.seats,
		clocks: happened.clocks ?? told.clocks,
		draw_offer: happened.draw_offer === undefined ? told.draw_offer : happened.draw_offer,
		undo: happened.undo === undefined ? told.undo : happened.undo,
		ending: happened.ending ?? told.ending,
		rematch: happened.rematch ?? told.rematch,
	};
}

/** The actions after something happened; nothing if more is taken back than was made. */
function logAfter(log: readonly Step[], { events }: Happened): Step[] | null {
	let lines = [...log];
	for (const event of events) {
		if (event.type === 'acted') {
			const { seat, action } = event;
			lines.push(typeof seat === 'number' ? { seat, action } : { action });
		} else if (event.type === 'undone') {
			if (event.ply > lines.length) return null;
			lines = lines.slice(0, event.ply);
		}
	}
	return lines;
}

/** How many actions two logs have in common. */
export function common(one: readonly Step[], other: readonly Step[]): number {
	const differ = one.findIndex((line, at) => line.action !== other[at]?.action || line.seat !== other[at]?.seat);
	return differ < 0 ? one.length : differ;
}

/** Remarks with some more, each once, in the order in which they were made. */
export function heard(remarks: readonly Spoken[], more: readonly Spoken[]): readonly Spoken[] {
	const known = new Set(remarks.map(({ number }) => number));
	const fresh = more.filter(({ number }) => !known.has(number) && known.add(number));
	return fresh.length === 0 ? remarks : [...remarks, ...fresh].sort((one, other) => one.number - other.number);
}

export function seatOf(seats: readonly Seated[], user: number | null): number | null {
	const seat = user === null ? -1 : seats.findIndex((seated) => seated.user === user);
	return seat < 0 ? null : seat;
}
