// The messages of the lessons in this language.

import { gather, type Messages } from './gather';

export const { messages } = gather(import.meta.glob<Messages>('./de/learn-*.json', { eager: true, import: 'default' }));
