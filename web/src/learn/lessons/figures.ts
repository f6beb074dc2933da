// The lesson of Figures: one red plus from the first stone to its points, then what is forbidden, and what wins.

import type { Lesson, Scene } from '../contract';

/** A start layout as it is seen, row 5 above. */
const layout = (...rows: readonly string[]) => rows.toReversed().join('').replaceAll(' ', '');

const TO_A_PLUS = layout(
	'n b r y y', //
	'n g b g y',
	'b r r y r',
	'g n r b y',
	'g n b g n',
);
const TOO_FAR = layout(
	'r y y g b', //
	'r n b g n',
	'y b b r g',
	'g n r r n',
	'n g y y b',
);
const TWO_ZIG_ZAGS = layout(
	'b n g b n', //
	'n g b n g',
	'g b n g b',
	'y r y r r',
	'r y r y y',
);
const NEARLY_A_LINE = layout(
	'g g g g n', //
	'n y b n r',
	'y b g r b',
	'r n y b n',
	'y r b r y',
);
const CROSS_PLUS_LINE = layout(
	'b b b b b', //
	'r n r n r',
	'y r y g n',
	'n y g g g',
	'y n y g r',
);
const ZIG_ZAGS_AND_LINE = layout(
	'r r r r r', //
	'y b b y b',
	'b y y b y',
	'n g n g n',
	'g n g n g',
);

function scene(layout: string, actions: Scene['actions'], me = 0): Scene {
	return { seats: 2, options: { layout }, actions, me };
}

const firstTurns = ['+r', '+y', 'd3e3', '-y', '+g', '+n', 'a2b2', '-g', '+b'];
const blueComesNear = ['+r', '+b', 'e1c2', '-r', '+y', '+g', 'c1a2', '-y', '+r'];

export const lesson: Lesson = {
	steps: [
		{ id: 'take', scene: scene(TO_A_PLUS, []), wanted: ['+r'] },
		{ id: 'exchange', scene: scene(TO_A_PLUS, ['+r', '+y']), wanted: ['d3e3'] },
		{ id: 'figure', scene: scene(TO_A_PLUS, firstTurns), wanted: ['c4c5'] },
		{ id: 'giveback', scene: scene(TO_A_PLUS, [...firstTurns, 'c4c5']), wanted: ['-r'] },
		{ id: 'forbidden', scene: scene(TOO_FAR, ['+r', '+b']), wanted: ['e1c2'] },
		{ id: 'group', scene: scene(TOO_FAR, blueComesNear), wanted: ['d3e5'] },
		{ id: 'double', scene: scene(TWO_ZIG_ZAGS, ['+g', '+b', 'b3d3', '-g', '+r', '+y'], 1), wanted: ['e1e2'] },
		{ id: 'keep', scene: scene(NEARLY_A_LINE, ['+g', '+r', 'c3e4']), wanted: ['-r'] },
	],
	examples: [
		{ id: 'start', section: 0, scene: { seats: 2, actions: [], me: 0 } },
		{ id: 'figures', section: 1, scene: scene(CROSS_PLUS_LINE, []) },
		{ id: 'zigzags', section: 1, scene: scene(ZIG_ZAGS_AND_LINE, []) },
		{ id: 'values', section: 2, scene: scene(TO_A_PLUS, [...firstTurns, 'c4c5']) },
		{ id: 'forbidden', section: 3, scene: scene(TOO_FAR, ['+r', '+b']) },
		{ id: 'group', section: 3, scene: scene(TOO_FAR, [...blueComesNear, 'd3e5']) },
	],
};
