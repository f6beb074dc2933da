// The cards: what is printed on them and what they are called.

import type { CardView, HalfView, PlayerView, View } from '$gen/views/x-marks-the-spot';
import { t } from '$lib/words.svelte';

export type { View };
export type Card = CardView['card'];
export type Icon = HalfView['icon'];
export type Pirate = NonNullable<PlayerView['flag']>;
export type Direction = CardView['direction'];

/** The outline of a card that stands upright, around its first icon. */
export const PAPER =
	'M-8.1-11.3H8.1A3.2 3.2 0 0 1 11.3-8.1V32.1A3.2 3.2 0 0 1 8.1 35.3H-8.1A3.2 3.2 0 0 1-11.3 32.1V-8.1A3.2 3.2 0 0 1-8.1-11.3Z';

/** Both icons of a tile card in the order in which they are written; nothing for an action card. */
export function icons(card: Card): [Icon, Icon] | null {
	const [first, second, more] = card;
	return more === undefined ? [first as Icon, second as Icon] : null;
}

/** Whether it is the same card upside down. */
export function isDouble(card: Card): boolean {
	const pair = icons(card);
	return pair !== null && pair[0] === pair[1];
}

export function iconName(icon: Icon): string {
	return t(`x-marks-the-spot.icon.${icon}`);
}

/** The whole name of a pirate, as it stands on the flag. */
export function pirateName(pirate: Pirate): string {
	return t(`x-marks-the-spot.pirate.${pirate}`);
}

/** Such as "Condent and Rackham", "two Averys", "cannon". */
export function cardName(card: Card): string {
	const pair = icons(card);
	if (!pair) return t(`x-marks-the-spot.card.${card}`);
	if (pair[0] === pair[1]) return t('x-marks-the-spot.card.double', { icon: iconName(pair[0]) });
	return t('x-marks-the-spot.card.tile', { first: iconName(pair[0]), second: iconName(pair[1]) });
}

/** A list of cards in words. */
export function cardNames(cards: readonly Card[]): string {
	return cards.map(cardName).join(', ');
}

/** Cards with how many there are of each. */
export function stacked(cards: readonly Card[]): { card: Card; copies: number }[] {
	const copies = new Map<Card, number>();
	for (const card of cards) copies.set(card, (copies.get(card) ?? 0) + 1);
	return [...copies].map(([card, copies]) => ({ card, copies }));
}
