// What is kept in this browser. A browser may refuse to keep things, or keep nonsense from somebody else: neither ends a game.

const PREFIX = 'quincunx.';

export function kept<T>(name: string): T | undefined {
	try {
		const text = localStorage.getItem(PREFIX + name);
		return text === null ? undefined : (JSON.parse(text) as T);
	} catch {
		return undefined;
	}
}

/** Says whether it could be kept. */
export function keep(name: string, value: unknown): boolean {
	try {
		localStorage.setItem(PREFIX + name, JSON.stringify(value));
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
