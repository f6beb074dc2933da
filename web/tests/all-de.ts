// Every message of this language, those among them that only some pages load.

import { messages as usual, refusals } from '../src/messages/de';
import { messages as learning } from '../src/messages/de-learn';
import { messages as moderation } from '../src/messages/de-moderation';
import { messages as review } from '../src/messages/de-review';
import { messages as setup } from '../src/messages/de-setup';

export const messages = { ...usual, ...learning, ...moderation, ...review, ...setup };
export { refusals };
