// How far a learner is in a lesson, and what follows from what he tries. Knows no game: only which actions are wanted.

import type { Step } from './contract';

export type Flow = {
	/** The present step; the number of steps when all is said. */
	readonly step: number;
	readonly steps: number;
	/** `asked`: the learner's move. `wrong`: he has made another one. `done`: there is nothing left to do here. */
	readonly stage: 'asked' | 'wrong' | 'done';
	/** How often he has tried something else at this step. */
	readonly misses: number;
	/** The steps that are done. */
	readonly passed: readonly number[];
};

/** After so many other moves the right one is shown. */
export const PATIENCE = 2;

export function begin(steps: readonly Step[]): Flow {
	return at({ step: 0, steps: steps.length, stage: 'asked', misses: 0, passed: [] }, 0, steps);
}

/** Where there is only something to look at, looking is enough. */
function at(flow: Flow, step: number, steps: readonly Step[]): Flow {
	const shown = steps[step];
	const fresh: Flow = { ...flow, step, stage: 'asked', misses: 0 };
	return shown && shown.wanted.length === 0 ? done(fresh) : fresh;
}

function done(flow: Flow): Flow {
	const passed = flow.passed.includes(flow.step) ? flow.passed : [...flow.passed, flow.step];
	return { ...flow, stage: 'done', passed };
}

/** The learner has made an action. */
export function tried(flow: Flow, action: string, { wanted }: Step): Flow {
	if (flow.stage === 'done') return flow;
	return wanted.includes(action) ? done(flow) : { ...flow, stage: 'wrong', misses: flow.misses + 1 };
}

export function next(flow: Flow, steps: readonly Step[]): Flow {
	return at(flow, Math.min(flow.step + 1, flow.steps), steps);
}

export function back(flow: Flow, steps: readonly Step[]): Flow {
	return at(flow, Math.max(flow.step - 1, 0), steps);
}

export function over(flow: Flow): boolean {
	return flow.step >= flow.steps;
}

/** The action that the board shows to who has tried often enough. */
export function hintFor(flow: Flow, { wanted }: Step): string | null {
	return flow.stage !== 'done' && flow.misses >= PATIENCE ? (wanted[0] ?? null) : null;
}
