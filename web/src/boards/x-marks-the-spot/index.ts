// X Marks the Spot: what the game brings to the table.

import { t } from '$lib/words.svelte';
import type { BoardModule, Mark } from '../contract';
import { shapes } from '../shapes';
import Board from './Board.svelte';
import type { View } from './cards';
import Panel from './Panel.svelte';
import { say, tables, task } from './words';

/** A flag is a secret, so a seat is marked with a shape that tells nothing about it. */
function mark(_view: View, seat: number): Mark {
	const place = seat % shapes.length;
	const { colour, shape } = shapes[place] ?? { colour: 'currentColor', shape: '' };
	return { colour, shape, name: t(`x-marks-the-spot.mark.${place}`) };
}

export const module: BoardModule<View> = { Board, mark, Panel, tables, task, say };
