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
}
