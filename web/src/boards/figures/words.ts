// The game in words: what is to be done, what was done, and the whole table for who does not see it.

import type { Colour, View } from '$gen/views/figures';
import { t } from '$lib/words.svelte';
import type { Seen, TextTable } from '../contract';
import { read } from './actions';
import { edges, figureOrder } from './geometry';
import type { Made } from './memory';
import { colourOrder } from './signs';

export const colourName = (colour: Colour) => t(`figures.${colour}`);

/** Several names with a word between them: "red, yellow and blue". */
function listed(names: readonly string[], between: string): string {
	const last = names.at(-1) ?? '';
	return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} ${between} ${last}`;
}

const both = (colours: readonly Colour[]) => listed(colours.map(colourName), t('figures.and'));
const either = (colours: readonly Colour[]) => listed(colours.map(colourName), t('figures.or'));

export function sideOf(view: View, seat: number | null): number | null {
	return view.players.find((player) => player.seat === seat)?.side ?? null;
}

/** The names of those who play for a side. */
export function sideName(view: View, side: number, names: readonly string[]): string {
	const seats = view.sides[side]?.seats ?? [];
	return listed(seats.map((seat) => names[seat] ?? String(seat + 1)), t('figures.and'));
}

export function task({ view }: Seen<View>, me: number | null, names: readonly string[]): string | null {
	const { phase, turn } = view;
	const side = view.sides[sideOf(view, turn) ?? -1];
	if (turn === null || phase === 'over' || !side) return null;
	if (turn !== me) return t(`figures.waiting.${phase}`, { name: names[turn] ?? String(turn + 1) });
	const [one, other] = side.stones;
	switch (phase) {
		case 'take':
			return one ? t('figures.task.take_second', { colour: colourName(one) }) : t('figures.task.take');
		case 'exchange':
			return one && other
				? t('figures.task.exchange', { one: colourName(one), other: colourName(other) })
				: t('figures.task.any_exchange');
		case 'return': {
			const [only, ...more] = view.returnable;
			return only && more.length === 0
				? t('figures.task.return_made', { colour: colourName(only) })
				: t('figures.task.return', { stones: either(view.returnable) });
		}
	}
}

export function say(text: string, position: Seen<View> | null): string | null {
	const action = read(text);
	if (!action) return null;
	if (action.kind !== 'exchange') return t(`figures.said.${action.kind}`, { colour: colourName(action.colour) });
	const [low, high] = action.squares;
	// The two colours in a fixed order: so it is right for the position before as well as for the one after.
	const here = position?.view.squares.filter(({ square }) => square === low || square === high) ?? [];
	const moved = colourOrder.filter((colour) => here.some(({ marker }) => marker === colour));
	return moved.length === 2
		? t('figures.said.exchange_colours', { low, high, colours: both(moved) })
		: t('figures.said.exchange', { low, high });
}

/** The figures of an exchange, such as "Yellow cross, 5 points", with a name if somebody else made them. */
export function madeInWords(made: readonly Made[], name: string | null): string {
	const one = ({ colour, figure, points }: Made) => {
		const what = t(`figures.made.${figure}`, { colour: colourName(colour) });
		return points === null ? what : t('figures.made.worth', { what, n: points });
	};
	const all = made.map(one).join('; ');
	return all && name ? t('figures.made.by', { name, all }) : all.charAt(0).toUpperCase() + all.slice(1);
}

export function tables({ view }: Seen<View>, names: readonly string[]): TextTable[] {
	const { columns, rows } = edges(false);
	const marker = new Map(view.squares.map((square) => [square.square, colourName(square.marker)]));
	const none = t('figures.none');
	const display: TextTable = {
		caption: t('figures.display'),
		columns: [t('figures.row'), ...columns],
		rows: rows.map((row) => ({ head: row, cells: columns.map((column) => marker.get(column + row) ?? '') })),
	};
	const holders = view.sides.map(({ stones, points }, side) => ({
		head: sideName(view, side, names),
		cells: [both(stones) || none, t('figures.of_target', { points, target: view.target })],
	}));
	const stones: TextTable = {
		caption: t('figures.stones'),
		columns: [t('figures.where'), t('figures.stones'), t('figures.points')],
		rows: [{ head: t('figures.bank'), cells: [both(view.bank) || none, '–'] }, ...holders],
	};
	const worth = (figure: string, colour: Colour) =>
		view.values.find((field) => field.figure === figure && field.colour === colour)?.value ?? '';
	const points: TextTable = {
		caption: t('figures.point_board'),
		columns: [t('figures.figure'), ...colourOrder.map(colourName)],
		rows: figureOrder.map((figure) => ({
			head: t(`figures.${figure}`),
			cells: colourOrder.map((colour) => String(worth(figure, colour))),
		})),
	};
	if (view.figures.length === 0) return [display, stones, points];
	const standing: TextTable = {
		caption: t('figures.standing'),
		columns: [t('figures.colour'), t('figures.figure'), t('figures.squares')],
		rows: view.figures.map(({ colour, figure, squares }) => ({
			head: colourName(colour),
			cells: [t(`figures.${figure}`), squares.join(' ')],
		})),
	};
	return [display, stones, points, standing];
}
