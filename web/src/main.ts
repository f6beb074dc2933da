import './app.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { settings } from '$lib/settings.svelte';
import { loadWords } from '$lib/words.svelte';

// A language that does not come is no reason for an empty page.
await loadWords(settings.language).catch(() => loadWords('en').catch(() => undefined));
mount(App, { target: document.getElementById('app')! });

if (import.meta.env.PROD && 'serviceWorker' in navigator) {
	// Without it everything works but for playing without a network.
	navigator.serviceWorker.register('/service-worker.js').catch(() => undefined);
}
