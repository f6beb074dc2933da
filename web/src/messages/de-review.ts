// The messages of the review in this language.

import { gather, type Messages } from './gather';

export const { messages } = gather(import.meta.glob<Messages>('./de/review.json', { eager: true, import: 'default' }));
