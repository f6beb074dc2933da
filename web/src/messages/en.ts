// All messages of this language: a file is an area, and its name the first word of the keys.

const files = import.meta.glob<Record<string, string>>('./en/*.json', { eager: true, import: 'default' });

export const messages: Record<string, string> = {};
/** What the rules and the server say, by its English template. */
export const refusals: Record<string, string> = {};
for (const [path, part] of Object.entries(files)) {
	const area = path.slice(path.lastIndexOf('/') + 1, -'.json'.length);
	if (area.startsWith('refusal')) Object.assign(refusals, part);
	else for (const [key, text] of Object.entries(part)) messages[`${area}.${key}`] = text;
}
