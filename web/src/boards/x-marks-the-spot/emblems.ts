// What is drawn on the cards, in a box from -10 to 10: an emblem for each icon, after the flags that the pirates are said
// to have flown, and a picture for each action card.

import { colours } from '../shapes';
import type { Card, Icon } from './cards';

export type Emblem = {
	/** A filled shape; where it overlaps itself it is open. */
	fill: string;
	/** Lines with round ends. */
	lines?: string;
	/** How thick the lines are. */
	thick?: number;
};

/** What is printed on parchment is light on a dark ground, or dark on a light one. */
const IVORY = '#fff9ec';

function circle(x: number, y: number, r: number): string {
	return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
}

/** A skull around a point, with open eyes. */
function skull(x: number, y: number, r: number): string {
	const part = (share: number) => (share * r).toFixed(2);
	const head =
		`M${x - r} ${y}a${r} ${r} 0 0 1 ${2 * r} 0q0 ${part(0.6)} ${part(-0.45)} ${part(0.75)}` +
		`v${part(0.5)}h${part(-1.1)}v${part(-0.5)}q${part(-0.45)} ${part(-0.15)} ${part(-0.45)} ${part(-0.75)}Z`;
	const eyes = circle(x - 0.42 * r, y + 0.08 * r, 0.27 * r) + circle(x + 0.42 * r, y + 0.08 * r, 0.27 * r);
	return head + eyes + `M${x} ${y + 0.42 * r}l${part(0.16)} ${part(0.3)}h${part(-0.32)}Z`;
}

const emblems: Record<Icon, Emblem> = {
	// Three skulls.
	c: { fill: skull(0, -4.6, 3.7) + skull(-5.1, 4, 3.7) + skull(5.1, 4, 3.7) },
	// A skull above two crossed cutlasses.
	r: {
		fill: skull(0, -3.6, 4.6),
		lines: 'M-8.5 1.5C-4 2-1 4.5 7 8.8M4.6 9.6L7.4 6.2M8.5 1.5C4 2 1 4.5-7 8.8M-4.6 9.6L-7.4 6.2',
		thick: 1.7,
	},
	// A skull with a knotted kerchief.
	a: {
		fill: `${skull(-1.6, 0.4, 6.6)}M-9-1.6Q-1.6-5 5.8-1.6L5.2-3.4Q-1.6-6.6-8.4-3.4ZM5.2-4.6L10-8.4L8.6-4L10 .6Z`,
	},
	// An hourglass: time is running out.
	w: {
		fill:
			'M-6.5-9.5h13v2.6h-13ZM-6.5 6.9h13v2.6h-13ZM-5-6H5Q5-2.4 1.3 0Q5 2.4 5 6H-5Q-5 2.4-1.3 0Q-5-2.4-5-6Z' +
			'M-2.7-3.6H2.7Q1.6-2 0-1.1Q-1.6-2-2.7-3.6Z',
	},
	// A ship under torn sails.
	g: {
		fill: 'M-9.5 3.6H9.5L6.6 8.6H-6.2ZM-.8-9.2V2.2H-8Q-7-5.4-.8-9.2ZM.9-7Q7.6-3.6 7.6 2.2L5.4 .9L3.2 2.2L.9 .9Z',
	},
	// A head with two eyes, and arms around it.
	k: {
		fill:
			'M0-9.4C4.6-9.4 6-5.6 4.6-1.6L3 3H-3L-4.6-1.6C-6-5.6-4.6-9.4 0-9.4Z' +
			circle(-1.9, -3.2, 1.15) +
			circle(1.9, -3.2, 1.15),
		lines:
			'M-3.4 1.6C-6 4.4-8.6 3-8.8 0M3.4 1.6C6 4.4 8.6 3 8.8 0M-2.2 2.4C-2.6 6.6-5.4 8.8-8.6 7.6' +
			'M2.2 2.4C2.6 6.6 5.4 8.8 8.6 7.6M0 3C0 6-.6 7.6-1.6 9.2',
		thick: 1.9,
	},
	// Waves.
	o: {
		fill: '',
		lines: [-4.6, 0.9, 6.4].map((y) => `M-8.6 ${y}q2.15-3 4.3 0t4.3 0t4.3 0t4.3 0`).join(''),
		thick: 1.7,
	},
};

/** The ground of each icon, and what is drawn on it. */
const grounds: Record<Icon, { ground: string; print: string }> = {
	c: { ground: colours.vermilion, print: IVORY },
	r: { ground: colours.blue, print: IVORY },
	a: { ground: colours.green, print: IVORY },
	w: { ground: colours.purple, print: colours.ink },
	g: { ground: IVORY, print: colours.ink },
	k: { ground: colours.ink, print: IVORY },
	o: { ground: colours.sky, print: colours.ink },
};

export type Drawn = Emblem & { ground: string; print: string };

export function emblem(icon: Icon): Drawn {
	return { ...emblems[icon], ...grounds[icon] };
}

const pictures: Record<Exclude<Card, `${Icon}${Icon}`>, Emblem> = {
	// A barrel on its carriage, and a ball that has left it.
	cannon: {
		fill:
			'M-9.5-3L4-6.4L5.4-1.6L-7.4 3.4Q-10.4 1.4-9.5-3Z' +
			circle(-3.4, 4.6, 4) +
			circle(-3.4, 4.6, 1.3) +
			circle(8.6, -7.6, 1.7),
	},
	// A ship's wheel.
	heading: {
		fill: circle(0, 0, 6.6) + circle(0, 0, 4.5) + circle(0, 0, 1.9),
		lines: 'M0-9.4V-2M0 9.4V2M-9.4 0H-2M9.4 0H2M-6.6-6.6L-1.4-1.4M6.6 6.6L1.4 1.4M6.6-6.6L1.4-1.4M-6.6 6.6L-1.4 1.4',
		thick: 1.5,
	},
	// Two who talk.
	parlay: {
		fill: 'M-9-8.6H3.4V-.6H-3.4L-6.4 2.6V-.6H-9ZM-1.6 2H5V-4H9V6H7.4V9L4.2 6H-1.6Z',
	},
	// A chest.
	plunder: {
		fill: `M-9-1Q-9-7.6-4-7.6H4Q9-7.6 9-1ZM-9 .6H9V8H-9ZM-2-1.4H2V3.2H-2Z${circle(0, 0.8, 0.9)}`,
	},
};

export function picture(card: Card): Emblem | null {
	return card in pictures ? pictures[card as keyof typeof pictures] : null;
}
