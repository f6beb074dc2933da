// Where in the castle the last plays have left a trace: a counter that came, or the space of one that went.

import type { Step } from '$gen/types';
import type { TowerView } from '$gen/views/castle-builders';
import { builds, parse, type Play } from './plays';

export type Trace = {
	tower: number;
	/** From 0 at the bottom. */
	row: number;
	what: 'built' | 'removed';
	newest: boolean;
};

/**
 * The traces of the others' plays, or of everybody's for who only watches, as far as they can still be seen. The plays are
 * gone through from the newest one back, together with how high each tower was at that time; one's own plays move the
 * towers' heights as well, but are no news.
 */
export function traces(recent: readonly Step[], towers: readonly TowerView[], me: number | null): Trace[] {
	const now = new Map(towers.map(({ number, spaces }) => [number, spaces.filter((space) => space !== null).length]));
	const heights = new Map(now);
	const found: Trace[] = [];
	let newest = true;
	for (const { seat, action } of recent.toReversed()) {
		const play = seat === undefined ? null : parse(action);
		if (!play) continue;
		const latest = newest && seat !== me;
		if (seat !== me) newest = false;
		const height = play.tower === null ? undefined : heights.get(play.tower);
		if (play.tower === null || height === undefined) continue;
		const built = builds(play.kind);
		const row = built ? height - 1 : height;
		heights.set(play.tower, built ? height - 1 : height + 1);
		const stands = row < (now.get(play.tower) ?? 0);
		const covered = found.some((trace) => trace.tower === play.tower && trace.row === row);
		if (seat === me || built !== stands || covered) continue;
		found.push({ tower: play.tower, row, what: built ? 'built' : 'removed', newest: latest });
	}
	return found;
}

/** The newest play of the others, if it went to the discard pile. */
export function lastDiscarded(recent: readonly Step[], me: number | null): (Play & { seat: number }) | null {
	const line = recent.findLast(({ seat, action }) => seat !== undefined && parse(action) !== null);
	const play = line && parse(line.action);
	if (!line || line.seat === undefined || line.seat === me || !play || builds(play.kind)) return null;
	return { ...play, seat: line.seat };
}
