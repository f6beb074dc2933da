// Puts the files of a language together: a file is an area, and its name the first word of the keys.

export type Messages = Record<string, string>;

export function gather(files: Record<string, Messages>): { messages: Messages; refusals: Messages } {
	const messages: Messages = {};
	/** Why the rules and the server refuse something, by the code of the reason. */
	const refusals: Messages = {};
	for (const [path, part] of Object.entries(files)) {
		const area = path.slice(path.lastIndexOf('/') + 1, -'.json'.length);
		if (area.startsWith('refusal')) Object.assign(refusals, part);
		else for (const [key, text] of Object.entries(part)) messages[`${area}.${key}`] = text;
	}
	return { messages, refusals };
}
