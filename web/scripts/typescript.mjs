// TypeScript types out of JSON Schemas, as our Rust code gives them.

/** The declarations of the named schemas, each exported. */
export function declarations(schemas) {
	const parts = Object.entries(schemas).map(([name, schema]) => `${comment(schema, '')}${declaration(name, schema)}\n`);
	return parts.join('\n');
}

function declaration(name, schema) {
	return `export type ${name} = ${type(schema, '')};`;
}

/**
 * The named schemas of several descriptions in one, a name for each shape. Descriptions that give different shapes to a name
 * are refused; of the loose ones, which know less about a shape than the others, only what is missing is taken.
 */
export function merged(exact, loose) {
	const schemas = {};
	for (const described of exact) {
		for (const [name, schema] of Object.entries(described)) {
			const known = schemas[name] && declaration(name, schemas[name]);
			if (known && known !== declaration(name, schema)) throw new Error(`two shapes are called ${name}`);
			schemas[name] = schema;
		}
	}
	for (const [name, schema] of Object.entries(loose)) {
		const [known, members] = [schemas[name], Object.keys(schema.properties ?? {})];
		const strange = known?.properties && members.find((member) => !(member in known.properties));
		if (strange) throw new Error(`two shapes are called ${name}: one has ${strange}`);
		schemas[name] ??= schema;
	}
	return schemas;
}

function comment(schema, indent) {
	if (typeof schema !== 'object' || !schema.description) return '';
	const text = schema.description.replaceAll('*/', '* /').split('\n');
	return text.length === 1
		? `/** ${text[0]} */\n${indent}`
		: `/**\n${text.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n${indent}`;
}

/** The name of the schema that is referred to. The API's description names plain numbers by their Rust types. */
export function reference({ $ref }) {
	const name = $ref.slice($ref.lastIndexOf('/') + 1);
	return /^[iuf]\d+$/.test(name) ? 'number' : name;
}

function union(parts) {
	return [...new Set(parts)].join(' | ');
}

function type(schema, indent) {
	const inner = (part) => type(part, indent);
	if (schema === true || schema === undefined) return 'unknown';
	if (schema.$ref && schema.properties) return `${object(schema, indent)} & ${reference(schema)}`;
	if (schema.$ref) return reference(schema);
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
			return object(schema, indent);
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

function object(schema, indent) {
	const deeper = `${indent}\t`;
	const required = new Set(schema.required ?? []);
	const members = Object.entries(schema.properties ?? {}).map(([name, member]) => {
		const optional = required.has(name) ? '' : '?';
		return `${deeper}${comment(member, deeper)}${name}${optional}: ${type(member, deeper)};`;
	});
	if (members.length > 0) return `{\n${members.join('\n')}\n${indent}}`;
	const values = schema.additionalProperties;
	return `Record<string, ${typeof values === 'object' ? type(values, indent) : 'unknown'}>`;
}
