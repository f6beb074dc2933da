// Mod X at the table.

import type { View } from '$gen/views/mod-x';
import type { BoardModule } from '../contract';
import Board from './Board.svelte';
import Panel from './Panel.svelte';
import { crosses, paints } from './pieces';
import { colourName, say, tables, task } from './words';

export const module: BoardModule<View> = {
	Board,
	Panel,
	mark: ({ players }, seat) => {
		const colour = players[seat]?.colour ?? 'red';
		return { colour: paints[colour].sign, shape: crosses[colour], name: colourName(colour) };
	},
	tables,
	task,
	outOfTurn: ({ may_claim }) => may_claim,
	say,
};
