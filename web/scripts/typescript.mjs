// TypeScript types out of JSON Schemas, as our Rust code gives them.

/** The declarations of the named schemas, each exported. `prefix` is where references point to. */
export function declarations(schemas, prefix = '#/$defs/') {
	const parts = Object.entries(schemas).map(
		([name, schema]) => `${comment(schema, '')}export type ${name} = ${type(schema, prefix, '')};\n`,
	);
	return parts.join('\n');
}

function comment(schema, indent) {
	if (typeof schema !== 'object' || !schema.description) return '';
	const text = schema.description.replaceAll('*/', '* /').split('\n');
	return text.length === 1
		? `/** ${text[0]} */\n${indent}`
		: `/**\n${text.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n${indent}`;
}

/** The API's description names plain numbers by their Rust types. */
function reference(name) {
	return /^[iuf]\d+$/.test(name) ? 'number' : name;
}

function union(parts) {
	return [...new Set(parts)].join(' | ');
}

function type(schema, prefix, indent) {
	const inner = (part) => type(part, prefix, indent);
	if (schema === true || schema === undefined) return 'unknown';
	if (schema.$ref) return reference(schema.$ref.slice(prefix.length));
	if ('const' in schema) return JSON.stringify(schema.const);
	if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
	const either = schema.anyOf ?? schema.oneOf;
	if (either) return union(either.map(inner));
	if (schema.allOf) return schema.allOf.map(inner).join(' & ');
	if (Array.isArray(schema.type)) return union(schema.type.map((one) => inner({ ...schema, type: one })));
	switch (schema.type) {
		case 'null':
			return 'null';
		case 'boolean':
			return 'boolean';
		case 'integer':
		case 'number':
			return 'number';
		case 'string':
			return 'string';
		case 'array':
			return array(schema, inner);
		case 'object':
			return object(schema, prefix, indent);
		default:
			return 'unknown';
	}
}

function array(schema, inner) {
	if (schema.prefixItems) return `[${schema.prefixItems.map(inner).join(', ')}]`;
	const item = inner(schema.items);
	if (schema.minItems !== undefined && schema.minItems === schema.maxItems && schema.minItems < 9) {
		return `[${Array(schema.minItems).fill(item).join(', ')}]`;
	}
	return item.includes('|') ? `(${item})[]` : `${item}[]`;
}

function object(schema, prefix, indent) {
	const deeper = `${indent}\t`;
	const required = new Set(schema.required ?? []);
	const members = Object.entries(schema.properties ?? {}).map(([name, member]) => {
		const optional = required.has(name) ? '' : '?';
		return `${deeper}${comment(member, deeper)}${name}${optional}: ${type(member, prefix, deeper)};`;
	});
	if (members.length > 0) return `{\n${members.join('\n')}\n${indent}}`;
	const values = schema.additionalProperties;
	return `Record<string, ${typeof values === 'object' ? type(values, prefix, indent) : 'unknown'}>`;
}
