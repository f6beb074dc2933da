// What comes from outside is checked at the border: whatever has not the shape that its type says goes no further.
//
// A shape is written as its name, or `string`, `number`, `boolean`, `object`, `any`, `nothing`; with `?` it may be missing or
// null, with `[]` it is a list of such. An object is described by its members, and one that says in a member which of several
// it is by `{ 'member=': { word: members } }`. Members that are not described may be anything, and so may the rest of an object
// that says to be one that nobody here knows: a newer server has more to say.

import { shapes } from '$gen/checks';
import type { Checked } from '$gen/types';

type Plain = { string: string; number: number; boolean: boolean; object: Record<string, unknown>; any: unknown; nothing: undefined };

/** The type of a shape. */
export type Of<Name extends string> = Name extends `${infer Item}[]`
	? Of<Item>[]
	: Name extends `${infer Some}?`
		? Of<Some> | null | undefined
		: Name extends keyof Checked
			? Checked[Name]
			: Name extends keyof Plain
				? Plain[Name]
				: never;

type Shape = string | Shapes;
type Shapes = { readonly [name: string]: Shape };

/** The longest moment that a date can be made of; no other number is larger. */
const LARGEST = 8.64e15;

export const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const plain: { readonly [Name in keyof Plain]: (value: unknown) => boolean } = {
	string: (value) => typeof value === 'string',
	number: (value) => typeof value === 'number' && Math.abs(value) <= LARGEST,
	boolean: (value) => typeof value === 'boolean',
	object: isObject,
	any: () => true,
	nothing: (value) => value === undefined,
};

/** Whether a value has a shape, which is one of the usual ones or one of `more`. */
export function is<Name extends string>(name: Name, value: unknown, more: Shapes = {}): value is Of<Name> {
	return fits(name, value, more);
}

function fits(shape: Shape, value: unknown, more: Shapes): boolean {
	if (typeof shape === 'string') {
		if (shape.endsWith('[]')) return Array.isArray(value) && value.every((item) => fits(shape.slice(0, -2), item, more));
		if (shape.endsWith('?')) return value === null || value === undefined || fits(shape.slice(0, -1), value, more);
		return Object.hasOwn(plain, shape)
			? plain[shape as keyof Plain](value)
			: fits((shapes as Shapes)[shape] ?? more[shape] ?? 'nothing', value, more);
	}
	if (!isObject(value)) return false;
	return Object.entries(shape).every(([name, member]) => {
		if (!name.endsWith('=')) return fits(member, Object.hasOwn(value, name) ? value[name] : undefined, more);
		const word = value[name.slice(0, -1)];
		if (typeof word !== 'string') return false;
		return typeof member === 'string' || !Object.hasOwn(member, word) || fits(member[word]!, value, more);
	});
}
