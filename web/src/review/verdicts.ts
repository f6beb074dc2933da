// How a bad move is marked in the notation, as chess players know it.

export const signs: Record<string, string> = { mistake: '?', blunder: '??' };
