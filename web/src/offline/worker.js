// Keeps the client in the browser, so that it can be played without a network once it was loaded. The build fills in the
// version and the list of files.

const NAME = 'quincunx-__VERSION__';
const FILES = __FILES__;

self.addEventListener('install', (event) => {
	event.waitUntil(
		caches
			.open(NAME)
			.then((cache) => cache.addAll(FILES))
			.then(() => self.skipWaiting()),
	);
});

self.addEventListener('activate', (event) => {
	const others = async () => {
		const names = await caches.keys();
		await Promise.all(names.filter((name) => name.startsWith('quincunx-') && name !== NAME).map((name) => caches.delete(name)));
		await self.clients.claim();
	};
	event.waitUntil(others());
});

self.addEventListener('fetch', (event) => {
	const { request } = event;
	const url = new URL(request.url);
	const ours = url.origin === self.location.origin && request.method === 'GET';
	if (!ours || /^\/(api|healthz|readyz|metrics)(\/|$)/.test(url.pathname)) return;
	event.respondWith(request.mode === 'navigate' ? page(request) : file(request));
});

/** The page is asked for anew, so that a new version is seen; without a network the kept one has to do. */
async function page(request) {
	try {
		const answer = await fetch(request);
		if (answer.ok) return answer;
	} catch {
		// No network: what was kept follows.
	}
	return (await caches.match('/')) ?? Response.error();
}

/** The names of files change with what is in them: one that is kept is the right one. */
async function file(request) {
	return (await caches.match(request, { ignoreSearch: true })) ?? fetch(request);
}
