// Trexo at the table.

import type { View } from '$gen/views/trexo';
import type { BoardModule } from '../contract';
import Board from './Board.svelte';
import Panel from './Panel.svelte';
import { COLOURS, SHAPES } from './symbols';
import { say, symbolOfSeat, tables, task } from './words';

export const module: BoardModule<View> = {
	Board,
	Panel,
	mark: (view, seat) => {
		const symbol = symbolOfSeat(view, seat);
		return { colour: COLOURS[symbol], shape: SHAPES[symbol], name: symbol };
	},
	tables,
	task,
	say,
};
