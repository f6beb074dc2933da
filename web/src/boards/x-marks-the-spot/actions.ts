// The texts of actions: read one by one, and sorted by what a person points at. Nothing here decides what is legal:
// what stands in the list may be done, and nothing else.

import { icons, isDouble, type Card, type Direction } from './cards';
import { key, step, type Square } from './chart';

export type Placement = Square & { card: Card; direction: Direction };

type Parts = Record<'draw' | 'scuttle' | 'pass' | 'accept' | 'force' | 'open' | 'decline', object> & {
	place: Placement;
	cannon: Square;
	/** The square is the lower one of the card that is taken. */
	heading: Placement;
	parlay: { seat: number; cards: number };
	counter: { cards: number };
	offer: { cards: number };
	take: { seat: number };
	plunder: { seat: number };
	plunder_discard: { card: Card };
	/** A card that the reader may not see is `null`. */
	give: { cards: (Card | null)[] };
	steal: { card: Card | null };
};

export type Action = { [Kind in keyof Parts]: { kind: Kind } & Parts[Kind] }[keyof Parts];

const SQUARE = '(?<x>-?\\d+),(?<y>-?\\d+)';
const CARD = '(?<card>[crawgko]{2}|cannon|heading|parlay|plunder)';
const DIRECTION = '(?<direction>[nesw])';
const SEAT = '(?<seat>\\d+)';
const CARDS = 'n(?<cards>\\d+)';

/** How actions are written besides those of a single word. */
const FORMS: Partial<Record<Action['kind'], string>> = {
	place: `place ${CARD} ${SQUARE} ${DIRECTION}`,
	cannon: `cannon ${SQUARE}`,
	heading: `heading ${SQUARE} ${CARD} ${DIRECTION}`,
	parlay: `parlay ${SEAT} ${CARDS}`,
	counter: `counter ${CARDS}`,
	offer: `offer ${CARDS}`,
	take: `take ${SEAT}`,
	plunder: `plunder ${SEAT}`,
	plunder_discard: `plunder discard ${CARD}`,
	steal: `steal (?:${CARD}|\\?)`,
};
const READERS = Object.entries(FORMS).map(([kind, form]) => ({ kind, form: new RegExp(`^${form}$`) }));
const NUMBERS = ['x', 'y', 'seat', 'cards'];

/** What a text says; `null` for one that is not an action of a player. */
export function read(text: string): Action | null {
	if (/^(draw|scuttle|pass|accept|force|open|decline)$/.test(text)) return { kind: text } as Action;
	const [word, ...cards] = text.split(' ');
	if (word === 'give') return { kind: word, cards: cards.map((card) => (card === '?' ? null : (card as Card))) };
	for (const { kind, form } of READERS) {
		const parts = form.exec(text)?.groups;
		if (!parts) continue;
		const value = (name: string, part?: string) => (NUMBERS.includes(name) ? Number(part) : (part ?? null));
		const values = Object.entries(parts).map(([name, part]) => [name, value(name, part)]);
		return { kind, ...Object.fromEntries(values) } as Action;
	}
	return null;
}

/** The text of laying a card. One with two equal icons has two ways to point at it, but one text. */
export function placeText({ card, x, y, direction }: Placement): string {
	const turned = isDouble(card) && (direction === 's' || direction === 'w');
	const first = turned ? step({ x, y }, direction) : { x, y };
	const written = turned ? (direction === 's' ? 'n' : 'e') : direction;
	return `place ${card} ${first.x},${first.y} ${written}`;
}

/** The text of laying a card in place of the one whose lower square is given. */
export function headingText(target: Square, card: Card, direction: Direction): string {
	return `heading ${target.x},${target.y} ${card} ${direction}`;
}

/** Where a card comes to lie that replaces the one whose lower square is given. */
export function headingPlacement(target: Square, card: Card, direction: Direction): Placement {
	const upper = direction === 's' ? step(target, 'n') : direction === 'w' ? step(target, 'e') : target;
	return { card, ...upper, direction };
}

function push<K, V>(lists: Map<K, V[]>, at: K, value: V): void {
	const list = lists.get(at);
	if (list) list.push(value);
	else lists.set(at, [value]);
}

function inner<K, L, V>(maps: Map<K, Map<L, V>>, at: K): Map<L, V> {
	const map = maps.get(at) ?? new Map<L, V>();
	maps.set(at, map);
	return map;
}

/** What may be done now, sorted for the parts of the board. There may be thousands of actions, so this is done once. */
export function index(texts: readonly string[]) {
	const actions = texts.flatMap((text) => read(text) ?? []);
	const all = <Kind extends Action['kind']>(kind: Kind) =>
		actions.filter((action): action is Extract<Action, { kind: Kind }> => action.kind === kind);

	const places = new Map<Card, Map<string, Direction[]>>();
	for (const action of all('place')) {
		const spots = inner(places, action.card);
		push(spots, key(action), action.direction);
		if (isDouble(action.card)) push(spots, key(step(action, action.direction)), action.direction === 'n' ? 's' : 'w');
	}
	const headings = new Map<string, Map<Card, Direction[]>>();
	for (const action of all('heading')) push(inner(headings, key(action)), action.card, action.direction);
	const parlays = new Map<number, number[]>();
	for (const { seat, cards } of all('parlay')) push(parlays, seat, cards);

	return {
		texts: new Set(texts),
		/** For each card the squares on which its first icon may lie, with the directions of the second one. */
		places,
		/** The lower squares of the cards that may be shot. */
		cannons: all('cannon').map(({ x, y }) => ({ x, y })),
		/** For the lower square of each card that may be taken: what may be laid instead, and how it may point. */
		headings,
		/** The numbers of cards that may be offered, by seat. */
		parlays,
		plunders: all('plunder').map(({ seat }) => seat),
		/** Cards that may be taken from the discard pile, and from a plundered hand. */
		salvage: all('plunder_discard').map(({ card }) => card),
		steals: all('steal').flatMap(({ card }) => card ?? []),
		counters: all('counter').map(({ cards }) => cards),
		offers: all('offer').map(({ cards }) => cards),
		takes: all('take').map(({ seat }) => seat),
		/** How many cards are to be given; 0 if none. */
		giving: all('give')[0]?.cards.length ?? 0,
	};
}

export type Index = ReturnType<typeof index>;

/** Whether something can be done with a card of the hand. */
export function playable(index: Index, card: Card): boolean {
	if (icons(card)) return index.places.has(card);
	if (card === 'cannon') return index.cannons.length > 0;
	if (card === 'heading') return index.headings.size > 0;
	if (card === 'parlay') return index.parlays.size > 0;
	return index.plunders.length > 0 || index.salvage.length > 0;
}

/** The text of giving these cards, in whatever order they were picked; nothing if they are not what is asked for. */
export function giveText(index: Index, cards: readonly Card[]): string | null {
	const wanted = [...cards].sort().join(' ');
	for (const text of index.texts) {
		const [word, ...given] = text.split(' ');
		if (word === 'give' && given.sort().join(' ') === wanted) return text;
	}
	return null;
}
