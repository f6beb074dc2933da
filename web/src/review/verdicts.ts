// How a bad move is marked in the notation, as chess players know it.

export const signs: Record<string, string> = { mistake: '?', blunder: '??' };

/** In the graph the worse ones also have another outline: paths around 0. */
export const outlines: Record<string, string> = {
	mistake: 'M0-8A8 8 0 1 1 0 8A8 8 0 1 1 0-8Z',
	blunder: 'M0-12L12 0L0 12L-12 0Z',
};
