// X Marks the Spot: what the game brings to the table.

import { t } from '$lib/words.svelte';
import type { BoardModule, Mark } from '../contract';
import { shapeOf } from '../shapes';
import Board from './Board.svelte';
import type { View } from './cards';
import Panel from './Panel.svelte';
import { say, tables, task } from './words';

/** A flag is a secret, so a seat is marked with a shape that tells nothing about it. */
const mark = (_view: View, seat: number): Mark => ({ ...shapeOf(seat), name: t(`x-marks-the-spot.mark.${seat}`) });

export const module: BoardModule<View> = { Board, mark, Panel, tables, task, say };
