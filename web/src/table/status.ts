// What is going on at a table, in a sentence.

import type { BoardModule } from '../boards/contract';
import type { Ending, Position, Step } from '$gen/types';
import { reasonOf } from '$lib/games';
import { t } from '$lib/words.svelte';
import type { Table } from './table.svelte';

/** How a game ended, for who was not there. */
export function endingText({ winners, reason: word }: Ending, names: readonly string[]): string {
	const reason = reasonOf(word);
	if (word === 'unfinished') return reason;
	const [name, ...others] = winners.map((seat) => names[seat] ?? t('setup.seat', { n: seat + 1 }));
	if (name === undefined) return t('table.draw', { reason });
	if (others.length === 0) return t('table.won', { name, reason });
	return t('table.won_together', { names: [name, ...others].join(t('table.and')), reason });
}

/** How the game at a table ended, for who sits there. */
export function resultOf(table: Table, names: readonly string[]): string {
	const { ending } = table;
	if (!ending) return '';
	const alone = table.seats.filter((seat) => seat.mine).length === 1;
	const mine = ending.winners.some((seat) => table.seats[seat]?.mine);
	return alone && mine ? t('table.you_won', { reason: reasonOf(ending.reason) }) : endingText(ending, names);
}

/** Whose turn it is and what is to be done. */
export function statusOf(table: Table, board: BoardModule, names: readonly string[]): string {
	if (table.status === 'open') return t('table.waiting');
	if (table.status === 'aborted') return t('table.aborted');
	if (table.ending) return resultOf(table, names);
	const { position } = table.look;
	const { turn } = position;
	if (turn.kind === 'chance') return t('table.chance');
	if (turn.kind === 'over') return '';
	const name = names[turn.seat] ?? '';
	const task = board.task?.(position, table.me, names);
	if (turn.seat !== table.me) {
		if (table.thinking === turn.seat) return t('table.thinking', { name });
		return task ?? t('table.their_turn', { name });
	}
	const people = table.seats.filter((seat) => seat.mine).length;
	const mine = people > 1 ? t('table.turn_of', { name }) : t('table.your_turn');
	return task ? `${mine} ${task}` : mine;
}

/** A line of the log as it is told to who listens. */
export function spoken(line: Step, board: BoardModule, position: Position | null, names: readonly string[]): string {
	const words = board.say?.(line.action, position) ?? line.action;
	return line.seat === undefined ? t('table.drawn', { words }) : t('table.done', { name: names[line.seat] ?? '', words });
}
