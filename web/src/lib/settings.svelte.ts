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

/** What is kept may be from an older client, or from somebody else: what is no choice of ours counts as not made. */
function chosen(): Choices {
	const found = kept<unknown>('settings');
	const { theme, language, sound, textMode, name } = (typeof found === 'object' && found ? found : {}) as Partial<Record<string, unknown>>;
	return {
		theme: theme === 'light' || theme === 'dark' ? theme : usual.theme,
		language: language === 'en' || language === 'de' ? language : usual.language,
		sound: sound === true,
		textMode: textMode === true,
		name: typeof name === 'string' ? name.slice(0, 40) : '',
	};
}

export const settings: Choices = $state(chosen());

/** Changes some choices and keeps them. */
export function choose(choices: Partial<Choices>): void {
	Object.assign(settings, choices);
	keep('settings', { ...settings });
}
