// JSON merge patch (RFC 7396): how a view has changed. Such a patch cannot tell a member that is null from one that is
// missing. Views say null where there is nothing, and members that may be missing may also be null: so null is what is kept.

import { isObject } from '$lib/check';

/** What a value has become; the old one stays as it was. */
export function merged(target: unknown, patch: unknown): unknown {
	if (!isObject(patch)) return patch;
	const names = new Set(isObject(target) ? Object.keys(target) : []);
	for (const name of Object.keys(patch)) names.add(name);
	// From pairs, so that a name such as `__proto__` is a name like any other.
	const after = (name: string) =>
		Object.hasOwn(patch, name) ? merged(own(target, name), patch[name]) : own(target, name);
	return Object.fromEntries(Array.from(names, (name) => [name, after(name)]));
}

function own(value: unknown, name: string): unknown {
	return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
