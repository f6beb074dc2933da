// A table as the page sees it, whether it stands in this browser or on a server.

import type { Look, Reason } from '$gen/rpc';
import type { ClockFace, Ending, Spoken, Status, Undo } from '$gen/wire';

export type SeatAt = {
	/** The person's name, or that of the engine's level. */
	name: string;
	kind: 'person' | 'engine' | 'open';
	/** Whether this is a person at this browser. */
	mine: boolean;
	/** Whether somebody at a server's table is connected now. */
	here: boolean;
};

export interface Table {
	readonly game: string;
	readonly title: string;
	readonly where: 'here' | 'online';
	readonly options: Record<string, unknown>;
	/** What is seen now; nothing as long as it is loading. */
	readonly look: Look | null;
	/** Through whose eyes. */
	readonly me: number | null;
	readonly seats: readonly SeatAt[];
	readonly status: Status | 'loading';
	/** How it ended: by the rules, or before. */
	readonly ending: Ending | null;
	/** The seat at which an engine is thinking. */
	readonly thinking: number | null;
	/** The seat to whose person the screen has to be handed, before anything is shown. */
	readonly handOver: number | null;
	/** What does not work at the moment, in a sentence. */
	readonly trouble: string | null;
	readonly clocks: ClockFace | null;
	readonly canUndo: boolean;
	readonly canHint: boolean;
	/** Whether the whole game may be looked through: nothing in it is hidden, or it is over. */
	readonly canReview: boolean;
	/** What only a table on a server has. */
	readonly online: Online | null;

	/** Makes an action for `me`; gives a sentence if it is refused. */
	act(action: string): Promise<string | null>;
	/** Why an action cannot be made; `null` if it can. */
	explain(action: string): Promise<Reason | null>;
	/** What was seen after the first `ply` actions. */
	at(ply: number): Promise<Look>;
	/** Takes the last own action back, or asks for it. */
	undo(): Promise<string | null>;
	/** What the engine would do. */
	hint(): Promise<string | null>;
	/** Lets another person at this browser act out of turn, where that is possible. */
	actFor?(seat: number): Promise<void>;
	/** The person to whom the screen was handed is looking. */
	ready(): void;
	/** The record of the game, as far as `me` may have it. */
	record(): Promise<string>;
	/** A new game of the same kind, everybody a seat further; gives its address. */
	rematch(): Promise<string | null>;
	/** Nobody looks any more. */
	close(): void;
}

export interface Online {
	readonly table: string;
	readonly connected: boolean;
	readonly remarks: readonly Spoken[];
	/** How many look on who do not sit here. */
	readonly watchers: number;
	readonly drawOffer: number | null;
	readonly undo: Undo | null;
	readonly rated: boolean;
	/** For the host: the address that invites somebody. */
	readonly invitation: string | null;
	readonly host: boolean;
	/** The rematch that was agreed on. */
	readonly next: string | null;
	/** How much later it is on the server's clock than here, in milliseconds. */
	readonly ahead: number;
	/** Each gives a sentence if it is refused. */
	say(text: string): Promise<string | null>;
	sit(seat: number): Promise<string | null>;
	leave(): Promise<string | null>;
	abort(): Promise<string | null>;
	resign(): Promise<string | null>;
	offerDraw(): Promise<string | null>;
	answerDraw(accept: boolean): Promise<string | null>;
	answerUndo(grant: boolean): Promise<string | null>;
}
