// What a game brings for who learns it: positions to look at, and positions in which the learner makes the decisive move.

/** A position, by how it is reached. */
export type Scene = {
	seats: number;
	options?: Record<string, unknown>;
	/** From the start on, with what chance gives; out of turn with the seat that acts. */
	actions: readonly (string | readonly [seat: number, action: string])[];
	/** Through whose eyes it is shown, and who acts. */
	me: number;
};

/** A drawn example on the page of the rules. Its caption is the message `learn-<game>.example.<id>`. */
export type Example = {
	id: string;
	/** Below which heading (of the second order) of the page, counted from 0. */
	section: number;
	scene: Scene;
};

/**
 * A step of a lesson. Messages: `learn-<game>.step.<id>` says what it is about and what to do, `.done` after it what was
 * learnt, and `.wrong` (if there is one) helps who does something else.
 */
export type Step = {
	id: string;
	scene: Scene;
	/** The actions that are right, any of them. None: there is only something to look at. */
	wanted: readonly string[];
	/** What the others then do, so that the consequence is seen. */
	then?: Scene['actions'];
};

export type Lesson = { steps: readonly Step[]; examples: readonly Example[] };
