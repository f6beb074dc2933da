// Castle Builders, from the first counter to the last space. Most castles here are small, so that one thing is seen at a
// time.

import type { Lesson, Scene } from '../contract';

/** Actions in a row, with the draws between them. */
const line = (text: string): string[] => text.trim().split(/\s+/);

/** The game of the scoring sample in the rulebook: it ends with 34 to 22 points. */
const SAMPLE = `
	+C +C +O +O
	C1 +B C1 +B Bh1 +C O3 +O Bv2 +O O2 +O C2 +O O3 +O O2 +B O4 +O O3 +S
	O3 +O Bv4 +O O5 +O S +O O5 +O O5 +O O4 +O O5 +O O4 +O O4 +O O3
`;

const LOW = { heights: [2, 2, 2], roofs: [3, 3, 3], rows: [8, 4] };
const PEAK = { heights: [2, 2, 2], roofs: [3, 9, 3], rows: [5, 4] };
const PAIR = { heights: [3, 3], roofs: [8, 5], rows: [4, 3, 2] };
const HIGH = { heights: [2, 4, 6, 4, 2], roofs: [3, 5, 9, 5, 3], rows: [8, 6, 5, 4, 3, 2] };
const GATE = { heights: [2, 2], roofs: [9, 4], rows: [5, 5] };

/** Green has the high roof of the gate, doubled; yellow holds what takes it away. */
const GATE_TAKEN = '+O +O +S +B O1 +K Bv1 +O O2 +O S +O';

/** A game of two, as it is seen by who began. */
const scene = (actions: string, options?: Scene['options']): Scene => ({ seats: 2, options, actions: line(actions), me: 0 });

export const lesson: Lesson = {
	steps: [
		{ id: 'build', scene: scene('+O +O +O +O'), wanted: ['O3'], then: line('+C O3 +O') },
		{ id: 'row', scene: scene('+O +O +O +O O1 +O O2 +O', LOW), wanted: ['O3'], then: ['+O'] },
		{ id: 'bonus', scene: scene('+O +B +O +O O2 +O O1 +O', PEAK), wanted: ['Bv2'], then: ['+O'] },
		{ id: 'arrows', scene: scene('+O +B +O +O O1 +O O2 +O', LOW), wanted: ['Bh3'], then: ['+O'] },
		{ id: 'continue', scene: scene('+O +C +O +O O1 +O O2 +O', PAIR), wanted: ['C1'], then: line('+O O1 +O') },
		{ id: 'stop', scene: scene('+O +S +O +O O2 +O O2 +O', GATE), wanted: ['S'], then: line('+O O1 +O') },
		{ id: 'remove', scene: scene(GATE_TAKEN, GATE), wanted: ['K1'], then: ['+C'] },
		{ id: 'end', scene: scene(`${GATE_TAKEN} K1 +C C1 +O`, GATE), wanted: ['O2'] },
	],
	examples: [
		{ id: 'castle', section: 0, scene: scene('+O +C +O +O') },
		{ id: 'bonus', section: 1, scene: scene('+B +B +O +O Bv3 +O O4 +O Bh4 +O O2 +O') },
		{ id: 'remove', section: 1, scene: scene('+O +O +O +R O3 +O O4 +O O4 +O R4 +O') },
		{ id: 'sample', section: 3, scene: scene(SAMPLE) },
		{ id: 'options', section: 4, scene: scene('+O +B +O +O O3 +O O2 +O', HIGH) },
	],
};
