// Figures: markers on felt, bank stones, the point board, and what is said about them.

import type { View } from '$gen/views/figures';
import type { BoardModule } from '../contract';
import Board from './Board.svelte';
import { mark } from './marks';
import Panel from './Panel.svelte';
import { say, tables, task } from './words';

export const module: BoardModule<View> = { Board, mark, Panel, tables, task, say };
