// What a server or a table denies.

import type { Reason, Refused } from '$gen/types';
import { Refusal } from '../engine/engine';

/** The other side has refused something; the reason is there where a table or the rules have refused it. */
export class Denied extends Refusal {
	readonly code: Refused;

	constructor(code: Refused, said: string, reason: Reason | null = null) {
		super(said, reason);
		this.code = code;
	}
}
