// The messages of the moderators' page in this language.

import { gather, type Messages } from './gather';

export const { messages } = gather(import.meta.glob<Messages>('./de/moderation.json', { eager: true, import: 'default' }));
