// The game in words: counters, plays, what is to be done, and the whole table for who does not see it.

import type { AwardView, CounterView, PlayerView, RowView, TowerView, View } from '$gen/views/castle-builders';
import { t } from '$lib/words.svelte';
import type { Seen, TextTable } from '../contract';
import { arrowsOf, builds, drawn, kindOf, KINDS, parse, type Kind, type Play } from './plays';

const word = (key: string, values: Record<string, string | number> = {}) => t(`castle-builders.${key}`, values);

/** The name of a kind, such as "continuation". */
export function kindName(kind: Kind): string {
	return word(`kind_${kind}`);
}

export function colourName(seat: number): string {
	return word(seat === 0 ? 'yellow' : 'green');
}

/** A counter in a tower, such as "green bonus, arrows horizontal". */
export function counterName(counter: CounterView): string {
	const kind = kindOf(counter.kind);
	const arrows = arrowsOf(counter);
	const name = word('counter', { colour: colourName(counter.seat), kind: kindName(kind) });
	return arrows ? word('with_arrows', { counter: name, arrows: word(`arrows_${arrows}`) }) : name;
}

/** Who gets what, such as "yellow, 14 points, doubled". */
export function awardName(award: AwardView): string {
	if (award.seat === null) return word('nobody');
	const name = word('award', { colour: colourName(award.seat), n: award.points });
	return award.doubled ? word('doubled', { award: name }) : name;
}

export function topmost(tower: TowerView): CounterView | null {
	return tower.spaces.findLast((space) => space !== null) ?? null;
}

/** A tower with all that is to be known about it. */
export function towerName(tower: TowerView): string {
	const counters = tower.spaces.flatMap((space) => (space ? [counterName(space)] : []));
	const inside = counters.length === 0 ? word('tower_empty') : word('tower_holds', { counters: counters.join(', ') });
	return word('tower_name', {
		tower: tower.number,
		roof: tower.roof,
		filled: counters.length,
		spaces: tower.spaces.length,
		inside,
		award: awardName(tower.award),
	});
}

/** A row with all that is to be known about it. */
export function rowName(row: RowView): string {
	const [yellow, green] = row.counters;
	return word('row_name', { row: row.number, value: row.value, yellow, green, award: awardName(row.award) });
}

/** What playing a counter on a tower would mean there. */
export function playName(play: Play, tower: TowerView | undefined): string {
	const top = tower && topmost(tower);
	if (play.tower === null) return word('say_alone', { kind: kindName(play.kind) });
	if (play.arrows) return word('say_bonus', { tower: play.tower, arrows: word(`arrows_${play.arrows}`) });
	if (builds(play.kind)) return word('say_build', { kind: kindName(play.kind), tower: play.tower });
	if (!top) return word('say_remove', { kind: kindName(play.kind), tower: play.tower });
	return word('say_remove_what', { kind: kindName(play.kind), tower: play.tower, counter: counterName(top) });
}

export function say(action: string): string | null {
	const draw = drawn(action);
	if (draw) return draw === '?' ? word('say_drawn_hidden') : word('say_drawn', { kind: kindName(draw) });
	const play = parse(action);
	// What was removed is not seen in the position afterwards.
	return play && playName(play, undefined);
}

export function task(position: Seen<View>, me: number | null, names: readonly string[]): string | null {
	const { to_move, drawing } = position.view;
	const seat = to_move ?? drawing;
	if (seat === null) return null;
	const name = names[seat] ?? colourName(seat);
	if (drawing !== null) return seat === me ? word('task_draw') : word('task_draw_other', { name });
	return seat === me ? word('task_play') : word('task_play_other', { name });
}

/** A hand, kind by kind, or how many counters are in it. */
export function handName(player: PlayerView): string {
	if (player.hand_size === 0) return word('hand_empty');
	if (!player.hand) return word('hand_hidden', { n: player.hand_size });
	return player.hand.map((letter) => kindName(kindOf(letter))).join(', ');
}

/** The castle from the roofs down, then the players, then what has become of all counters. */
export function tables(position: Seen<View>, names: readonly string[]): TextTable[] {
	const { towers, rows, players } = position.view;
	const castle: TextTable = {
		caption: word('castle'),
		columns: [word('row'), ...towers.map(({ number }) => word('tower', { tower: number })), word('worth'), word('result')],
		rows: [
			{ head: word('roof'), cells: [...towers.map(({ roof }) => String(roof)), '', ''] },
			...rows.toReversed().map((row) => ({
				head: String(row.number),
				cells: [
					...towers.map(({ spaces }) => spaceName(spaces[row.number - 1])),
					String(row.value),
					word('row_result', { yellow: row.counters[0], green: row.counters[1], award: awardName(row.award) }),
				],
			})),
			{ head: word('result'), cells: [...towers.map(({ award }) => awardName(award)), '', ''] },
		],
	};
	const people: TextTable = {
		caption: word('players'),
		columns: [word('player'), word('colour'), word('points_now'), word('hand'), word('pile')],
		rows: players.map((player) => ({
			head: names[player.seat] ?? colourName(player.seat),
			cells: [colourName(player.seat), String(player.score), handName(player), String(player.pile_size)],
		})),
	};
	const counters: TextTable = {
		caption: word('counters'),
		columns: [
			word('kind'),
			...players.flatMap(({ seat }) => [
				word('unseen_of', { colour: colourName(seat) }),
				word('discarded_of', { colour: colourName(seat) }),
			]),
		],
		rows: KINDS.map((kind) => ({
			head: `${kindName(kind)} (${kind})`,
			cells: players.flatMap(({ unseen, discard }) => [String(unseen[kind]), String(discard[kind])]),
		})),
	};
	return [castle, people, counters];
}

/** What is on a space; `undefined` is no space at all. */
function spaceName(space: CounterView | null | undefined): string {
	if (space === undefined) return '–';
	return space ? counterName(space) : word('free');
}
