// The tile in a person's hand: over which square it is held, how it is turned, and whether it may be laid there.

import { actionOf, beside, heldOver, same, turned, waysFrom, type Square, type Symbol, type Tile } from './squares';

/** What the hand has to know of the table. */
export type Reach = {
	size: number;
	flipped: boolean;
	/** The symbol that comes to the square under the pointer, as long as nobody changes it. */
	own: Symbol;
	actions: ReadonlySet<string>;
};

export class Hand {
	readonly #reach: () => Reach;
	/** The square below the hand; `null` while no tile is shown. */
	over = $state<Square | null>(null);
	/** Whether the tile stays where it was put, as it does by touch and by keyboard, or follows the pointer. */
	stays = $state(false);
	#way = $state(0);
	#swapped = $state(false);

	readonly symbol: Symbol = $derived.by(() => {
		const { own } = this.#reach();
		return this.#swapped ? (own === 'X' ? 'O' : 'X') : own;
	});
	readonly tile: Tile | null = $derived.by(() => {
		const { size, flipped, actions } = this.#reach();
		if (!this.over || actions.size === 0) return null;
		return heldOver(this.over, { way: this.#way, symbol: this.symbol }, size, flipped);
	});
	readonly action: string | null = $derived(this.tile && actionOf(this.tile));
	readonly legal: boolean = $derived.by(() => this.action !== null && this.#reach().actions.has(this.action));
	/** The squares that could take the other half. */
	readonly others: Square[] = $derived.by(() => {
		const { size, flipped } = this.#reach();
		const { over } = this;
		if (!over || !this.tile) return [];
		return waysFrom(over, 0, size, flipped).flatMap((way) => {
			const other = beside(over, way, size, flipped);
			return other && this.#may(over, way) ? [other] : [];
		});
	});

	constructor(reach: () => Reach) {
		this.#reach = reach;
	}

	#may(square: Square, way: number): boolean {
		const { size, flipped, actions } = this.#reach();
		const tile = heldOver(square, { way, symbol: this.symbol }, size, flipped);
		return tile !== null && actions.has(actionOf(tile));
	}

	/** The tile follows the pointer as it is. */
	follow(square: Square): void {
		this.stays = false;
		if (!this.over || !same(this.over, square)) this.over = square;
	}

	/** The tile is put over a square and stays there. */
	put(square: Square): void {
		this.over = square;
		this.stays = true;
	}

	/** As `put`; it is turned to a side where it may lie, if there is one. */
	fit(square: Square): void {
		const { size, flipped } = this.#reach();
		const ways = waysFrom(square, this.#way, size, flipped);
		this.#way = ways.find((way) => this.#may(square, way)) ?? this.#way;
		this.put(square);
	}

	turn(by: 1 | -1 = 1): void {
		const { size, flipped } = this.#reach();
		// Without a square below it, the tile may point anywhere.
		this.#way = this.over ? turned(this.over, this.#way, by, size, flipped) : (this.#way + by + 4) % 4;
	}

	/** X and O change their places. */
	swap(): void {
		this.#swapped = !this.#swapped;
	}

	/** Whether this is the square of the half that does not lie under the pointer. */
	isOther(square: Square): boolean {
		const { tile, over } = this;
		return tile !== null && over !== null && !same(square, over) && (same(square, tile.x) || same(square, tile.o));
	}

	clear(): void {
		this.over = null;
		this.stays = false;
	}
}
