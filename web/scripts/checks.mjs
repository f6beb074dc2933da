// Checks out of JSON Schemas: what `src/lib/check.ts` has to know about the shapes that come from outside, and about nothing
// else. It is loaded by every page, so it is short; how it is to be read is written there.

import { reference } from './typescript.mjs';

/** The shapes with these names, and those that they are made of. */
export function shapes(schemas, names) {
	const found = {};
	/** What a name stands for: a plain shape for itself, an object for its name. */
	function named(name) {
		if (!schemas[name]) throw new Error(`no shape is called ${name}`);
		if (name in found) return name;
		found[name] = {};
		const made = shape(schemas[name], named);
		if (typeof made !== 'string') found[name] = made;
		else delete found[name];
		return typeof made === 'string' ? made : name;
	}
	names.forEach(named);
	return Object.fromEntries(Object.entries(found).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function shape(schema, named) {
	const inner = (part) => shape(part, named);
	if (schema === true || schema === undefined) return 'any';
	if (schema.$ref) {
		const name = reference(schema);
		return name === 'number' ? name : named(name);
	}
	if ('const' in schema) return typeof schema.const;
	if (schema.enum) return 'string';
	const either = schema.anyOf ?? schema.oneOf;
	if (either) return choice(either, inner);
	if (schema.allOf) return members(together(schema.allOf), inner);
	if (Array.isArray(schema.type)) return choice(schema.type.map((type) => ({ ...schema, type })), inner);
	switch (schema.type) {
		case 'boolean':
		case 'string':
			return schema.type;
		case 'integer':
		case 'number':
			return 'number';
		case 'array':
			return list(schema, inner);
		case 'object':
			return schema.properties ? members(schema, inner) : 'object';
		default:
			return 'any';
	}
}

/** An object that has the members of several. A part that is described elsewhere counts there. */
function together(parts) {
	const all = parts.filter(({ properties }) => properties);
	return {
		properties: Object.assign({}, ...all.map(({ properties }) => properties)),
		required: all.flatMap(({ required = [] }) => required),
	};
}

function choice(schemas, inner) {
	const others = schemas.filter(({ type }) => type !== 'null');
	if (others.length < schemas.length) return optional(others.length === 1 ? inner(others[0]) : choice(others, inner));
	const tag = Object.keys(others[0].properties ?? {}).find((name) => others.every(({ properties }) => properties?.[name]?.const));
	if (tag) return { [`${tag}=`]: Object.fromEntries(others.map((one) => [one.properties[tag].const, variant(one, tag, inner)])) };
	const kinds = new Set(others.map(inner));
	return kinds.size === 1 ? [...kinds][0] : 'any';
}

function variant(schema, tag, inner) {
	return schema.$ref ? inner({ $ref: schema.$ref }) : members(schema, inner, tag);
}

function members({ properties, required = [] }, inner, tag) {
	const others = Object.entries(properties).filter(([name]) => name !== tag);
	const checked = others.map(([name, member]) => [name, required.includes(name) ? inner(member) : optional(inner(member))]);
	return Object.fromEntries(checked.filter(([, shape]) => shape !== 'any' && shape !== 'any?'));
}

function list({ prefixItems, items }, inner) {
	const shape = prefixItems ? choice(prefixItems, inner) : inner(items);
	return typeof shape === 'string' ? `${shape}[]` : 'any[]';
}

function optional(shape) {
	if (typeof shape !== 'string') return 'any';
	return shape.endsWith('?') ? shape : `${shape}?`;
}
