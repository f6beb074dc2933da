// Whom I have muted. The server knows them by number; their names are kept here for who wants to read them again.

import { keep, kept } from '$lib/kept';
import { t } from '$lib/words.svelte';
import { api } from './api';

function names(): Record<string, string> {
	const known = kept<unknown>('muted');
	return typeof known === 'object' && known !== null ? (known as Record<string, string>) : {};
}

export async function mute(user: number, name: string): Promise<void> {
	await api.mute(user);
	keep('muted', { ...names(), [user]: name });
}

export function nameOfMuted(user: number): string {
	const name = names()[user];
	return typeof name === 'string' ? name : t('people.number', { n: user });
}
