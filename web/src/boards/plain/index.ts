// The plain board: any game as words and buttons.

import { t } from '$lib/words.svelte';
import type { BoardModule, TextTable } from '../contract';
import { shapeOf } from '../shapes';
import Board from './Board.svelte';

/** Everything in a view, one line each, with the way to it as its name. */
export function lines(value: unknown, path: string[] = []): { head: string; cells: string[] }[] {
	if (value === null || typeof value !== 'object') return [{ head: path.join(' '), cells: [value === null ? '–' : String(value)] }];
	if (Array.isArray(value) && value.every((item) => item === null || typeof item !== 'object')) {
		return [{ head: path.join(' '), cells: [value.map((item) => item ?? '–').join(' ') || '–'] }];
	}
	const name = (key: string) => (Array.isArray(value) ? String(Number(key) + 1) : key.replaceAll('_', ' '));
	return Object.entries(value).flatMap(([key, inner]) => lines(inner, [...path, name(key)]));
}

export const module: BoardModule = {
	Board,
	mark: (_view, seat) => shapeOf(seat),
	tables: (position): TextTable[] => [
		{ caption: t('table.position'), columns: [t('plain.what'), t('plain.value')], rows: lines(position.view) },
	],
};
