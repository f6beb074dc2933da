// Which page is shown: the address as state, and links that change it without loading the page anew.

type Place = { path: string; query: URLSearchParams; hash: string };

function here(): Place {
	const { pathname, search, hash } = location;
	return { path: pathname, query: new URLSearchParams(search), hash: hash.slice(1) };
}

export const place: Place = $state(here());

function arrive(): void {
	Object.assign(place, here());
}

export function go(to: string): void {
	history.pushState(null, '', to);
	arrive();
	scrollTo(0, 0);
}

/** Follows the links of this page, and the browser's way back. */
export function followLinks(): () => void {
	const click = (event: MouseEvent) => {
		const link = (event.target as Element).closest?.('a');
		const plain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
		if (!link || !plain || event.defaultPrevented || link.target || link.hasAttribute('download')) return;
		const url = new URL(link.href);
		if (url.origin !== location.origin || url.pathname.startsWith('/api/')) return;
		if (url.pathname === location.pathname && url.hash !== '' && url.search === location.search) return;
		event.preventDefault();
		go(url.pathname + url.search + url.hash);
	};
	document.addEventListener('click', click);
	addEventListener('popstate', arrive);
	addEventListener('hashchange', arrive);
	return () => {
		document.removeEventListener('click', click);
		removeEventListener('popstate', arrive);
		removeEventListener('hashchange', arrive);
	};
}

/** The parts of a path that a pattern such as `/table/:id` names, decoded; nothing if it is another path. */
export function match(pattern: string, path: string): Record<string, string> | undefined {
	const found = new RegExp(`^${pattern.replace(/:(\w+)/g, '(?<$1>[^/]+)')}/*$`).exec(path);
	if (!found) return undefined;
	try {
		const parts = Object.entries(found.groups ?? {});
		return Object.fromEntries(parts.map(([name, part]) => [name, decodeURIComponent(part)]));
	} catch {
		return undefined;
	}
}
