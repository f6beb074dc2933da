// What is kept in this browser. A browser may refuse to keep things, or keep nonsense from somebody else: neither ends a game.

const PREFIX = 'quincunx.';

/** Where: for good, or as long as this tab is open. */
type Where = 'localStorage' | 'sessionStorage';

export function kept<T>(name: string, where: Where = 'localStorage'): T | undefined {
	try {
		const text = window[where].getItem(PREFIX + name);
		return text === null ? undefined : (JSON.parse(text) as T);
	} catch {
		return undefined;
	}
}

/** Says whether it could be kept. */
export function keep(name: string, value: unknown, where: Where = 'localStorage'): boolean {
	try {
		window[where].setItem(PREFIX + name, JSON.stringify(value));
		return true;
	} catch {
		return false;
	}
}

export function forget(name: string): void {
	try {
		localStorage.removeItem(PREFIX + name);
	} catch {
		// Nothing was kept either.
	}
}
