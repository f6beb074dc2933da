// Which part of the sea is seen, and how large. The chart has no edges, so somebody has to look somewhere: at everything,
// as long as nobody moves the camera, and then wherever it was moved to, as long as nothing happens elsewhere.

import { Tween, prefersReducedMotion } from 'svelte/motion';
import { middle, SIDE, type Extent, type Square } from './chart';

/** A square is never shown larger or smaller than this, in pixels. */
const LARGEST = 120;
const SMALLEST = 10;
/** And not larger than this when everything is shown, unless even more than this many would fit below each other. */
const COMFORTABLE = 76;
const PLENTY = 9;
const GLIDE = 220;
/** By how much a key or a button enlarges. */
export const STEP = 1.3;

/** The middle of what is seen, in the units of the drawing, and pixels per unit. */
type Sight = { x: number; y: number; scale: number };
type Box = { left: number; top: number; right: number; bottom: number };

/** An extent in the drawing. */
export function box({ left, right, bottom, top }: Extent, flipped: boolean): Box {
	const a = middle({ x: left, y: top }, flipped);
	const b = middle({ x: right, y: bottom }, flipped);
	return {
		left: Math.min(a.x, b.x) - SIDE / 2,
		right: Math.max(a.x, b.x) + SIDE / 2,
		top: Math.min(a.y, b.y) - SIDE / 2,
		bottom: Math.max(a.y, b.y) + SIDE / 2,
	};
}

export function viewBox({ left, top, right, bottom }: Box): string {
	return `${left} ${top} ${right - left} ${bottom - top}`;
}

const bounded = (scale: number) => Math.min(LARGEST / SIDE, Math.max(SMALLEST / SIDE, scale));

export class Camera {
	/** The size of the window through which the sea is seen, in pixels. */
	width = $state(0);
	height = $state(0);
	/** Whether everything is shown, until a person looks elsewhere. */
	all = $state(true);

	readonly #sight = new Tween<Sight>({ x: 0, y: 0, scale: 2 }, { duration: 0 });

	readonly measured = $derived(this.width > 0 && this.height > 0);
	readonly seen: Box = $derived.by(() => {
		const { x, y, scale } = this.#sight.current;
		const [across, down] = [this.width / scale / 2, this.height / scale / 2];
		return { left: x - across, right: x + across, top: y - down, bottom: y + down };
	});
	readonly viewBox = $derived(viewBox(this.seen));

	/** The point of the drawing that is seen at a pixel of the window. */
	at(pixel: Square): Square {
		const { x, y, scale } = this.#sight.current;
		return { x: x + (pixel.x - this.width / 2) / scale, y: y + (pixel.y - this.height / 2) / scale };
	}

	/** Shows a box as large as is comfortable. */
	show({ left, right, top, bottom }: Box, glide: boolean): void {
		if (!this.measured) return;
		const most = Math.max(COMFORTABLE, this.height / PLENTY) / SIDE;
		const scale = Math.min(this.width / (right - left), this.height / (bottom - top), most);
		this.#look({ x: (left + right) / 2, y: (top + bottom) / 2, scale: bounded(scale) }, glide);
	}

	/** Moves as little as is needed for a box to be seen. */
	follow(wanted: Box): void {
		const { x, y, scale } = this.#sight.target;
		const [across, down] = [this.width / scale / 2, this.height / scale / 2];
		if (!this.measured) return;
		const fits = wanted.right - wanted.left <= 2 * across && wanted.bottom - wanted.top <= 2 * down;
		if (!fits) return this.show(wanted, true);
		const dx = Math.min(0, wanted.left - (x - across)) + Math.max(0, wanted.right - (x + across));
		const dy = Math.min(0, wanted.top - (y - down)) + Math.max(0, wanted.bottom - (y + down));
		if (dx !== 0 || dy !== 0) this.#look({ x: x + dx, y: y + dy, scale }, true);
	}

	/** Moves the sea under the window, by pixels. */
	pan(dx: number, dy: number): void {
		const { x, y, scale } = this.#sight.current;
		this.all = false;
		this.#look({ x: x - dx / scale, y: y - dy / scale, scale }, false);
	}

	/** Makes everything larger by a factor; the point at a pixel stays where it is. */
	zoom(factor: number, pixel: Square = { x: this.width / 2, y: this.height / 2 }, glide = false): void {
		const { scale } = this.#sight.target;
		const fixed = this.at(pixel);
		const next = bounded(scale * factor);
		this.all = false;
		const x = fixed.x - (pixel.x - this.width / 2) / next;
		const y = fixed.y - (pixel.y - this.height / 2) / next;
		this.#look({ x, y, scale: next }, glide);
	}

	/** The table was turned half round. */
	flip(): void {
		const { x, y, scale } = this.#sight.target;
		this.#look({ x: -x, y: -y, scale }, false);
	}

	#look(sight: Sight, glide: boolean): void {
		void this.#sight.set(sight, { duration: glide && !prefersReducedMotion.current ? GLIDE : 0 });
	}
}
