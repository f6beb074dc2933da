// All messages of this language but those that only some pages need, which are loaded with them.

import { gather, type Messages } from './gather';

export const { messages, refusals } = gather(
	import.meta.glob<Messages>(['./en/*.json', '!./en/learn-*.json', '!./en/review.json', '!./en/moderation.json', '!./en/level-about.json'], {
		eager: true,
		import: 'default',
	}),
);
