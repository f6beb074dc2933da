// What a person is about to do: which card is picked, where it is held, which way it points. A plan becomes an action only
// if its text stands among those that may be done.

import { giveText, headingPlacement, headingText, placeText, playable, type Index, type Placement } from './actions';
import { icons, type Card, type Direction, type View } from './cards';
import { closest, DIRECTIONS, key, lower, nearest, same, squareOf, step, turned, type Square } from './chart';

/** What the next gesture is about. */
export type Mode = 'look' | 'place' | 'cannon' | 'heading' | 'parlay' | 'plunder' | 'give';

type Situation = { hand: readonly Card[]; index: Index; chart: View['chart'] };

export class Plan {
	/** The card of the hand that is to be played, by its place. */
	picked = $state<number | null>(null);
	/** The square that is pointed at: where the first icon is held, or what is aimed at. */
	spot = $state<Square | null>(null);
	/** Where the second icon of the held card points. */
	direction = $state<Direction>('e');
	/** For a new heading: the card that is taken, by its lower square, and the card of the hand that is laid. */
	target = $state<Square | null>(null);
	laid = $state<number | null>(null);
	/** The cards that are to be given away, by their places. */
	given = $state<readonly number[]>([]);

	/** Whether a finger has pointed: then a button makes the action. */
	byTouch = $state(false);

	readonly #now: () => Situation;

	constructor(now: () => Situation) {
		this.#now = now;
	}

	readonly card: Card | null = $derived.by(() => this.#now().hand[this.picked ?? -1] ?? null);

	readonly mode: Mode = $derived.by(() => {
		if (this.#now().index.giving > 0) return 'give';
		if (this.card === null) return 'look';
		return icons(this.card) ? 'place' : (this.card as Mode);
	});

	/** The lower squares of the cards on the chart that can be aimed at. */
	readonly targets: readonly Square[] = $derived.by(() => {
		const { index, chart } = this.#now();
		if (this.mode === 'cannon') return index.cannons;
		if (this.mode !== 'heading' || this.target) return [];
		// Cards below may have the same lower square as the one that lies on them.
		const free = chart.filter((card) => card.removable).map(lower);
		return free.filter((square) => index.headings.has(key(square)));
	});

	/** Both squares of each of them, with the lower one. */
	readonly #aims: ReadonlyMap<string, Square> = $derived.by(() => {
		const wanted = new Set(this.targets.map(key));
		const cards = this.#now().chart.filter((card) => card.removable && wanted.has(key(lower(card))));
		return new Map(cards.flatMap((card) => card.halves.map((half) => [key(half), lower(card)])));
	});

