// Texts of actions, and what they say about counters and towers. What may be played is not decided here.

import type { CounterView } from '$gen/views/castle-builders';

/** The six kinds of counters, as the rules list them. */
export const KINDS = ['O', 'C', 'B', 'R', 'K', 'S'] as const;
export type Kind = (typeof KINDS)[number];

export type Arrows = 'vertical' | 'horizontal';

/** A counter that is played: `O3`, `Bh3`, `R3`, or without a tower `R`, `S`. */
export type Play = { text: string; kind: Kind; arrows: Arrows | null; tower: number | null };

/** What is put into a tower, as opposed to what takes something away or does nothing. */
export function builds(kind: Kind): boolean {
	return kind === 'O' || kind === 'C' || kind === 'B';
}

export function isKind(text: string): text is Kind {
	return (KINDS as readonly string[]).includes(text);
}

/** The kind of a letter that comes from a view; an unknown one is taken for an ordinary counter. */
export function kindOf(letter: string): Kind {
	return isKind(letter) ? letter : 'O';
}

export function arrowsOf(counter: CounterView): Arrows | null {
	return counter.arrows === 'vertical' || counter.arrows === 'horizontal' ? counter.arrows : null;
}

/** Reads the text of a play; nothing if it is none, such as a draw. */
export function parse(text: string): Play | null {
	const parts = /^(?:(O|C|R|K)([1-9])|B(v|h)([1-9])|(R|K|S))$/.exec(text);
	if (!parts) return null;
	const [, plain, plainTower, turned, bonusTower, alone] = parts;
	if (turned) return { text, kind: 'B', arrows: turned === 'v' ? 'vertical' : 'horizontal', tower: Number(bonusTower) };
	return { text, kind: kindOf(plain ?? alone ?? ''), arrows: null, tower: plainTower ? Number(plainTower) : null };
}

/** The text of a play, whether it may be made or not. */
export function write(kind: Kind, arrows: Arrows, tower: number | null): string {
	const turned = kind === 'B' ? arrows.charAt(0) : '';
	return `${kind}${turned}${tower ?? ''}`;
}

/** The kind of a draw such as `+O`; `?` if it is hidden; nothing if the text is none. */
export function drawn(text: string): Kind | '?' | null {
	const letter = /^\+([OCBRKS?])$/.exec(text)?.[1];
	if (!letter) return null;
	return isKind(letter) ? letter : '?';
}

/** The play of a counter on a tower, or without one, with the arrows as they are turned. */
export function playOn(plays: readonly Play[], kind: Kind, arrows: Arrows, tower: number | null): Play | undefined {
	return plays.find((play) => play.text === write(kind, arrows, tower));
}
