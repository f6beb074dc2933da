// A JSON Schema of options as a list of fields that a form can show. Whatever has an unusual shape becomes a field for JSON, so
// there is a form for every game, also for one that nobody has written yet.

import { isObject } from './check';
import type { Values } from './words.svelte';

export type NumberKind = { kind: 'number'; whole: boolean; least?: number; most?: number };

export type Kind =
	| NumberKind
	| { kind: 'yes' }
	| { kind: 'choice'; choices: Choice[] }
	| { kind: 'text'; pattern?: string; shortest?: number; longest?: number }
	| { kind: 'list'; of: NumberKind; shortest?: number; longest?: number }
	| { kind: 'numbers'; parts: Part[] }
	| { kind: 'json' };

export type Choice = { value: unknown; title?: string; about?: string };

/** One of the numbers of an object. */
export type Part = { name: string; title?: string; of: NumberKind };

export type Field = {
	/** The name of the option; empty if the field stands for all options together. */
	name: string;
	title?: string;
	about?: string;
	/** What holds if nothing is given, as far as the schema tells. */
	usual: unknown;
	kind: Kind;
};

/** What is wrong with something that was typed: a message in `options` with its values. */
export type Problem = { key: string; values?: Values };

/** What was typed: its value, nothing if the usual one is to hold, or what is wrong with it. */
export type Reading = { value: unknown } | { problem: Problem } | null;

type Schema = Record<string, unknown>;

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
const figure = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
const schemas = (value: unknown) => (Array.isArray(value) ? value.filter(isObject) : []);

/** How many references lead from one schema to the next at most, so that one that leads to itself ends. */
const DEEPEST = 8;

export function fields(schema: unknown): Field[] {
	if (!isObject(schema) || !isObject(schema['properties'])) {
		const closed = isObject(schema) && schema['type'] === 'object' && schema['additionalProperties'] === false;
		return closed ? [] : [{ name: '', usual: {}, kind: { kind: 'json' } }];
	}
	return Object.entries(schema['properties']).map(([name, property]) => {
		const { nullable, ...shape } = resolved(property, schema);
		return {
			name,
			title: text(shape['title']),
			about: text(shape['description']),
			usual: shape['default'] ?? (nullable ? null : undefined),
			kind: kindOf(shape, schema),
		};
	});
}

/** The schema behind references and wrappings; what stands outside counts more than what is inside. */
function resolved(property: unknown, root: Schema, depth = 0): Schema & { nullable?: boolean } {
	if (!isObject(property) || depth > DEEPEST) return {};
	const inner = (next: unknown, rest: Schema) => ({ ...resolved(next, root, depth + 1), ...rest });
	const { $ref, allOf, anyOf, ...rest } = property;
	if (typeof $ref === 'string') return inner(followed($ref, root), rest);
	const all = schemas(allOf);
	if (all.length === 1) return inner(all[0], rest);
	const any = schemas(anyOf);
	const others = any.filter((option) => option['type'] !== 'null');
	if (others.length === 1 && any.length === 2) return { ...inner(others[0], rest), nullable: true };
	const type = rest['type'];
	if (Array.isArray(type) && type.length === 2 && type.includes('null')) {
		return { ...rest, type: type.find((name) => name !== 'null'), nullable: true };
	}
	return property;
}

/** What a reference such as `#/$defs/Claims` leads to. */
function followed(reference: string, root: Schema): unknown {
	if (!reference.startsWith('#/')) return undefined;
	const steps = reference.slice(2).split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
	return steps.reduce<unknown>((at, step) => (isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined), root);
}

function kindOf(shape: Schema, root: Schema): Kind {
	const choices = choicesOf(shape);
	if (choices) return { kind: 'choice', choices };
	switch (shape['type']) {
		case 'boolean':
			return { kind: 'yes' };
		case 'integer':
		case 'number':
			return numberKind(shape);
		case 'string':
			return {
				kind: 'text',
				pattern: text(shape['pattern']),
				shortest: figure(shape['minLength']),
				longest: figure(shape['maxLength']),
			};
		case 'array': {
			const of = kindOf(resolved(shape['items'], root), root);
			if (of.kind !== 'number') break;
			return { kind: 'list', of, shortest: figure(shape['minItems']), longest: figure(shape['maxItems']) };
		}
		case 'object': {
			const parts = partsOf(shape, root);
			if (parts) return { kind: 'numbers', parts };
		}
	}
	return { kind: 'json' };
}

function numberKind(shape: Schema): NumberKind {
	const whole = shape['type'] === 'integer';
	// Between whole numbers, an open end is the next one.
	const above = figure(shape['exclusiveMinimum']);
	const below = figure(shape['exclusiveMaximum']);
	return {
		kind: 'number',
		whole,
		least: figure(shape['minimum']) ?? (whole && above !== undefined ? above + 1 : above),
		most: figure(shape['maximum']) ?? (whole && below !== undefined ? below - 1 : below),
	};
}

