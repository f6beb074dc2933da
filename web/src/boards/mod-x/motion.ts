// How a piece is put down.

import type { TransitionConfig } from 'svelte/transition';

const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** A piece comes down on its post. */
export function lay(_node: Element, { still }: { still: boolean }): TransitionConfig {
	return {
		duration: still || calm() ? 0 : 180,
		css: (t, u) => `transform: translateY(${-14 * u}px) scale(${1 + 0.35 * u}); opacity: ${Math.min(1, t * 2)}`,
	};
}
