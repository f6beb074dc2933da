import { expect, test } from 'vitest';
import { declarations, merged } from '../scripts/typescript.mjs';

const of = (schema: object) => declarations({ T: schema });

test('plain types have their names', () => {
	expect(of({ type: 'integer' })).toBe('export type T = number;\n');
	expect(of({ type: ['string', 'null'] })).toBe('export type T = string | null;\n');
	expect(of({ enum: ['won', 'lost'] })).toBe('export type T = "won" | "lost";\n');
	expect(of({ const: 'chance' })).toBe('export type T = "chance";\n');
	expect(of({})).toBe('export type T = unknown;\n');
});

test('lists of few items are as long as they say', () => {
	const item = { type: 'integer' };
	expect(of({ type: 'array', items: item })).toBe('export type T = number[];\n');
	expect(of({ type: 'array', items: item, minItems: 2, maxItems: 2 })).toBe('export type T = [number, number];\n');
	expect(of({ type: 'array', prefixItems: [item, { type: 'string' }] })).toBe('export type T = [number, string];\n');
	expect(of({ type: 'array', items: { type: ['string', 'null'] } })).toBe('export type T = (string | null)[];\n');
});

test('what is not required may be missing, and descriptions become comments', () => {
	const schema = {
		description: 'A seat.',
		type: 'object',
		properties: { seat: { description: 'From 0.', type: 'integer' }, name: { type: 'string' } },
		required: ['seat'],
	};
	expect(of(schema)).toBe(
		'/** A seat. */\nexport type T = {\n\t/** From 0. */\n\tseat: number;\n\tname?: string;\n};\n',
	);
});

test('a reference is the name of another type, and a number of Rust is a number', () => {
	expect(of({ $ref: '#/$defs/Seat' })).toBe('export type T = Seat;\n');
	const api = declarations({ T: { anyOf: [{ $ref: '#/components/schemas/u8' }, { type: 'null' }] } });
	expect(api).toBe('export type T = number | null;\n');
});

test('an object without known members is a record', () => {
	expect(of({ type: 'object', additionalProperties: { type: 'boolean' } })).toBe('export type T = Record<string, boolean>;\n');
});

test('a variant that is another shape has the members of both', () => {
	const variant = { type: 'object', properties: { type: { const: 'seat' } }, required: ['type'], $ref: '#/$defs/Seat' };
	expect(of({ oneOf: [variant] })).toBe('export type T = {\n\ttype: "seat";\n} & Seat;\n');
});

test('a name stands for one shape, however often it is described', () => {
	const seat = { type: 'object', properties: { seat: { type: 'integer' } }, required: ['seat'] };
	const loose = { type: 'object', properties: { seat: { type: 'object' } } };
	expect(merged([{ Seat: seat }, { Seat: { ...seat } }], { Seat: loose, Page: loose })).toEqual({ Seat: seat, Page: loose });
	expect(() => merged([{ Seat: seat }, { Seat: loose }], {})).toThrow('Seat');
	expect(() => merged([{ Seat: seat }], { Seat: { type: 'object', properties: { chair: {} } } })).toThrow('chair');
});
