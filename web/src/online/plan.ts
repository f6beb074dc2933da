// A table that is being planned: what is chosen in the form, and the setup that the server is asked for.

import type { SeatPlan, Setup, TimeControl } from '$gen/types';

/** Who is wanted on a seat: me, anybody, who has the link, somebody by name, or the engine at a level. */
export type Wanted = { who: 'me' | 'open' | 'invited' | 'player' | `engine:${string}`; name: string };

/** What is chosen for the clock; what belongs to another kind waits. */
export type ClockPlan = {
	clock: 'none' | 'real_time' | 'correspondence';
	minutes: number;
	increment: number;
	days: number;
};

export type Plan = ClockPlan & {
	game: string;
	seats: Wanted[];
	options: Record<string, unknown>;
	rated: boolean;
	public: boolean;
	undo: boolean;
	shuffled: boolean;
};

/** The seats for so many; those who are there stay. */
export function seated(seats: readonly Wanted[], many: number, others: Wanted['who']): Wanted[] {
	return Array.from({ length: many }, (_, seat) => seats[seat] ?? { who: seat === 0 ? 'me' : others, name: '' });
}

export const hasEngine = (seats: readonly Wanted[]) => seats.some(({ who }) => who.startsWith('engine:'));

export function timeControl({ clock, minutes, increment, days }: ClockPlan): TimeControl {
	switch (clock) {
		case 'none':
			return { kind: 'none' };
		case 'real_time':
			return { kind: 'real_time', seconds: Math.round(minutes * 60), increment };
		case 'correspondence':
			return { kind: 'correspondence', days };
	}
}

/** The setup; `idOf` knows the users by name. */
export function setupOf(plan: Plan, me: number, idOf: (name: string) => number): Setup {
	const seats = plan.seats.map(({ who, name }): SeatPlan => {
		if (who === 'me') return { kind: 'player', user: me };
		if (who === 'player') return { kind: 'player', user: idOf(name.trim()) };
		if (who === 'open' || who === 'invited') return { kind: who };
		return { kind: 'engine', level: who.slice('engine:'.length) };
	});
	return {
		game: plan.game,
		options: plan.options,
		seats,
		shuffled: plan.shuffled,
		clock: timeControl(plan),
		rated: plan.rated && !hasEngine(plan.seats) && plan.clock !== 'none',
		public: plan.public,
		undo: plan.undo ? 'asked' : 'never',
	};
}
