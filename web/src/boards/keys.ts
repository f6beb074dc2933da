// Where arrow keys lead, the same on all boards.

type Point = { x: number; y: number };

/** The arrow keys as steps to the right and down the screen. */
export const ARROWS: Readonly<Record<string, readonly [right: number, down: number]>> = {
	ArrowRight: [1, 0],
	ArrowDown: [0, 1],
	ArrowLeft: [-1, 0],
	ArrowUp: [0, -1],
};

/** The target nearest to a point in a direction. What lies more to the side than `slant` times ahead does not count. */
export function ahead<Target extends Point>(
	from: Point,
	[dx, dy]: readonly [number, number],
	targets: readonly Target[],
	slant = Infinity,
): Target | null {
	const far = targets.map(({ x, y }) => {
		const along = (x - from.x) * dx + (y - from.y) * dy;
		const aside = Math.abs((x - from.x) * dy) + Math.abs((y - from.y) * dx);
		return along <= 0 || aside > along * slant ? Infinity : along + 2 * aside;
	});
	const least = Math.min(...far);
	return least === Infinity ? null : (targets[far.indexOf(least)] ?? null);
}
