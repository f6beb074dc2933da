// What the server can be asked over HTTP. What needs a name brings one: who has none becomes a guest on the way.

import type { Command, Position, Setup, Snapshot, Status } from '$gen/wire';
import {
	isCarried,
	isCreated,
	isGame,
	isPage,
	isPerson,
	isPosition,
	isProfile,
	isRank,
	isSession,
	isSnapshot,
	isText,
	isToken,
	isUserId,
	list,
	nothing,
} from './guards';
import { ask } from './http';
import { who } from './who.svelte';

/** What is left out does not matter. */
export type Search = {
	status?: Status;
	game?: string;
	player?: string;
	opponent?: string;
	result?: 'won' | 'lost' | 'drawn';
	from?: number;
	before?: number;
	after?: string;
	limit?: number;
};

function query(values: Record<string, string | number | null | undefined>): string {
	const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== '');
	return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

const part = encodeURIComponent;

export const api = {
	games: () => ask('/api/games', list(isGame)),

	tables: (search: Search) => ask(`/api/tables${query(search)}`, isPage),

	create: (setup: Setup, id: string) =>
		who.named(() => ask('/api/tables', isCreated, { method: 'POST', body: { setup, id } })),

	look: (table: string, invitation?: string): Promise<Snapshot> =>
		ask(`/api/tables/${part(table)}${query({ invitation })}`, isSnapshot),

	position: (table: string, ply: number, invitation?: string): Promise<Position> =>
		ask(`/api/tables/${part(table)}/position${query({ ply, invitation })}`, isPosition),

	record: (table: string, invitation?: string) =>
		ask(`/api/tables/${part(table)}/record${query({ invitation })}`, isText),

	command: (table: string, command: Command, id: string) =>
		who.named(() => ask(`/api/tables/${part(table)}/commands`, isCarried, { method: 'POST', body: { command, id } })),

	player: (name: string) => ask(`/api/players/${part(name)}`, isProfile),

	ranks: (game: string, clock: string) => ask(`/api/leaderboard${query({ game, class: clock })}`, list(isRank)),

	changePassword: (old: string, fresh: string) =>
		ask('/api/me/password', nothing, { method: 'PUT', body: { old, new: fresh } }),

	sessions: () => ask('/api/me/sessions', list(isSession)),
	endSession: (id: number) => ask(`/api/me/sessions/${id}`, nothing, { method: 'DELETE' }),

	mutes: () => ask('/api/me/mutes', list(isUserId)),
	mute: (user: number) => who.named(() => ask(`/api/me/mutes/${user}`, nothing, { method: 'PUT' })),
	unmute: (user: number) => ask(`/api/me/mutes/${user}`, nothing, { method: 'DELETE' }),

	bots: () => ask('/api/me/bots', list(isPerson)),
	addBot: (name: string) => ask('/api/me/bots', isPerson, { method: 'POST', body: { name } }),
	deleteBot: (bot: number) => ask(`/api/me/bots/${bot}`, nothing, { method: 'DELETE' }),
	tokens: (bot: number) => ask(`/api/me/bots/${bot}/tokens`, list(isSession)),
	addToken: (bot: number, label: string) =>
		ask(`/api/me/bots/${bot}/tokens`, isToken, { method: 'POST', body: { label } }),
	revokeToken: (bot: number, id: number) => ask(`/api/me/bots/${bot}/tokens/${id}`, nothing, { method: 'DELETE' }),
};
