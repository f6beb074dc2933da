// What Castle Builders brings to the table.

import type { View } from '$gen/views/castle-builders';
import type { BoardModule } from '../contract';
import Board from './Board.svelte';
import Panel from './Panel.svelte';
import { mason } from './signs';
import { colourName, say, tables, task } from './words';

export const module: BoardModule<View> = {
	Board,
	Panel,
	mark: (_view, seat) => ({ ...mason(seat), name: colourName(seat) }),
	tables,
	task,
	say,
};
