import type { Lesson } from '../contract';

export const lesson: Lesson = { steps: [], examples: [] };
