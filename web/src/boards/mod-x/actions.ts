// The texts of the actions of Mod X, taken apart and put together. Which of them are legal is not known here.

import { indexOf } from './geometry';

/** Where an action happens, and what it does there. */
export type Action = { kind: 'place' | 'joker' | 'touch'; index: number } | { kind: 'done' };

const KINDS = { '': 'place', '*': 'joker', '!': 'touch' } as const;

/** Takes `c3`, `*c3`, `!c3` or `done` apart; `null` for anything else. */
export function parse(text: string): Action | null {
	if (text === 'done') return { kind: 'done' };
	const [, sign, square] = /^([*!]?)([a-h][1-8])$/.exec(text) ?? [];
	const index = indexOf(square ?? '');
	return index === null ? null : { kind: KINDS[sign as keyof typeof KINDS], index };
}

export const place = (square: string): string => square;
export const putJoker = (square: string): string => `*${square}`;
export const touch = (square: string): string => `!${square}`;
export const DONE = 'done';
