// The texts of actions: read one by one, and sorted by what a person points at. Nothing here decides what is legal:
// what stands in the list may be done, and nothing else.

import { icons, isDouble, type Card, type Direction } from './cards';
import { key, type Square, step } from './chart';

export type Placement = Square & { card: Card; direction: Direction };

export type Action =
	| { kind: 'draw' | 'scuttle' | 'pass' | 'accept' | 'force' | 'open' | 'decline' }
	| ({ kind: 'place' } & Placement)
	| ({ kind: 'cannon' } & Square)
	/** The square is the lower one of the card that is taken. */
	| ({ kind: 'heading' } & Placement)
	| { kind: 'parlay'; seat: number; cards: number }
	| { kind: 'counter' | 'offer'; cards: number }
	| { kind: 'take' | 'plunder'; seat: number }
	/** A card that the reader may not see is `null`. */
	| { kind: 'give'; cards: (Card | null)[] }
	| { kind: 'steal'; card: Card | null }
	| { kind: 'plunder_discard'; card: Card };

const TILE = /^[crawgko]{2}$/;
const ACTION_CARDS: readonly string[] = ['cannon', 'heading', 'parlay', 'plunder'];

function readCard(text: string | undefined): Card | null {
	return text !== undefined && (TILE.test(text) || ACTION_CARDS.includes(text)) ? (text as Card) : null;
}

function readSquare(text: string | undefined): Square | null {
	const found = /^(-?\d+),(-?\d+)$/.exec(text ?? '');
	return found && { x: Number(found[1]), y: Number(found[2]) };
}

function readDirection(text: string | undefined): Direction | null {
	return text === 'n' || text === 'e' || text === 's' || text === 'w' ? text : null;
}

/** `n3` for cards, `2` for a seat. */
function readNumber(text: string | undefined, prefix: string): number | null {
	const found = /^(\D*)(\d+)$/.exec(text ?? '');
	return found && found[1] === prefix ? Number(found[2]) : null;
}

/** What a text says; `null` for one that is not an action of a player. */
export function read(text: string): Action | null {
	const [word, ...rest] = text.split(' ');
	const square = readSquare(rest[0]);
	switch (word) {
		case 'draw':
		case 'scuttle':
		case 'pass':
		case 'accept':
		case 'force':
		case 'open':
		case 'decline':
			return { kind: word };
		case 'place': {
			const card = readCard(rest[0]);
			const first = readSquare(rest[1]);
			const direction = readDirection(rest[2]);
			return card && first && direction && { kind: word, card, ...first, direction };
		}
		case 'cannon':
			return square && { kind: word, ...square };
		case 'heading': {
			const card = readCard(rest[1]);
			const direction = readDirection(rest[2]);
			return square && card && direction && { kind: word, card, ...square, direction };
		}
		case 'parlay': {
			const seat = readNumber(rest[0], '');
			const cards = readNumber(rest[1], 'n');
			return seat === null || cards === null ? null : { kind: word, seat, cards };
		}
		case 'counter':
		case 'offer': {
			const cards = readNumber(rest[0], 'n');
			return cards === null ? null : { kind: word, cards };
		}
		case 'take': {
			const seat = readNumber(rest[0], '');
			return seat === null ? null : { kind: word, seat };
		}
		case 'give':
			return { kind: word, cards: rest.map(readCard) };
		case 'steal':
			return { kind: word, card: readCard(rest[0]) };
		case 'plunder': {
			if (rest[0] === 'discard') {
				const card = readCard(rest[1]);
				return card && { kind: 'plunder_discard', card };
			}
			const seat = readNumber(rest[0], '');
			return seat === null ? null : { kind: word, seat };
		}
		default:
			return null;
	}
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

/** What may be done now, sorted for the parts of the board. */
export type Index = {
	texts: ReadonlySet<string>;
	/** For each card the squares on which its first icon may lie, with the directions of the second one. */
	places: ReadonlyMap<Card, ReadonlyMap<string, readonly Direction[]>>;
	/** The lower squares of the cards that may be shot. */
	cannons: readonly Square[];
	/** For the lower square of each card that may be taken: what may be laid instead, and how it may point. */
	headings: ReadonlyMap<string, ReadonlyMap<Card, readonly Direction[]>>;
	/** The numbers of cards that may be offered, by seat. */
	parlays: ReadonlyMap<number, readonly number[]>;
	plunders: readonly number[];
	/** Cards that may be taken from the discard pile, and from a plundered hand. */
	salvage: readonly Card[];
	steals: readonly Card[];
	counters: readonly number[];
	offers: readonly number[];
	takes: readonly number[];
	/** How many cards are to be given; 0 if none. */
	giving: number;
};

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

/** Sorts the actions; there may be thousands of them, so this is done once for a position. */
export function index(texts: readonly string[]): Index {
	const places = new Map<Card, Map<string, Direction[]>>();
	const headings = new Map<string, Map<Card, Direction[]>>();
	const parlays = new Map<number, number[]>();
	const found = {
		texts: new Set(texts),
		cannons: [] as Square[],
		plunders: [] as number[],
		salvage: [] as Card[],
		steals: [] as Card[],
		counters: [] as number[],
		offers: [] as number[],
		takes: [] as number[],
		giving: 0,
	};
	for (const text of texts) {
		const action = read(text);
		if (!action) continue;
		switch (action.kind) {
			case 'place': {
				const spots = inner(places, action.card);
				push(spots, key(action), action.direction);
				if (isDouble(action.card)) {
					push(spots, key(step(action, action.direction)), action.direction === 'n' ? 's' : 'w');
				}
				break;
			}
			case 'cannon':
				found.cannons.push({ x: action.x, y: action.y });
				break;
			case 'heading':
				push(inner(headings, key(action)), action.card, action.direction);
				break;
			case 'parlay':
				push(parlays, action.seat, action.cards);
				break;
			case 'plunder':
				found.plunders.push(action.seat);
				break;
			case 'plunder_discard':
				found.salvage.push(action.card);
				break;
			case 'steal':
				if (action.card) found.steals.push(action.card);
				break;
			case 'counter':
				found.counters.push(action.cards);
				break;
			case 'offer':
				found.offers.push(action.cards);
				break;
			case 'take':
				found.takes.push(action.seat);
				break;
			case 'give':
				found.giving = action.cards.length;
				break;
		}
	}
	return { ...found, places, headings, parlays };
}

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
