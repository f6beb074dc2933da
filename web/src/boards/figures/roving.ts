// Where an arrow key leads: from one target to the next in that direction.

import { ahead, ARROWS } from '../shapes';
import type { Point } from './geometry';

export type Target = Point & { id: string };

/** The target that a key leads to from another one; nothing if the key is no arrow, or leads nowhere. */
export function neighbour(targets: readonly Target[], from: string, key: string): Target | undefined {
	const way = ARROWS[key];
	const start = targets.find(({ id }) => id === from);
	// What lies far more to the side than ahead belongs to another key.
	return (way && start && ahead(start, way, targets, 2)) ?? undefined;
}
