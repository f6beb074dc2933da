// What a person has chosen, kept in the browser.

import { keep, kept } from './kept';

export type Theme = 'system' | 'light' | 'dark';

type Choices = { theme: Theme; language: 'en' | 'de'; sound: boolean; textMode: boolean; name: string };

const usual: Choices = {
	theme: 'system',
	language: navigator.language.toLowerCase().startsWith('de') ? 'de' : 'en',
	sound: false,
	textMode: false,
	name: '',
};

export const settings: Choices = $state({ ...usual, ...kept<Partial<Choices>>('settings') });

/** Changes some choices and keeps them. */
export function choose(choices: Partial<Choices>): void {
	Object.assign(settings, choices);
	keep('settings', { ...settings });
	showTheme();
}

const dark = matchMedia('(prefers-color-scheme: dark)');

export function showTheme(): void {
	const theme = settings.theme === 'system' ? (dark.matches ? 'dark' : 'light') : settings.theme;
	document.documentElement.dataset['theme'] = theme;
	document.querySelector('meta[name=theme-color]')?.setAttribute('content', theme === 'dark' ? '#14171c' : '#f6f2ea');
}

dark.addEventListener('change', showTheme);
