import { describe, expect, test } from 'vitest';
import { changed, fields, read, same, written, type Field, type Kind } from '$lib/schema';

const only = (property: unknown, more: object = {}): Field => {
	const [field] = fields({ type: 'object', properties: { it: property }, ...more });
	if (!field) throw new Error('a field was expected');
	return field;
};

describe('a schema becomes fields', () => {
	test('a whole number with its range and its usual value', () => {
		const field = only({ type: 'integer', minimum: 5, maximum: 11, default: 10, description: 'Side of the board.' });
		expect(field.kind).toEqual({ kind: 'number', whole: true, least: 5, most: 11 });
		expect(field.usual).toBe(10);
		expect(field.about).toBe('Side of the board.');
	});

	test('an open end of a range of whole numbers is the next number', () => {
		const { kind } = only({ type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 10 });
		expect(kind).toEqual({ kind: 'number', whole: true, least: 1, most: 9 });
	});

	test('a choice behind a reference keeps what each choice means, and the outer default counts', () => {
		const field = only(
			{ $ref: '#/$defs/Claims', default: 'auto' },
			{ $defs: { Claims: { oneOf: [{ const: 'auto', description: 'At once.' }, { const: 'manual' }], default: 'manual' } } },
		);
		expect(field.kind).toEqual({
			kind: 'choice',
			choices: [
				{ value: 'auto', title: undefined, about: 'At once.' },
				{ value: 'manual', title: undefined, about: undefined },
			],
		});
		expect(field.usual).toBe('auto');
	});

	test('what may be missing is the same field without a usual value of its own', () => {
		const number: Kind = { kind: 'number', whole: true, least: 1, most: undefined };
		for (const property of [
			{ anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] },
			{ type: ['integer', 'null'], minimum: 1 },
		]) {
			expect(only(property)).toMatchObject({ kind: number, usual: null });
		}
	});

	test('lists and objects of numbers have fields of their own', () => {
		expect(only({ type: 'array', items: { type: 'integer', minimum: 1 }, minItems: 1, maxItems: 8 }).kind).toEqual({
			kind: 'list',
			of: { kind: 'number', whole: true, least: 1, most: undefined },
			shortest: 1,
			longest: 8,
		});
		const counts = only({ type: 'object', properties: { B: { type: 'integer', description: 'Bonus.' } } });
		expect(counts.kind).toMatchObject({ kind: 'numbers', parts: [{ name: 'B', title: 'Bonus.' }] });
	});

	test('whatever else there is becomes JSON', () => {
		for (const property of [
			{ type: 'array', items: { type: 'string' } },
			{ type: 'object', properties: { a: { type: 'string' } } },
			{ anyOf: [{ type: 'integer' }, { type: 'string' }] },
			{ $ref: '#/$defs/Missing' },
			{ $ref: 'https://example.org/schema' },
			true,
			{},
		]) {
			expect(only(property).kind, JSON.stringify(property)).toEqual({ kind: 'json' });
		}
	});

	test('a schema that leads to itself ends', () => {
		expect(only({ $ref: '#/$defs/A' }, { $defs: { A: { $ref: '#/$defs/A' } } }).kind).toEqual({ kind: 'json' });
	});

	test('a game without options has no fields, and one with a strange schema has one for all', () => {
		expect(fields({ type: 'object', additionalProperties: false })).toEqual([]);
		for (const schema of [undefined, null, 7, [], {}, true]) expect(fields(schema)).toMatchObject([{ name: '', kind: { kind: 'json' } }]);
	});
});

describe('what is typed', () => {
	const size: Kind = { kind: 'number', whole: true, least: 5, most: 11 };
	const heights: Kind = { kind: 'list', of: { kind: 'number', whole: true, least: 1, most: 8 }, shortest: 1, longest: 3 };
	const layout: Kind = { kind: 'text', pattern: '^(stripes|[rygbn]{3})$' };

	test.each([
		[size, '7', 7],
		[size, ' 11 ', 11],
		[{ kind: 'number', whole: false } satisfies Kind, '0,5', 0.5],
		[heights, '3, 4 5', [3, 4, 5]],
		[layout, 'ryg', 'ryg'],
		[{ kind: 'json' } satisfies Kind, '{"a": [1]}', { a: [1] }],
		[{ kind: 'choice', choices: [] } satisfies Kind, '"auto"', 'auto'],
		[{ kind: 'yes' } satisfies Kind, 'false', false],
	])('%j: %j is read', (kind, typed, value) => {
		expect(read(kind, typed)).toEqual({ value });
		expect(read(kind, written(kind, value))).toEqual({ value });
	});

	test.each([
		[size, '4', 'wrong_range'],
		[size, '12', 'wrong_range'],
		[size, '7.5', 'wrong_whole'],
		[size, '1e99', 'wrong_whole'],
		[size, 'seven', 'wrong_number'],
		[size, 'Infinity', 'wrong_number'],
		[{ kind: 'number', whole: true, least: 1 } satisfies Kind, '0', 'wrong_least'],
		[{ kind: 'number', whole: true, most: 1 } satisfies Kind, '2', 'wrong_most'],
		[heights, '3, 9', 'wrong_range'],
		[heights, '1 2 3 4', 'wrong_count'],
		[layout, 'rygb', 'wrong_form'],
		[{ kind: 'text', shortest: 2 } satisfies Kind, 'a', 'wrong_short'],
		[{ kind: 'text', longest: 2 } satisfies Kind, 'abc', 'wrong_long'],
		[{ kind: 'json' } satisfies Kind, '{', 'wrong_json'],
	])('%j: %j is refused', (kind, typed, key) => {
		expect(read(kind, typed)).toMatchObject({ problem: { key } });
	});

	test('nothing is the usual value', () => {
		expect(read(size, '  ')).toBeNull();
		expect(written(size, undefined)).toBe('');
	});

	test('a pattern that cannot be read forbids nothing', () => {
		expect(read({ kind: 'text', pattern: '(' }, 'a')).toEqual({ value: 'a' });
	});
});

test('only what differs from the usual is kept among the options', () => {
	const size = only({ type: 'integer', default: 10 });
	expect(changed({}, size, 8)).toEqual({ it: 8 });
	expect(changed({ it: 8, other: 1 }, size, 10)).toEqual({ other: 1 });
	expect(changed({ it: 8 }, size, undefined)).toEqual({});
	const list = only({ type: 'array', items: { type: 'integer' }, default: [1, 2] });
	expect(changed({ it: [1] }, list, [1, 2])).toEqual({});
});

test('values are compared by what is in them', () => {
	expect(same({ a: [1, { b: null }] }, { a: [1, { b: null }] })).toBe(true);
	expect(same({ a: 1 }, { a: 1, b: 2 })).toBe(false);
	expect(same([1], { 0: 1 })).toBe(false);
	expect(same({ a: undefined }, { b: undefined })).toBe(false);
});