function choicesOf(shape: Schema): Choice[] | undefined {
	if (Array.isArray(shape['enum'])) return shape['enum'].map((value: unknown) => ({ value }));
	const each = schemas(shape['oneOf']);
	if (each.length === 0) return undefined;
	const choices = each.flatMap((one): Choice[] => {
		const about = text(one['description']);
		if ('const' in one) return [{ value: one['const'], title: text(one['title']), about }];
		// Choices without a description of their own come as one list.
		return Array.isArray(one['enum']) ? one['enum'].map((value: unknown) => ({ value, about })) : [];
	});
	return choices.length >= each.length ? choices : undefined;
}

function partsOf(shape: Schema, root: Schema): Part[] | undefined {
	if (!isObject(shape['properties'])) return undefined;
	const parts: Part[] = [];
	for (const [name, property] of Object.entries(shape['properties'])) {
		const inner = resolved(property, root);
		const of = kindOf(inner, root);
		if (of.kind !== 'number') return undefined;
		parts.push({ name, title: text(inner['title']) ?? text(inner['description']), of });
	}
	return parts.length > 0 ? parts : undefined;
}

/** A value as it is typed. */
export function written(kind: Kind, value: unknown): string {
	if (value === undefined || (value === null && kind.kind !== 'choice')) return '';
	switch (kind.kind) {
		case 'list':
			return Array.isArray(value) ? value.join(', ') : '';
		case 'text':
		case 'number':
			return String(value);
		default:
			return JSON.stringify(value, undefined, kind.kind === 'json' ? 2 : undefined);
	}
}

/** What was typed, read. */
export function read(kind: Kind, typed: string): Reading {
	const given = typed.trim();
	if (given === '') return null;
	switch (kind.kind) {
		case 'number':
			return readNumber(kind, given);
		case 'list':
			return readList(kind, given);
		case 'text':
			return readText(kind, given);
		default:
			try {
				return { value: JSON.parse(given) as unknown };
			} catch {
				return { problem: { key: 'wrong_json' } };
			}
	}
}

function readNumber({ whole, least, most }: NumberKind, given: string): Reading {
	// People write a comma where programs want a point.
	const value = Number(given.replace(',', '.'));
	if (!Number.isFinite(value)) return { problem: { key: 'wrong_number' } };
	if (whole && !Number.isSafeInteger(value)) return { problem: { key: 'wrong_whole' } };
	if ((least === undefined || value >= least) && (most === undefined || value <= most)) return { value };
	if (least === undefined) return { problem: { key: 'wrong_most', values: { most: most ?? '' } } };
	if (most === undefined) return { problem: { key: 'wrong_least', values: { least } } };
	return { problem: { key: 'wrong_range', values: { least, most } } };
}

function readList(kind: Extract<Kind, { kind: 'list' }>, given: string): Reading {
	const value: unknown[] = [];
	for (const item of given.split(/[\s,;]+/).filter((item) => item !== '')) {
		const reading = readNumber(kind.of, item);
		if (reading && 'problem' in reading) return reading;
		value.push(reading?.value);
	}
	const { shortest = 0, longest = Infinity } = kind;
	if (value.length >= shortest && value.length <= longest) return { value };
	if (longest === Infinity) return { problem: { key: 'wrong_few', values: { shortest } } };
	return { problem: { key: 'wrong_count', values: { shortest, longest } } };
}

function readText({ pattern, shortest = 0, longest = Infinity }: Extract<Kind, { kind: 'text' }>, given: string): Reading {
	const length = [...given].length;
	if (length < shortest) return { problem: { key: 'wrong_short', values: { shortest } } };
	if (length > longest) return { problem: { key: 'wrong_long', values: { longest } } };
	return pattern === undefined || fits(pattern, given) ? { value: given } : { problem: { key: 'wrong_form' } };
}

/** A pattern that this browser cannot read forbids nothing: who decides about the options will. */
function fits(pattern: string, given: string): boolean {
	try {
		return new RegExp(pattern, 'u').test(given);
	} catch {
		return true;
	}
}

/** Whether two values of JSON are the same. */
export function same(one: unknown, other: unknown): boolean {
	if (Object.is(one, other)) return true;
	if (Array.isArray(one) && Array.isArray(other)) {
		return one.length === other.length && one.every((item, index) => same(item, other[index]));
	}
	if (!isObject(one) || !isObject(other)) return false;
	const names = Object.keys(one);
	return names.length === Object.keys(other).length && names.every((name) => name in other && same(one[name], other[name]));
}

/** The options with one of them changed; what is as usual is left out. */
export function changed(options: Schema, { name, usual }: Field, value: unknown): Schema {
	if (name === '') return isObject(value) ? value : {};
	const { [name]: _, ...others } = options;
	return value === undefined || value === null || same(value, usual) ? others : { ...others, [name]: value };
}
