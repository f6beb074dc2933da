// What a board is: it gets a position and says which action a person wants to make. It knows no rules: what may be done
// stands in `actions`, why something may not be done is asked with `explain`.

import type { Component } from 'svelte';
import type { Position, Reason, Step } from '$gen/types';

/** A position, with the view of its game. */
export type Seen<View = unknown> = Position & { view: View };

export type BoardProps<View = unknown> = {
	/** What is seen. */
	position: Seen<View>;
	/** Through whose eyes, and who may act; nobody's for who only watches. */
	me: number | null;
	/** The texts of all actions that this person may be offered now. Empty: there is nothing to do. */
	actions: readonly string[];
	/** What has happened since this person last acted, at most the last eight lines; the last one is the newest. */
	recent: readonly Step[];
	/** The names of the seats. */
	names: readonly string[];
	/** Seen from the other side of the table. */
	flipped: boolean;
	/** An action that the engine suggests. */
	hint: string | null;
	/** A picture only: nothing can be pressed, nothing takes the focus, nothing moves. */
	still: boolean;
	/** Makes an action. One that is not among `actions` may be tried; it is refused with a sentence. */
	act: (action: string) => void;
	/** Why an action cannot be made (`sentence` of `lib/reasons` says it); `null` if it can. */
	explain: (action: string) => Promise<Reason | null>;
};

/** A board, or a part of it, as a table of words. */
export type TextTable = {
	caption: string;
	/** Heads of the columns; the first one is that of the rows' heads. */
	columns: string[];
	rows: { head: string; cells: string[] }[];
};

/** A colour with its shape: never one without the other. */
export type Mark = {
	/** A CSS colour. */
	colour: string;
	/** The path of a shape in a box from -10 to 10. */
	shape: string;
	/** The word for it, such as "red" or "X", in the reader's language. */
	name: string;
};

/** What goes into a seat's panel beside the board. */
export type PanelProps<View = unknown> = { position: Seen<View>; seat: number; me: number | null };

/** What a game brings to the table besides its rules. */
export type BoardModule<View = unknown> = {
	Board: Component<BoardProps<View>>;
	/** How a seat is marked. */
	mark: (view: View, seat: number) => Mark;
	/** Supplies, points and the like of a seat. */
	Panel?: Component<PanelProps<View>>;
	/** The board in words. */
	tables: (position: Seen<View>, names: readonly string[]) => TextTable[];
	/** What is to be done now, in a short sentence, for whoever `me` is; `null` where "your turn" says enough. */
	task?: (position: Seen<View>, me: number | null, names: readonly string[]) => string | null;
	/** The seats that may act although they are not on turn, as everybody at the table knows. */
	outOfTurn?: (view: View) => readonly number[];
	/** An action in words, for who hears the game. `position` is what it has led to, perhaps with more that followed. */
	say?: (action: string, position: Seen<View> | null) => string | null;
};
