import './app.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { settings } from '$lib/settings.svelte';
import { loadWords } from '$lib/words.svelte';

await loadWords(settings.language);
mount(App, { target: document.getElementById('app')! });

if (import.meta.env.PROD && 'serviceWorker' in navigator) {
	// Without it everything works but for playing without a network.
	navigator.serviceWorker.register('/service-worker.js').catch(() => undefined);
}
