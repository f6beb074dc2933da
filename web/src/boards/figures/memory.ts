// What a board remembers from one position to the next: which marker is which, so that they move rather than change
// their colours, and what has just been made.

import type { Colour, FigureView, PlayerView, SquareView, View } from '$gen/views/figures';
import type { Seen } from '../contract';

export type Marker = { id: number; colour: Colour; square: string };
export type Made = FigureView & { points: number | null };

export type Memory = {
	ply: number;
	view: View;
	/** All markers in the order of their ids. */
	markers: readonly Marker[];
	/** The figures of the last exchange, with the points they brought; shown until there is another one. */
	made: readonly Made[];
	/** The seat that made them. */
	by: number | null;
	/** There was no exchange between the two stones that were taken. */
	stuck: boolean;
};

export function remember(before: Memory | undefined, position: Seen<View>): Memory {
	const { ply, view } = position;
	const markers = follow(before?.markers ?? [], view.squares);
	if (!before) return { ply, view, markers, made: [], by: null, stuck: false };
	if (ply === before.ply) return { ...before, view, markers };
	const forward = ply > before.ply;
	const moved = view.squares.some(({ marker }, index) => before.view.squares[index]?.marker !== marker);
	const stuck = ply === before.ply + 1 && before.view.phase === 'take' && view.phase === 'return';
	if (!forward) return { ply, view, markers, made: [], by: null, stuck };
	if (!moved) return { ...before, ply, view, markers, stuck };
	const gained = ({ seat, points }: PlayerView) => points > (before.view.players[seat]?.points ?? points);
	const by = view.players.find(gained)?.seat ?? null;
	return { ply, view, markers, made: by === null ? [] : newFigures(before.view, view), by, stuck };
}

/** Keeps the markers that stand still, and gives the others to the squares that have their colours now. */
export function follow(markers: readonly Marker[], squares: readonly SquareView[]): Marker[] {
	if (markers.length !== squares.length) {
		return squares.map(({ marker, square }, id) => ({ id, colour: marker, square }));
	}
	const open = new Map(squares.map(({ square, marker }) => [square, marker]));
	const still = (marker: Marker) => open.get(marker.square) === marker.colour;
	const moving = markers.filter((marker) => !still(marker));
	for (const marker of markers.filter(still)) open.delete(marker.square);
	const placed = new Map<number, string>();
	for (const { id, colour } of moving) {
		const square = [...open].find(([, wanted]) => wanted === colour)?.[0];
		if (square === undefined) return follow([], squares);
		open.delete(square);
		placed.set(id, square);
	}
	return markers.map((marker) => ({ ...marker, square: placed.get(marker.id) ?? marker.square }));
}

/** The figures that stand now and did not before; what they brought, the point board said before. */
function newFigures(before: View, now: View): Made[] {
	const stood = ({ colour, squares }: FigureView) =>
		before.figures.some((figure) => figure.colour === colour && figure.squares.join() === squares.join());
	const worth = ({ colour, figure }: FigureView) =>
		before.values.find((field) => field.colour === colour && field.figure === figure)?.value ?? null;
	return now.figures.filter((figure) => !stood(figure)).map((figure) => ({ ...figure, points: worth(figure) }));
}
