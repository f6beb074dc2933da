// Every message of this language, those of the lessons among them.

import { messages as learning } from '../src/messages/en-learn';
import { messages as usual, refusals } from '../src/messages/en';

export const messages = { ...usual, ...learning };
export { refusals };
