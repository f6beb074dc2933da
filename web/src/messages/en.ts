// All messages of this language but those of the lessons, which are loaded by who learns.

import { gather, type Messages } from './gather';

export const { messages, refusals } = gather(
	import.meta.glob<Messages>(['./en/*.json', '!./en/learn-*.json'], { eager: true, import: 'default' }),
);
