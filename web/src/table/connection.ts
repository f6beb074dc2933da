// A connection to tables, wherever they stand: over WebSocket to a server, or to a worker of this browser.

import type { Message, Person, TableId } from '$gen/types';
import type { Denied } from '../online/denied';
import type { Answer, Wish } from '../online/protocol';

export interface Connection {
	readonly connected: boolean;
	/** Whether the other side speaks a newer language than this page. */
	readonly outdated: boolean;
	/** Who the other side takes this page for. */
	readonly user: Person | null;
	/** How much later it is on the other side's clock than here, in milliseconds. */
	readonly ahead: number;
	/** Watches a table until the function that is given back is called. */
	watch(watcher: Watcher): () => void;
	/** What a watcher knows does not fit any more: everything from the beginning. */
	watchAnew(watcher: Watcher): void;
	/** Asks for something; what is refused is a `Denied`. */
	ask(wish: Wish): Promise<Answer>;
}

/** What is heard about a table. */
export type Heard = Extract<Message, { type: 'snapshot' | 'update' | 'said' | 'present' }>;

/** Who watches a table. */
export interface Watcher {
	readonly table: TableId;
	readonly invitation: string | null;
	/** What this one knows already, if it was told to this user. */
	known(user: Person | null): { since: number | null; heard: number | null };
	hear(message: Heard): void;
	/** The table cannot be watched, or something does not work there. */
	denied(why: Denied): void;
}
