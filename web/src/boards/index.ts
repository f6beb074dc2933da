// The boards by game. A game without a board of its own is played at the plain one.

import './board.css';
import type { BoardModule } from './contract';

const own: Record<string, () => Promise<{ module: unknown }>> = {
	trexo: () => import('./trexo'),
	'mod-x': () => import('./mod-x'),
	figures: () => import('./figures'),
	'castle-builders': () => import('./castle-builders'),
	'x-marks-the-spot': () => import('./x-marks-the-spot'),
};

export async function boardOf(game: string): Promise<BoardModule> {
	const load = (Object.hasOwn(own, game) && own[game]) || (() => import('./plain'));
	// A board is given only positions of its own game.
	return (await load()).module as BoardModule;
}
