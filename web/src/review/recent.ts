// Which lines of a log are news in a position of it: the last action of a seat, with what chance made of it.

import type { Step } from '$gen/types';

/** A board is shown so many lines at most. */
const MOST = 8;

export function recentAt(log: readonly Step[], ply: number): Step[] {
	const past = log.slice(0, ply);
	const last = past.findLastIndex(({ seat }) => seat !== undefined);
	return past.slice(Math.max(last, ply - MOST, 0));
}
