// JSON merge patch (RFC 7396): how a view has changed.

import { isObject } from './guards';

/** What a value has become; the old one stays as it was. */
export function merged(target: unknown, patch: unknown): unknown {
	if (!isObject(patch)) return patch;
	const result: Record<string, unknown> = isObject(target) ? { ...target } : {};
	for (const [name, change] of Object.entries(patch)) {
		if (change === null) delete result[name];
		else Object.defineProperty(result, name, { value: merged(own(result, name), change), writable: true, enumerable: true, configurable: true });
	}
	return result;
}

/** A name such as `__proto__` is a name like any other. */
function own(object: Record<string, unknown>, name: string): unknown {
	return Object.hasOwn(object, name) ? object[name] : undefined;
}
