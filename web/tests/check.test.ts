import { expect, test } from 'vitest';
import { shapes } from '../scripts/checks.mjs';
import { is } from '../src/lib/check';

test('a schema becomes a short shape, and a name for something plain is what it stands for', () => {
	const schemas = {
		Id: { type: 'string' },
		Seat: {
			type: 'object',
			properties: { user: { anyOf: [{ $ref: '#/$defs/Id' }, { type: 'null' }] }, left: { type: 'array', items: { type: 'integer' } }, any: true },
			required: ['user', 'left', 'any'],
		},
		Table: {
			oneOf: [
				{ type: 'object', properties: { type: { const: 'closed' } }, required: ['type'] },
				{ type: 'object', properties: { type: { const: 'open' } }, required: ['type'], $ref: '#/$defs/Seat' },
				{ type: 'object', properties: { type: { const: 'full' }, seats: { type: 'array', items: { $ref: '#/$defs/Seat' } } }, required: ['type'] },
			],
		},
		Unused: { type: 'object', properties: { a: { type: 'string' } } },
	};
	expect(shapes(schemas, ['Table'])).toEqual({
		Seat: { user: 'string?', left: 'number[]' },
		Table: { 'type=': { closed: {}, open: 'Seat', full: { seats: 'Seat[]?' } } },
	});
	expect(() => shapes(schemas, ['Nobody'])).toThrow('Nobody');
});

test('what has not the shape is refused', () => {
	const person = { id: 7, name: 'Ada', kind: 'guest' };
	expect(is('Person', person)).toBe(true);
	expect(is('Person[]', [person, person])).toBe(true);
	expect(is('Person?', null)).toBe(true);
	for (const wrong of [null, undefined, 'Ada', [], {}, { ...person, id: '7' }, { ...person, name: null }, { ...person, id: 1e16 }]) {
		expect(is('Person', wrong), JSON.stringify(wrong)).toBe(false);
	}
	expect(is('Person[]', person)).toBe(false);
	expect(is('nothing', undefined)).toBe(true);
	expect(is('string', 7)).toBe(false);
});

test('what a newer server says beyond is passed over', () => {
	expect(is('Person', { id: 7, name: 'Ada', kind: 'robot', colour: 'red' })).toBe(true);
	expect(is('TurnJson', { kind: 'seat', seat: 1 })).toBe(true);
	expect(is('TurnJson', { kind: 'seat' })).toBe(false);
	expect(is('TurnJson', { kind: 'several', seats: [1] })).toBe(true);
	expect(is('TurnJson', { seat: 1 })).toBe(false);
});
