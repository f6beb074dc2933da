// The messages of the lessons in this language.

import { gather, type Messages } from './gather';

export const { messages } = gather(import.meta.glob<Messages>('./en/learn-*.json', { eager: true, import: 'default' }));
