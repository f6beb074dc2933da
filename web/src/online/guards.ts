// What comes from a server is checked at the border: whatever has not the shape that its type says goes no further.

import type { Admitted, Created, GameLine, NewToken, Page, Profile, Rank, SessionLine } from '$gen/api';
import type { Happened, Listing, Message, Person, Position, Seated, Setup, Snapshot, Spoken } from '$gen/wire';

export type Guard<T> = (value: unknown) => value is T;

export const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const text = (value: unknown): value is string => typeof value === 'string';
const number = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
/** A moment that a date can be made of. */
const moment = (value: unknown): value is number => number(value) && Math.abs(value) <= 8.64e15;
const truth = (value: unknown): value is boolean => typeof value === 'boolean';

export function list<T>(of: Guard<T>): Guard<T[]> {
	return (value): value is T[] => Array.isArray(value) && value.every(of);
}

/** Something that may also be missing or `null`. */
function maybe<T>(of: Guard<T>): Guard<T | null | undefined> {
	return (value): value is T | null | undefined => value === null || value === undefined || of(value);
}

/** An object with at least these members. */
function shape<T>(members: Partial<Record<keyof T, Guard<unknown>>>): Guard<T> {
	const wanted = Object.entries(members) as [string, Guard<unknown>][];
	return (value): value is T => isObject(value) && wanted.every(([name, guard]) => guard(value[name]));
}

/** An answer without anything in it. */
export const nothing: Guard<undefined> = (value) => value === undefined;
export const isText = text;

export const isPerson = shape<Person>({ id: number, name: text, kind: text });
export const isAdmitted = shape<Admitted>({ user: isPerson });
export const isCreated = shape<Created>({ table: text, invitation: text });
export const isCarried = shape<{ version: number; table?: string | null }>({ version: number, table: maybe(text) });
export const isGame = shape<GameLine>({ id: text, title: text, seats: list(number), options: isObject });
export const isSession = shape<SessionLine>({ id: number, created: moment, label: text, current: truth });
export const isToken = shape<NewToken>({ id: number, token: text });
export const isUserId = number;

const isSitting = shape<{ name: string }>({ name: text });
const isListing = shape<Listing>({
	table: text,
	game: text,
	options: isObject,
	status: text,
	public: truth,
	rated: truth,
	clock: text,
	created: moment,
	changed: moment,
	seats: list(maybe(isSitting)),
	kept: list(maybe(number)),
	winners: maybe(list(number)),
});
export const isPage = shape<Omit<Page, 'tables'> & { tables: Listing[] }>({ tables: list(isListing), next: maybe(text) });

const strength = { rating: number, deviation: number, games: number };
export const isRank = shape<Rank>({ player: isPerson, ...strength });
export const isProfile = shape<Omit<Profile, 'games'> & { games: Listing[] }>({
	player: isPerson,
	since: number,
	ratings: list(shape({ game: text, class: text, ...strength })),
	games: list(isListing),
});

const isTurn = shape<Position['turn']>({ kind: text });
const isAction = shape<Position['actions'][number]>({ action: text });
const isOutcome = shape<NonNullable<Position['outcome']>>({ winners: list(number), reason: text });
export const isPosition = shape<Position>({
	game: text,
	seats: number,
	ply: number,
	turn: isTurn,
	actions: list(isAction),
	scores: list(number),
	outcome: maybe(isOutcome),
});

const isSetup = shape<Setup>({
	game: text,
	options: isObject,
	seats: list(isObject),
	clock: isObject,
	rated: truth,
	public: truth,
});
const isSeated = shape<Seated>({ name: maybe(text), user: maybe(number), engine: maybe(text), taken_over: truth });
const isClock = shape<{ left: number[] }>({ left: list(number), running: maybe(list(number)) } as object);
const isLine = shape<{ action: string }>({ action: text, seat: maybe(number) } as object);
export const isSpoken = shape<Spoken>({ number, user: number, name: text, at: number, text });

export const isSnapshot = shape<Snapshot>({
	table: text,
	setup: isSetup,
	host: number,
	invitation: maybe(text),
	log: list(isLine),
	position: isPosition,
	version: number,
	status: text,
	seats: list(isSeated),
	clocks: maybe(isClock),
	draw_offer: maybe(number),
	undo: maybe(isObject),
	ending: maybe(isOutcome),
	rematch: maybe(text),
});

const isHappened = shape<Happened>({
	table: text,
	from: number,
	version: number,
	events: list(shape<{ type: string }>({ type: text })),
	turn: isTurn,
	scores: list(number),
	offers: maybe(list(text)),
	status: maybe(text),
	seats: maybe(list(isSeated)),
	clocks: maybe(isClock),
	draw_offer: maybe(number),
	undo: maybe(isObject),
	ending: maybe(isOutcome),
	rematch: maybe(text),
});

/** What may come over the live connection, by its type. */
const messages: Record<Message['type'], Guard<unknown>> = {
	welcome: shape({ protocol: number, user: maybe(isPerson), now: number }),
	done: shape({ id: text, version: maybe(number), table: maybe(text) }),
	refused: shape({ id: maybe(text), code: text, reason: text }),
	snapshot: isSnapshot,
	happened: isHappened,
	said: shape({ table: text, remarks: list(isSpoken) }),
	present: shape({ table: text, seated: list(number), others: number }),
	listed: isListing,
	closing: shape({ reason: text }),
};

export function isMessage(value: unknown): value is Message {
	if (!isObject(value) || !text(value['type']) || !Object.hasOwn(messages, value['type'])) return false;
	return messages[value['type'] as Message['type']](value);
}
