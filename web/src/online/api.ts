// What the server can be asked over HTTP. What needs a name brings one: who has none becomes a guest on the way.

import type { Command, Complaint, ModeratorAction, Setup, Snapshot, Status } from '$gen/types';
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
	games: () => ask('/api/games', 'GameLine[]'),

	tables: (search: Search) => ask(`/api/tables${query(search)}`, 'Page'),

	create: (setup: Setup, id: string) =>
		who.named(() => ask('/api/tables', 'Created', { method: 'POST', body: { setup, id } })),

	look: (table: string, invitation?: string): Promise<Snapshot> =>
		ask(`/api/tables/${part(table)}${query({ invitation })}`, 'Snapshot'),

	record: (table: string, invitation?: string) =>
		ask(`/api/tables/${part(table)}/record${query({ invitation })}`, 'string'),

	command: (table: string, command: Command, id: string) =>
		who.named(() => ask(`/api/tables/${part(table)}/commands`, 'Carried', { method: 'POST', body: { command, id } })),

	player: (name: string) => ask(`/api/players/${part(name)}`, 'Profile'),

	ranks: (game: string, clock: string, bots: boolean) =>
		ask(`/api/leaderboard${query({ game, class: clock, bots: bots ? 'true' : '' })}`, 'Rank[]'),

	changePassword: (old: string, fresh: string) =>
		ask('/api/me/password', 'nothing', { method: 'PUT', body: { old, new: fresh } }),

	sessions: () => ask('/api/me/sessions', 'SessionLine[]'),
	endSession: (id: number) => ask(`/api/me/sessions/${id}`, 'nothing', { method: 'DELETE' }),

	mutes: () => ask('/api/me/mutes', 'number[]'),
	mute: (user: number) => who.named(() => ask(`/api/me/mutes/${user}`, 'nothing', { method: 'PUT' })),
	unmute: (user: number) => ask(`/api/me/mutes/${user}`, 'nothing', { method: 'DELETE' }),

	blocks: () => ask('/api/me/blocks', 'Person[]'),
	block: (user: number) => who.named(() => ask(`/api/me/blocks/${user}`, 'nothing', { method: 'PUT' })),
	unblock: (user: number) => ask(`/api/me/blocks/${user}`, 'nothing', { method: 'DELETE' }),

	report: (user: number, reason: Complaint, words: string, table?: string) =>
		who.named(() => ask('/api/reports', 'Taken', { method: 'POST', body: { user, reason, words, table: table ?? null } })),
	reports: () => ask('/api/moderation/reports', 'ReportLine[]'),
	reportPage: (id: number) => ask(`/api/moderation/reports/${id}`, 'ReportPage'),
	closeReport: (id: number) => ask(`/api/moderation/reports/${id}/close`, 'nothing', { method: 'POST' }),
	moderate: (action: ModeratorAction, why: string) => ask('/api/moderation/actions', 'nothing', { method: 'POST', body: { action, why } }),
	deeds: () => ask('/api/moderation/log', 'DeedLine[]'),

	bots: () => ask('/api/me/bots', 'Person[]'),
	addBot: (name: string) => ask('/api/me/bots', 'Person', { method: 'POST', body: { name } }),
	deleteBot: (bot: number) => ask(`/api/me/bots/${bot}`, 'nothing', { method: 'DELETE' }),
	tokens: (bot: number) => ask(`/api/me/bots/${bot}/tokens`, 'SessionLine[]'),
	addToken: (bot: number, label: string) =>
		ask(`/api/me/bots/${bot}/tokens`, 'NewToken', { method: 'POST', body: { label } }),
	revokeToken: (bot: number, id: number) => ask(`/api/me/bots/${bot}/tokens/${id}`, 'nothing', { method: 'DELETE' }),
};
