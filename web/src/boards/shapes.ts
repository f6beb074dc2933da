// What all boards share: colours that also colour-blind people tell apart, each with a shape, and where arrow keys lead.

import type { Mark } from './contract';

/** The colours of LOOK, by name. */
export const colours = {
	vermilion: '#d55e00',
	sky: '#56b4e9',
	green: '#009e73',
	yellow: '#f0e442',
	blue: '#0072b2',
	purple: '#cc79a7',
	ink: '#22252b',
} as const;

const shapes: readonly Mark[] = [
	{ colour: colours.vermilion, shape: 'M0-8A8 8 0 1 1 0 8A8 8 0 1 1 0-8Z', name: '●' },
	{ colour: colours.blue, shape: 'M-7-7H7V7H-7Z', name: '■' },
	{ colour: colours.green, shape: 'M0-9L9 7H-9Z', name: '▲' },
	{ colour: colours.purple, shape: 'M0-9L9 0L0 9L-9 0Z', name: '◆' },
];

/** The mark of a seat that has none of its game. */
export const shapeOf = (seat: number): Mark => shapes[seat % shapes.length]!;

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
