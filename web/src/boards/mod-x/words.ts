// Mod X in words: squares, tables, what is to be done, and what was done.

import type { Colour, SquareView, View } from '$gen/views/mod-x';
import { t } from '$lib/words.svelte';
import type { Seen, TextTable } from '../contract';
import { parse } from './actions';
import { columnName, SIZE } from './geometry';
import { mayTouch, type Offer } from './offers';

export const colourName = (colour: Colour): string => t(`mod-x.${colour}`);

/** What lies on a square: "red X-piece, black marker". */
export function contents({ piece, marker, markers }: SquareView): string {
	const parts = [];
	if (piece) parts.push(t(`mod-x.piece_${piece}`));
	if (marker) parts.push(t('mod-x.stack', { n: markers, marker: t(`mod-x.marker_${marker}`) }));
	return parts.join(', ');
}

export function squareLabel(square: SquareView, offer: Offer): string {
	const parts = [square.square, contents(square) || t('mod-x.free')];
	if (offer) parts.push(t(`mod-x.may_${offer}`));
	return parts.join(', ');
}

function board({ squares }: View): TextTable {
	const rows = Array.from({ length: SIZE }, (_, row) => SIZE - 1 - row);
	return {
		caption: t('mod-x.board'),
		columns: [t('mod-x.row'), ...Array.from({ length: SIZE }, (_, column) => columnName(column))],
		rows: rows.map((row) => ({
			head: String(row + 1),
			cells: squares.slice(row * SIZE, (row + 1) * SIZE).map((square) => contents(square) || '–'),
		})),
	};
}

function players({ players, target }: View, names: readonly string[]): TextTable {
	const teams = players.some(({ team }) => team !== null);
	const heads = ['player', 'colour', 'points', ...(teams ? ['team', 'team_points'] : []), 'pieces', 'markers'];
	return {
		caption: t('mod-x.players', { n: target }),
		columns: heads.map((head) => t(`mod-x.${head}`)),
		rows: players.map((player) => ({
			head: names[player.seat] ?? String(player.seat + 1),
			cells: [
				colourName(player.colour),
				String(player.points),
				...(player.team === null ? [] : [String(player.team + 1), String(player.side_points)]),
				String(player.pieces),
				String(player.markers),
			],
		})),
	};
}

/** The jokers that do not stand on the board; no table if there are none. */
function jokers({ jokers_in_hand, jokers_out }: View): TextTable[] {
	const rows = [
		{ head: t('mod-x.in_hand'), cells: [String(jokers_in_hand)] },
		{ head: t('mod-x.out'), cells: [String(jokers_out)] },
	];
	const caption = t('mod-x.jokers');
	return jokers_in_hand + jokers_out === 0 ? [] : [{ caption, columns: [t('mod-x.where'), t('mod-x.count')], rows }];
}

export function tables({ view }: Seen<View>, names: readonly string[]): TextTable[] {
	return [board(view), players(view, names), ...jokers(view)];
}

export function task({ view }: Seen<View>, me: number | null, names: readonly string[]): string | null {
	const { phase, turn, jokers_in_hand: n } = view;
	if (phase === 'over' || turn === null) return null;
	if (turn !== me && mayTouch(view, me)) return t('mod-x.task_overlooked');
	if (turn !== me) return t(`mod-x.other_${phase}`, { name: names[turn] ?? '', n });
	return phase === 'place' && mayTouch(view, me) ? t('mod-x.task_touch_or_place') : t(`mod-x.task_${phase}`, { n });
}

export function say(text: string): string | null {
	const action = parse(text);
	if (!action) return null;
	return t(`mod-x.say_${action.kind}`, { square: text.replace(/^[*!]/, '') });
}
