// What stands at the head of a record about its game: who played, when, and how it was broken off. What the actions mean
// is left to the rules.

import type { Ending } from '$gen/types';

/** The headers by name. They stand before the actions, which never begin with a letter. */
export function headersOf(record: string): Map<string, string> {
	const headers = new Map<string, string>();
	for (const line of record.replace(/^\ufeff/, '').split('\n')) {
		const header = /^\s*([A-Za-z][A-Za-z0-9 -]*):(.*)$/.exec(line);
		if (header?.[1] !== undefined && header[2] !== undefined) headers.set(header[1].trim(), header[2].trim());
		else if (/^\s*[\d(]/.test(line)) break;
	}
	return headers;
}

/** Writes the names of the seats into a record, where it has none. */
export function withNames(record: string, names: readonly string[]): string {
	const headers = headersOf(record);
	const lines = names.flatMap((name, seat) => {
		const plain = name.replace(/\s+/g, ' ').trim();
		return plain === '' || headers.has(`Player ${seat}`) ? [] : [`Player ${seat}: ${plain}\n`];
	});
	return lines.join('') + record;
}

/** How a game ended that is not over by its rules: `Ending: 1 resigned`. */
export function brokenOff(headers: ReadonlyMap<string, string>): Ending | null {
	const said = /^(draw|\d+(?:,\d+)*) (\S+)$/.exec(headers.get('Ending') ?? '');
	if (said?.[1] === undefined || said[2] === undefined) return null;
	return { winners: said[1] === 'draw' ? [] : said[1].split(',').map(Number), reason: said[2] };
}

/** A name for the file of a record, from the game and its date, or else from today's. */
export function fileName(record: string, today: Date): string {
	const headers = headersOf(record);
	const date = /^\d{4}-\d\d-\d\d$/.exec(headers.get('Date') ?? '')?.[0] ?? isoDay(today);
	const game = (headers.get('Game') ?? 'game').replace(/[^a-z0-9-]/g, '');
	return `${game}-${date}.txt`;
}

/** The day where the reader is, not that of Greenwich. */
function isoDay(date: Date): string {
	const two = (value: number) => String(value).padStart(2, '0');
	return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
