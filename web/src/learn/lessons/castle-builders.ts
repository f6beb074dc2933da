// Castle Builders, from the first counter to the last space. Most castles here are small, so that one thing is seen at a
// time.

import type { Lesson } from '../contract';

/** Actions in a row, with the draws between them. */
const line = (text: string): string[] => text.trim().split(/\s+/);

/** The game of the scoring sample in the rulebook: it ends with 34 to 22 points. */
const SAMPLE = line(`
	+C +C +O +O
	C1 +B C1 +B Bh1 +C O3 +O Bv2 +O O2 +O C2 +O O3 +O O2 +B O4 +O O3 +S
	O3 +O Bv4 +O O5 +O S +O O5 +O O5 +O O4 +O O5 +O O4 +O O4 +O O3
`);

const LOW = { heights: [2, 2, 2], roofs: [3, 3, 3], rows: [8, 4] };
const PEAK = { heights: [2, 2, 2], roofs: [3, 9, 3], rows: [5, 4] };
const PAIR = { heights: [3, 3], roofs: [8, 5], rows: [4, 3, 2] };
const GATE = { heights: [2, 2], roofs: [9, 4], rows: [5, 5] };

/** Green has the high roof of the gate, doubled; yellow holds what takes it away. */
const GATE_TAKEN = '+O +O +S +B O1 +K Bv1 +O O2 +O S +O';

export const lesson: Lesson = {
	steps: [
		{
			id: 'build',
			scene: { seats: 2, actions: line('+O +O +O +O'), me: 0 },
			wanted: ['O3'],
			then: line('+C O3 +O'),
		},
		{
			id: 'row',
			scene: { seats: 2, options: LOW, actions: line('+O +O +O +O O1 +O O2 +O'), me: 0 },
			wanted: ['O3'],
			then: ['+O'],
		},
		{
			id: 'bonus',
			scene: { seats: 2, options: PEAK, actions: line('+O +B +O +O O2 +O O1 +O'), me: 0 },
			wanted: ['Bv2'],
			then: ['+O'],
		},
		{
			id: 'arrows',
			scene: { seats: 2, options: LOW, actions: line('+O +B +O +O O1 +O O2 +O'), me: 0 },
			wanted: ['Bh3'],
			then: ['+O'],
		},
		{
			id: 'continue',
			scene: { seats: 2, options: PAIR, actions: line('+O +C +O +O O1 +O O2 +O'), me: 0 },
			wanted: ['C1'],
			then: line('+O O1 +O'),
		},
		{
			id: 'stop',
			scene: { seats: 2, options: GATE, actions: line('+O +S +O +O O2 +O O2 +O'), me: 0 },
			wanted: ['S'],
			then: line('+O O1 +O'),
		},
		{
			id: 'remove',
			scene: { seats: 2, options: GATE, actions: line(GATE_TAKEN), me: 0 },
			wanted: ['K1'],
			then: line('+C'),
		},
		{
			id: 'end',
			scene: { seats: 2, options: GATE, actions: line(`${GATE_TAKEN} K1 +C C1 +O`), me: 0 },
			wanted: ['O2'],
		},
	],
	examples: [
		{ id: 'castle', section: 0, scene: { seats: 2, actions: line('+O +C +O +O'), me: 0 } },
		{ id: 'bonus', section: 1, scene: { seats: 2, actions: line('+B +B +O +O Bv3 +O O4 +O Bh4 +O O2 +O'), me: 0 } },
		{ id: 'remove', section: 1, scene: { seats: 2, actions: line('+O +O +O +R O3 +O O4 +O O4 +O R4 +O'), me: 0 } },
		{ id: 'sample', section: 3, scene: { seats: 2, actions: SAMPLE, me: 0 } },
		{
			id: 'options',
			section: 4,
			scene: {
				seats: 2,
				options: { heights: [2, 4, 6, 4, 2], roofs: [3, 5, 9, 5, 3], rows: [8, 6, 5, 4, 3, 2] },
				actions: line('+O +B +O +O O3 +O O2 +O'),
				me: 0,
			},
		},
	],
};
