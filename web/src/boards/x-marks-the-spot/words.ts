// The game in words: what is to be done, what was done, and the whole table for those who do not see it.

import { t } from '$lib/words.svelte';
import type { BoardProps, TextTable } from '../contract';
import { headingPlacement, read, type Placement } from './actions';
import { cardName, cardNames, iconName, icons, isDouble, pirateName, type Card, type View } from './cards';
import { chartExtent, height, key, step, tops, type Square, type Tops } from './chart';
import { talk } from './talk';

const X = 'x-marks-the-spot';
export type Seen = BoardProps<View>['position'];

/** What shows on a square: its icon, its height if it is not the lowest, and whose doubloons lie there. */
export function squareWords(square: Square, shown: Tops, view: View, names: readonly string[]): string {
	const top = shown.get(key(square));
	if (!top) return t(`${X}.square.bare`);
	const parts = [iconName(top.half.icon)];
	if (top.half.level > 0) parts.push(t(`${X}.square.level`, { n: top.half.level + 1 }));
	for (const { seat, x, y } of view.doubloons) {
		if (x === square.x && y === square.y) parts.push(t(`${X}.square.doubloon`, { name: names[seat] ?? '' }));
	}
	return parts.join(', ');
}

/** Such as "Condent on 0,0 and Rackham on 1,0". */
export function placementWords(placement: Placement): string {
	const [first, second] = icons(placement.card) ?? [];
	if (!first || !second) return cardName(placement.card);
	return t(`${X}.laid`, {
		first: iconName(first),
		at: key(placement),
		second: iconName(second),
		other: key(step(placement, placement.direction)),
	});
}

/** What is to be done, for whoever asks. */
export function task({ view }: Seen, me: number | null, names: readonly string[]): string | null {
	const { phase, to_act: acting, player, trade } = view;
	if (phase === 'over') return null;
	const name = (seat: number | null | undefined) => (seat === null || seat === undefined ? '' : (names[seat] ?? ''));
	if (phase === 'dealing_flags' || phase === 'dealing_hands') return t(`${X}.task.dealing`);
	if (phase === 'drawing' || phase === 'scuttling') return t(`${X}.task.drawing`, { name: name(view.drawing) });
	if (me === null || acting !== me) {
		return trade && t(`${X}.task.parlay`, { name: name(player), other: name(trade.target) });
	}
	switch (phase) {
		case 'start_of_turn':
			return t(`${X}.task.start`);
		case 'acting':
			return t(`${X}.task.play`, { n: view.actions_left });
		case 'stealing':
			return t(`${X}.task.steal`, { name: name(view.plundering) });
		case 'playing_plunder':
			return t(`${X}.task.plundered`, { card: view.must_play ? cardName(view.must_play) : '' });
		case 'answering':
			return t(`${X}.task.answer`, { name: name(player), n: trade?.offer ?? 0 });
		case 'replying':
			return t(`${X}.task.reply`, { name: name(trade?.target), n: trade?.counter ?? 0 });
		case 'offering':
			return t(`${X}.task.offer`, { name: name(player) });
		case 'choosing':
			return t(`${X}.task.choose`);
		case 'giving':
			return t(`${X}.task.give`, { n: trade?.cards ?? 0 });
	}
}

/** A seat in words, where its name is not at hand. */
const player = (seat: number) => t(`${X}.player`, { number: seat + 1 });
const known = (card: Card | null) => (card ? cardName(card) : t(`${X}.hidden_card`));

