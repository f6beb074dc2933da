// Every message of this language, those among them that only some pages load.

import { messages as usual, refusals } from '../src/messages/en';
import { messages as learning } from '../src/messages/en-learn';
import { messages as moderation } from '../src/messages/en-moderation';
import { messages as review } from '../src/messages/en-review';
import { messages as setup } from '../src/messages/en-setup';

export const messages = { ...usual, ...learning, ...moderation, ...review, ...setup };
export { refusals };
