// Where an arrow key leads: from one target to the next in that direction.

import type { Point } from './geometry';

export type Target = Point & { id: string };

const directions: Record<string, Point> = {
	ArrowLeft: { x: -1, y: 0 },
	ArrowRight: { x: 1, y: 0 },
	ArrowUp: { x: 0, y: -1 },
	ArrowDown: { x: 0, y: 1 },
};

/** The target that a key leads to from another one; nothing if the key is no arrow, or leads nowhere. */
export function neighbour(targets: readonly Target[], from: string, key: string): Target | undefined {
	const way = directions[key];
	const start = targets.find(({ id }) => id === from);
	if (!way || !start) return undefined;
	let best: { target: Target; far: number } | undefined;
	for (const target of targets) {
		const [x, y] = [target.x - start.x, target.y - start.y];
		const along = x * way.x + y * way.y;
		const aside = Math.abs(x * way.y) + Math.abs(y * way.x);
		// What lies more to the side than ahead belongs to another key.
		if (along <= 0 || aside > along * 2) continue;
		const far = along + 2 * aside;
		if (!best || far < best.far) best = { target, far };
	}
	return best?.target;
}
