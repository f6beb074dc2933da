// All messages of this language but those that only some pages need, which are loaded with them.

import { gather, type Messages } from './gather';

export const { messages, refusals } = gather(
	import.meta.glob<Messages>(['./de/*.json', '!./de/learn-*.json', '!./de/review.json', '!./de/moderation.json', '!./de/level-about.json'], {
		eager: true,
		import: 'default',
	}),
);
