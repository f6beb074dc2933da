// Fingers, mouse and wheel on the chart, as what they mean: a tap, a pull, a spread. In pixels of the window.

import type { Square } from './chart';

export type Gestures = {
	/** A mouse or a pen is above a point, or has left. */
	hover: (point: Square | null) => void;
	tap: (point: Square, touch: boolean) => void;
	/** Whether what lies at a point is carried along instead of the sea. */
	grab: (point: Square) => boolean;
	carry: (point: Square) => void;
	pan: (dx: number, dy: number) => void;
	zoom: (factor: number, point: Square) => void;
	/** Whether the wheel turns a card now; otherwise it zooms. */
	turns: () => boolean;
	turn: (by: 1 | -1) => void;
};

/** A pointer that moves less than this is held still, in pixels. */
const STILL = 7;
/** So far a wheel turns, or fingers stroke a pad, for one step. */
const NOTCH = 50;
/** One step of a wheel is followed by no other for so long, in milliseconds: pads give dozens. */
const REST = 140;

export function gestures(node: SVGSVGElement, on: Gestures): () => void {
	const pointers = new Map<number, Square>();
	let start: Square | null = null;
	let moved = false;
	let carrying = false;
	let turning = 0;
	let lastStep = 0;

	const point = ({ clientX, clientY }: MouseEvent): Square => {
		const { left, top } = node.getBoundingClientRect();
		return { x: clientX - left, y: clientY - top };
	};

	function down(event: PointerEvent): void {
		if (event.pointerType === 'mouse' && event.button !== 0) return;
		node.setPointerCapture(event.pointerId);
		const at = point(event);
		pointers.set(event.pointerId, at);
		if (pointers.size > 1) {
			moved = true;
			carrying = false;
			return;
		}
		start = at;
		moved = false;
		carrying = event.pointerType === 'touch' && on.grab(at);
	}

	function move(event: PointerEvent): void {
		const at = point(event);
		const before = pointers.get(event.pointerId);
		if (!before || !start) {
			if (event.pointerType !== 'touch') on.hover(at);
			return;
		}
		if (!moved && Math.hypot(at.x - start.x, at.y - start.y) < STILL) return;
		const first = !moved;
		moved = true;
		const others = [...pointers].filter(([id]) => id !== event.pointerId);
		pointers.set(event.pointerId, at);
		if (carrying) return on.carry(at);
		// The way up to where it counted as moved is made up for.
		const from = first ? start : before;
		const other = others[0]?.[1];
		if (!other) return on.pan(at.x - from.x, at.y - from.y);
		const spread = (a: Square) => Math.max(1, Math.hypot(a.x - other.x, a.y - other.y));
		on.zoom(spread(at) / spread(before), { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 });
		on.pan((at.x - before.x) / 2, (at.y - before.y) / 2);
	}

	function up(event: PointerEvent): void {
		if (!pointers.delete(event.pointerId) || pointers.size > 0) return;
		if (!moved && event.type === 'pointerup') on.tap(point(event), event.pointerType === 'touch');
		start = null;
		carrying = false;
	}

	function leave(event: PointerEvent): void {
		if (pointers.size === 0 && event.pointerType !== 'touch') on.hover(null);
	}

	function wheel(event: WheelEvent): void {
		event.preventDefault();
		const delta = event.deltaY * (event.deltaMode === 1 ? 24 : 1);
		// Browsers tell a spread on a pad as a wheel with the control key.
		if (event.ctrlKey || event.metaKey) return on.zoom(Math.exp(-delta / 120), point(event));
		if (!on.turns()) return on.zoom(Math.exp(-delta / 400), point(event));
		turning = Math.sign(turning) === Math.sign(delta) ? turning + delta : delta;
		if (Math.abs(turning) < NOTCH || event.timeStamp - lastStep < REST) return;
		on.turn(delta > 0 ? 1 : -1);
		turning = 0;
		lastStep = event.timeStamp;
	}

	const listeners = { pointerdown: down, pointermove: move, pointerup: up, pointercancel: up, pointerleave: leave, wheel };
	const leaving = new AbortController();
	for (const [event, listener] of Object.entries(listeners)) {
		// Not passive: else the page would scroll along with the wheel.
		node.addEventListener(event, listener as EventListener, { passive: false, signal: leaving.signal });
	}
	return () => leaving.abort();
}
