// What the levels are like, in this language, for who chooses one.

import { gather, type Messages } from './gather';

export const { messages } = gather(import.meta.glob<Messages>('./en/level-about.json', { eager: true, import: 'default' }));
