// Trexo in words: for who hears the game, and for who plays it from a table of text.

import { t } from '$lib/words.svelte';
import type { View } from '$gen/views/trexo';
import type { Seen, TextTable } from '../contract';
import { topOf } from './pieces';
import { nameOf, tileOf, type Square, type Symbol } from './squares';

export const symbolOfSeat = (view: View, seat: number): Symbol => (seat === view.x_seat ? 'X' : 'O');

export function say(action: string): string | null {
	if (action === 'swap') return t('trexo.say_swap');
	const tile = tileOf(action);
	return tile && t('trexo.say_tile', { x: nameOf(tile.x), o: nameOf(tile.o) });
}

export function task({ view }: Seen<View>, me: number | null): string | null {
	if (me === null || view.to_move !== me) return null;
	return t(view.may_swap ? 'trexo.task_or_swap' : 'trexo.task', { symbol: symbolOfSeat(view, me) });
}

/** A square and what is seen on it. */
export function squareInWords(view: View, square: Square): string {
	const top = topOf(view, square);
	const name = nameOf(square);
	if (!top) return t('trexo.square_empty', { name });
	const key = top.whole ? 'trexo.square' : 'trexo.square_half';
	return t(key, { name, symbol: top.symbol, level: top.level, partner: top.partner });
}

/** The symbol, the level and, where it is seen too, the square of the tile's other half. */
function cell(view: View, square: Square): string {
	const top = topOf(view, square);
	if (!top) return '–';
	return top.whole ? `${top.symbol}${top.level} ${top.partner}` : `${top.symbol}${top.level}`;
}

export function tables({ view }: Seen<View>, names: readonly string[]): TextTable[] {
	const indices = Array.from({ length: view.size }, (_, index) => index);
	const facts: [string, string][] = [
		[t('trexo.plays', { symbol: 'X' }), names[view.x_seat] ?? ''],
		[t('trexo.plays', { symbol: 'O' }), names[view.o_seat] ?? ''],
		[t('trexo.supply'), String(view.tiles_left)],
	];
	if (view.last) facts.push([t('trexo.last'), say(view.last.x + view.last.o) ?? '']);
	if (view.line.length > 0) facts.push([t('trexo.line'), view.line.join(' ')]);
	return [
		{
			caption: t('trexo.table'),
			columns: [t('trexo.row'), ...indices.map((col) => nameOf({ col, row: 0 }).slice(0, 1))],
			rows: indices.toReversed().map((row) => ({
				head: String(row + 1),
				cells: indices.map((col) => cell(view, { col, row })),
			})),
		},
		{
			caption: t('trexo.facts'),
			columns: [t('trexo.what'), t('trexo.value')],
			rows: facts.map(([head, value]) => ({ head, cells: [value] })),
		},
	];
}
