// The lessons by game.

import { loadPart } from '$lib/words.svelte';
import type { Lesson } from './contract';

const lessons: Record<string, () => Promise<{ lesson: Lesson }>> = {
	trexo: () => import('./lessons/trexo'),
	'mod-x': () => import('./lessons/mod-x'),
	figures: () => import('./lessons/figures'),
	'castle-builders': () => import('./lessons/castle-builders'),
	'x-marks-the-spot': () => import('./lessons/x-marks-the-spot'),
};

export const taught: readonly string[] = Object.keys(lessons);

export async function lessonOf(game: string): Promise<Lesson | undefined> {
	if (!Object.hasOwn(lessons, game)) return undefined;
	const [found] = await Promise.all([lessons[game]?.(), loadPart('learn')]);
	return found?.lesson;
}
