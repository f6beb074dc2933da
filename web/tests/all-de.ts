// Every message of this language, those of the lessons among them.

import { messages as learning } from '../src/messages/de-learn';
import { messages as usual, refusals } from '../src/messages/de';

export const messages = { ...usual, ...learning };
export { refusals };
