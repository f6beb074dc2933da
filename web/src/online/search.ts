// What is looked for among the games, as it stands in the address of the page.

import type { Search } from './api';

export type Wish = Partial<Record<'game' | 'player' | 'opponent' | 'result' | 'status' | 'from' | 'to', string>>;

const results = ['won', 'lost', 'drawn'] as const;
const states = ['open', 'playing', 'finished', 'aborted'] as const;

const one = <T extends string>(of: readonly T[], text: string | undefined): T | undefined => of.find((word) => word === text);

/** A day such as 2026-11-16, as the moment when it begins here, some days later. */
function beginning(day: string | undefined, later = 0): number | undefined {
	const found = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day ?? '');
	if (!found) return undefined;
	const moment = new Date(Number(found[1]), Number(found[2]) - 1, Number(found[3]) + later).getTime();
	return Number.isFinite(moment) ? moment : undefined;
}

/** What the server is asked: results and opponents are those of a player, and the last day is part of the time. */
export function searchOf(wish: Wish): Search {
	const player = wish.player?.trim() || undefined;
	return {
		status: one(states, wish.status) ?? 'finished',
		game: wish.game || undefined,
		player,
		opponent: player ? wish.opponent?.trim() || undefined : undefined,
		result: player ? one(results, wish.result) : undefined,
		from: beginning(wish.from),
		before: beginning(wish.to, 1),
	};
}

/** The address of a search, without what was left out. */
export function addressOf(wish: Wish): string {
	const given = Object.entries(wish).filter((entry): entry is [string, string] => Boolean(entry[1]?.trim()));
	return `/search${given.length > 0 ? `?${new URLSearchParams(given)}` : ''}`;
}