/** An action in words. */
export function say(text: string): string | null {
	if (text.startsWith('+')) {
		return t(`${X}.say.drawn`, { card: text === '+?' ? t(`${X}.hidden_card`) : cardName(text.slice(1) as Card) });
	}
	if (text.startsWith('flag:')) return t(`${X}.say.flag`);
	const action = read(text);
	if (!action) return null;
	switch (action.kind) {
		case 'place':
			return placementWords(action);
		case 'cannon':
			return t(`${X}.say.cannon`, { at: key(action) });
		case 'heading':
			return t(`${X}.say.heading`, {
				at: key(action),
				laid: placementWords(headingPlacement(action, action.card, action.direction)),
			});
		case 'parlay':
			return t(`${X}.say.parlay`, { player: player(action.seat), n: action.cards });
		case 'counter':
		case 'offer':
			return t(`${X}.say.${action.kind}`, { n: action.cards });
		case 'take':
		case 'plunder':
			return t(`${X}.say.${action.kind}`, { player: player(action.seat) });
		case 'give':
			if (action.cards.includes(null)) return t(`${X}.say.give_hidden`, { n: action.cards.length });
			return t(`${X}.say.give`, { cards: action.cards.map(known).join(', ') });
		case 'steal':
			return t(`${X}.say.steal`, { card: known(action.card) });
		case 'plunder_discard':
			return t(`${X}.say.plunder_discard`, { card: cardName(action.card) });
		default:
			return t(`${X}.say.${action.kind}`);
	}
}

/** The chart by rows, from the top. */
function chartTable(view: View, names: readonly string[]): TextTable {
	const { left, right, bottom, top } = chartExtent(view.chart);
	const shown = tops(view.chart);
	const columns = Array.from({ length: right - left + 1 }, (_, column) => left + column);
	const rows = Array.from({ length: top - bottom + 1 }, (_, row) => top - row);
	return {
		caption: t(`${X}.table.chart`),
		columns: [t(`${X}.table.row`), ...columns.map(String)],
		rows: rows.map((y) => ({ head: String(y), cells: columns.map((x) => squareWords({ x, y }, shown, view, names)) })),
	};
}

/** The cards of the chart one by one, with what a cannon or a new heading has to know. */
function cardsTable(view: View): TextTable {
	return {
		caption: t(`${X}.table.cards`),
		columns: [t(`${X}.table.card`), t(`${X}.table.squares`), t(`${X}.table.height`), t(`${X}.table.state`)],
		rows: view.chart.map((card) => ({
			head: cardName(card.card),
			cells: [
				// Which icon lies where is said by the order of the squares.
				card.halves.map(key).join(isDouble(card.card) ? ' + ' : ' → '),
				String(height(card) + 1),
				t(`${X}.table.${card.covered ? 'covered' : card.removable ? 'uncovered' : 'spent'}`),
			],
		})),
	};
}

function playersTable(view: View, names: readonly string[]): TextTable {
	return {
		caption: t(`${X}.table.players`),
		columns: [t(`${X}.table.player`), t(`${X}.table.doubloons`), t(`${X}.table.flag`), t(`${X}.table.hand`)],
		rows: view.players.map(({ seat, doubloons, flag, hand, hand_size }) => ({
			head: names[seat] ?? '',
			cells: [
				t(`${X}.table.of`, { some: doubloons, all: view.doubloons_to_win }),
				flag ? pirateName(flag) : t(`${X}.table.secret`),
				hand && hand.length > 0 ? cardNames(hand) : t(`${X}.cards`, { n: hand_size }),
			],
		})),
	};
}

function pilesTable(view: View): TextTable {
	const discarded = view.discard.map(({ card, copies }) =>
		copies > 1 ? t(`${X}.copies`, { n: copies, card: cardName(card) }) : cardName(card),
	);
	return {
		caption: t(`${X}.table.piles`),
		columns: [t(`${X}.table.pile`), t(`${X}.table.content`)],
		rows: [
			{ head: t(`${X}.draw_pile`), cells: [t(`${X}.cards`, { n: view.pile })] },
			{ head: t(`${X}.discard_pile`), cells: [discarded.join(', ') || t(`${X}.empty`)] },
		],
	};
}

function talkTable(view: View, names: readonly string[]): TextTable[] {
	const rows = talk(view, names).map(({ seat, words }) => ({ head: names[seat ?? -1] ?? '', cells: [words] }));
	if (rows.length === 0) return [];
	return [{ caption: t(`${X}.table.talk`), columns: [t(`${X}.table.player`), t(`${X}.table.words`)], rows }];
}

/** Everything that is seen, as tables. */
export function tables({ view }: Seen, names: readonly string[]): TextTable[] {
	return [
		playersTable(view, names),
		...talkTable(view, names),
		chartTable(view, names),
		cardsTable(view),
		pilesTable(view),
	];
}
