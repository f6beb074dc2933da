// What the others did on the chart since one last looked, for the marks that show it.

import type { Step } from '$gen/types';
import { headingPlacement, read } from './actions';
import { step, type Square } from './chart';

export type Trace = {
	kind: 'laid' | 'shot';
	squares: readonly Square[];
	/** 0 for the newest one. */
	age: number;
};

export function traces(recent: readonly Step[], me: number | null): Trace[] {
	const found: Omit<Trace, 'age'>[] = [];
	for (const { seat, action: text } of recent) {
		const action = seat === undefined || seat === me ? null : read(text);
		if (action?.kind === 'cannon') found.push({ kind: 'shot', squares: [{ x: action.x, y: action.y }] });
		if (action?.kind !== 'place' && action?.kind !== 'heading') continue;
		const laid = action.kind === 'place' ? action : headingPlacement(action, action.card, action.direction);
		found.push({ kind: 'laid', squares: [{ x: laid.x, y: laid.y }, step(laid, laid.direction)] });
	}
	return found.map((trace, nth) => ({ ...trace, age: found.length - 1 - nth }));
}
