// The keys with which one goes through a game, wherever the focus is, as long as nothing there needs them itself.

export type Way = 'back' | 'next' | 'first' | 'last' | 'play';

const ways: Record<string, Way> = { ArrowLeft: 'back', ArrowRight: 'next', Home: 'first', End: 'last', ' ': 'play' };

export function keyed(event: KeyboardEvent): Way | null {
	if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return null;
	const way = ways[event.key] ?? null;
	const target = event.target instanceof Element ? event.target : null;
	if (target?.closest('input, select, textarea, dialog, [contenteditable]')) return null;
	// A space presses what has the focus.
	if (way === 'play' && target?.closest('button, a, summary')) return null;
	return way;
}
