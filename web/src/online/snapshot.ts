// A table as it was last seen, and what it has become by the next message.

import type { Remark, Seated, Snapshot, Step, Update } from '$gen/types';
import { merged } from './merge';

/**
 * The table after something happened. `known` if nothing of it is new, `gap` if it does not go on where we are: then only a new
 * snapshot helps.
 */
export function after(snapshot: Snapshot, update: Update): Snapshot | 'known' | 'gap' {
	if (update.version <= snapshot.version) return 'known';
	if (update.from !== snapshot.version) return 'gap';
	const log = logAfter(snapshot.log, update);
	if (!log) return 'gap';
	const { position } = snapshot;
	const { turn, scores, version, offers = [], view, status = snapshot.status } = update;
	const viewer = status === 'playing' ? (update.viewer ?? snapshot.viewer) : null;
	const ending = update.ending === undefined ? snapshot.ending : update.ending;
	return {
		...snapshot,
		setup: setupAfter(snapshot.setup, update),
		version,
		log,
		viewer,
		hand_over: update.hand_over === undefined ? snapshot.hand_over : update.hand_over,
		position: {
			...position,
			ply: log.length,
			turn,
			scores,
			actions: (offers ?? []).map((action) => ({ seat: viewer, action })),
			view: view === undefined ? position.view : merged(position.view, view),
			outcome: turn.kind === 'over' ? ending : null,
		},
		status: status ?? snapshot.status,
		seats: update.seats ?? snapshot.seats,
		clocks: update.clocks ?? snapshot.clocks,
		draw_offer: update.draw_offer === undefined ? snapshot.draw_offer : update.draw_offer,
		undo: update.undo === undefined ? snapshot.undo : update.undo,
		ending,
		rematch: update.rematch ?? snapshot.rematch,
	};
}

/** What the table agrees on after something happened: a seat that nobody wanted is for somebody else. */
function setupAfter(setup: Snapshot['setup'], { events }: Update): Snapshot['setup'] {
	const declined = events.flatMap((event) => (event.type === 'declined' ? [event.seat] : []));
	if (declined.length === 0) return setup;
	const kind = setup.public ? 'open' : 'invited';
	return { ...setup, seats: setup.seats.map((plan, seat) => (declined.includes(seat) ? { kind } : plan)) };
}

/** The actions after something happened; nothing if more is taken back than was made. */
function logAfter(log: readonly Step[], { events }: Update): Step[] | null {
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

/** Remarks with some more, each once, in the order in which they were made. */
export function heard(remarks: readonly Remark[], more: readonly Remark[]): readonly Remark[] {
	const known = new Set(remarks.map(({ number }) => number));
	const fresh = more.filter(({ number }) => !known.has(number) && known.add(number));
	return fresh.length === 0 ? remarks : [...remarks, ...fresh].sort((one, other) => one.number - other.number);
}

export function seatOf(seats: readonly Seated[], user: number | null): number | null {
	const seat = user === null ? -1 : seats.findIndex((seated) => seated.user === user);
	return seat < 0 ? null : seat;
}