	/** What is aimed at. */
	readonly aimed: Square | null = $derived.by(() => (this.spot && this.#aims.get(key(this.spot))) ?? null);

	/** The squares on which the first icon of the picked card may lie, with the directions in which it may point. */
	readonly places: ReadonlyMap<string, readonly Direction[]> = $derived.by(
		() => (this.mode === 'place' && this.card && this.#now().index.places.get(this.card)) || new Map(),
	);

	/** What may be laid in place of the card that is taken, with the directions in which it may point. */
	readonly replacements: ReadonlyMap<Card, readonly Direction[]> = $derived.by(
		() => (this.target && this.#now().index.headings.get(key(this.target))) || new Map(),
	);

	/** The card as it is held above the chart. */
	readonly placement: Placement | null = $derived.by(() => {
		const { hand } = this.#now();
		if (this.mode === 'place' && this.card && this.spot) {
			return { card: this.card, ...this.spot, direction: this.direction };
		}
		const laid = this.laid === null ? undefined : hand[this.laid];
		return this.target && laid ? headingPlacement(this.target, laid, this.direction) : null;
	});

	/** The action that the plan amounts to, legal or not. */
	readonly text: string | null = $derived.by(() => {
		const { hand, index } = this.#now();
		if (this.mode === 'place') return this.placement && placeText(this.placement);
		if (this.mode === 'cannon') return this.aimed && `cannon ${key(this.aimed)}`;
		if (this.mode === 'heading') {
			return this.target && this.placement && headingText(this.target, this.placement.card, this.direction);
		}
		if (this.mode === 'give') return giveText(index, this.given.flatMap((place) => hand[place] ?? []));
		return null;
	});

	readonly legal = $derived.by(() => this.text !== null && this.#now().index.texts.has(this.text));

	/** Whether there is anything to cancel. */
	readonly begun = $derived(this.picked !== null || this.given.length > 0);

	/** Forgets everything; a card that has to be played is picked at once. */
	begin(mustPlay: Card | null = null): void {
		const { hand, index } = this.#now();
		this.cancel();
		if (mustPlay && playable(index, mustPlay)) this.picked = hand.indexOf(mustPlay);
	}

	/** Takes back the last step that was not an action yet. */
	back(): void {
		if (this.laid !== null && this.replacements.size > 1) this.laid = null;
		else if (this.target) [this.target, this.laid] = [null, null];
		else this.cancel();
	}

	cancel(): void {
		this.picked = null;
		this.target = null;
		this.laid = null;
		this.given = [];
	}

	/** Whether a card of the hand can be pressed now. */
	choosable(place: number): boolean {
		const { hand, index } = this.#now();
		const card = hand[place];
		if (!card) return false;
		if (this.mode === 'give') return true;
		if (this.target && place !== this.picked) return this.replacements.has(card);
		return playable(index, card);
	}

	pick(place: number): void {
		const { hand, index } = this.#now();
		const card = hand[place];
		if (!card || !this.choosable(place)) return;
		if (this.mode === 'give') {
			const rest = this.given.filter((other) => other !== place);
			// One too many puts the first one back.
			this.given = rest.length < this.given.length ? rest : [...rest, place].slice(-index.giving);
		} else if (this.target && place !== this.picked) {
			this.#lay(place);
		} else if (place === this.picked) {
			this.cancel();
		} else {
			this.cancel();
			this.picked = place;
		}
	}

	/** Whether the held card can be turned. */
	readonly turns = $derived.by(() => {
		const card = this.placement?.card;
		return this.mode === 'place' || (card !== undefined && (this.replacements.get(card)?.length ?? 0) > 1);
	});

	/** Turns the held card: on the way through all directions, or through those that a new heading allows. */
	turn(by: 1 | -1 = 1): void {
		const laid = this.laid === null ? undefined : this.#now().hand[this.laid];
		const open = laid && this.replacements.get(laid);
		if (!open) this.direction = turned(this.direction, by);
		else this.direction = open[(open.indexOf(this.direction) + 1) % open.length] ?? this.direction;
	}

	/** A mouse is above a square, or has left. */
	hover(square: Square | null): void {
		this.byTouch = false;
		this.aim(square);
	}

	/** Points at a square. */
	aim(square: Square | null): void {
		if (!same(square, this.spot)) this.spot = square;
	}

	/**
	 * A square was pressed; gives the action that this makes. A finger hides what it presses: with it, the first tap only
	 * points, the next one turns a card or shoots.
	 */
	press(square: Square, touch: boolean): string | null {
		const aimed = this.aimed;
		const held = this.placement;
		this.byTouch = touch;
		if (this.mode === 'place' && touch && held && (same(held, square) || same(step(held, held.direction), square))) {
			this.turn();
			return null;
		}
		this.aim(square);
		if (this.mode === 'place' && touch) this.#fit(square);
		if (this.mode === 'place') return touch ? null : this.#ready();
		if (this.mode === 'cannon') return touch && !same(aimed, this.aimed) ? null : this.#ready();
		if (this.mode === 'heading' && !this.target) this.#take();
		else if (this.mode === 'heading' && held && (same(held, square) || same(step(held, held.direction), square))) {
			if (!touch) return this.#ready();
			this.turn();
		}
		return null;
	}

	/** Enter, or the button that does it; gives the action. */
	confirm(): string | null {
		if (this.mode === 'heading' && !this.target) {
			this.#take();
			return null;
		}
		return this.#ready();
	}

	/** An arrow key: on to the next target where there are some, otherwise to the next square. */
	move(direction: Direction): void {
		const from = this.spot ?? { x: 0, y: 0 };
		if (this.targets.length > 0) this.aim(nearest(this.aimed ?? from, direction, this.targets) ?? this.aimed ?? from);
		else this.aim(step(from, direction));
	}

	/** For the keyboard: begins at something that can be done, near to where it was. */
	start(): void {
		const from = this.spot ?? { x: 0, y: 0 };
		if (this.mode === 'place') {
			this.aim(closest(from, [...this.places.keys()].map(squareOf)) ?? from);
			this.#fit(this.spot ?? from);
		} else {
			this.aim(closest(from, this.targets) ?? from);
		}
	}

	#ready(): string | null {
		return this.legal ? this.text : null;
	}

	/** Turns the card so that it may lie, if it can at this square. */
	#fit(square: Square): void {
		const open = this.places.get(key(square));
		const from = DIRECTIONS.indexOf(this.direction);
		const order = [...DIRECTIONS.slice(from), ...DIRECTIONS.slice(0, from)];
		this.direction = order.find((direction) => open?.includes(direction)) ?? this.direction;
	}

	/** Takes what is aimed at; where one card only can be laid instead, there is nothing to choose. */
	#take(): void {
		if (!this.aimed) return;
		this.target = this.aimed;
		const { hand } = this.#now();
		const [only, ...others] = this.replacements.keys();
		if (only && others.length === 0) this.#lay(hand.indexOf(only));
	}

	#lay(place: number): void {
		this.laid = place;
		const card = this.#now().hand[place];
		const open = card && this.replacements.get(card);
		if (open && !open.includes(this.direction)) this.direction = open[0] ?? this.direction;
	}
}
