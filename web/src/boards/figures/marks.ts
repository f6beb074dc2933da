// How a seat is marked: partners in the same colour, each seat with a shape. The colours are none of the markers'.

import type { View } from '$gen/views/figures';
import { t } from '$lib/words.svelte';
import type { Mark } from '../contract';
import { colours, shapeOf } from '../shapes';
import { sideOf } from './words';

const names = ['disc', 'square', 'triangle', 'diamond'] as const;

export function mark(view: View, seat: number): Mark {
	return {
		colour: sideOf(view, seat) === 0 ? colours.purple : 'var(--quiet)',
		shape: shapeOf(seat).shape,
		name: t(`figures.seat.${names[seat % names.length]}`),
	};
}
