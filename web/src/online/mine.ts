// My tables on the server, and at which of them it is my turn.

import type { Listing, Person, Snapshot } from '$gen/types';
import { api } from './api';
import { seatOf } from './snapshot';

export type Mine = { table: Listing; myTurn: boolean };

/** How many running tables are looked at for whose turn it is. */
export const LOOKED_AT = 30;

export function isTurnOf(snapshot: Pick<Snapshot, 'status' | 'position' | 'seats'>, user: number): boolean {
	const { turn } = snapshot.position;
	return snapshot.status === 'playing' && turn.kind === 'seat' && turn.seat === seatOf(snapshot.seats, user);
}

/** My turn first, then what waits for me, then the rest; in each the last changed first. */
export function inOrder(tables: readonly Mine[], me: number): Mine[] {
	const rank = ({ table, myTurn }: Mine) => (myTurn ? 0 : table.kept.includes(me) ? 1 : table.status === 'playing' ? 2 : 3);
	return [...tables].sort((one, other) => rank(one) - rank(other) || other.table.changed - one.table.changed);
}

export async function myTables(me: Person): Promise<Mine[]> {
	const [open, playing] = await Promise.all([
		api.tables({ player: me.name, status: 'open', limit: 100 }),
		api.tables({ player: me.name, status: 'playing', limit: 100 }),
	]);
	const looked = await Promise.all(
		playing.tables.map(async (table, at) => {
			// A list does not tell whose turn it is.
			const snapshot = at < LOOKED_AT ? await api.look(table.table).catch(() => null) : null;
			return { table, myTurn: snapshot !== null && isTurnOf(snapshot, me.id) };
		}),
	);
	return inOrder([...looked, ...open.tables.map((table) => ({ table, myTurn: false }))], me.id);
}

export async function myFinished(me: Person): Promise<Listing[]> {
	return (await api.tables({ player: me.name, status: 'finished', limit: 20 })).tables;
}
