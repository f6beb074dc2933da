// Dark or light, as chosen or as the system has it.

import { settings } from './settings.svelte';

const dark = matchMedia('(prefers-color-scheme: dark)');

export function showTheme(): void {
	const theme = settings.theme === 'system' ? (dark.matches ? 'dark' : 'light') : settings.theme;
	document.documentElement.dataset['theme'] = theme;
	document.querySelector('meta[name=theme-color]')?.setAttribute('content', theme === 'dark' ? '#14171c' : '#f6f2ea');
}

dark.addEventListener('change', showTheme);
