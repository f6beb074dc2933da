// Where the record of a review comes from, as the fragment of its address says: `#r=<code>&ply=12` holds the record,
// `#kept=<key>` names one that this browser tab keeps.

export type Source = { from: 'link'; code: string } | { from: 'tab'; key: string } | { from: 'nowhere' };
export type Address = { source: Source; ply: number | null };

/** `null` if the fragment says nothing that we know. */
export function readAddress(fragment: string): Address | null {
	const parts = new URLSearchParams(fragment);
	const [code, key] = [parts.get('r'), parts.get('kept')];
	const ply = readPly(parts.get('ply'));
	if (code !== null) return { source: { from: 'link', code }, ply };
	if (key !== null) return { source: { from: 'tab', key }, ply };
	return fragment === '' ? { source: { from: 'nowhere' }, ply: null } : null;
}

export function writeAddress({ source, ply }: Address): string {
	const at = ply === null ? '' : `&ply=${ply}`;
	switch (source.from) {
		case 'link':
			return `/review#r=${source.code}${at}`;
		case 'tab':
			return `/review#kept=${source.key}${at}`;
		case 'nowhere':
			return '/review';
	}
}

/** A ply that makes no sense is as good as none: the game is shown from its end. */
function readPly(text: string | null): number | null {
	return text !== null && /^\d{1,7}$/.test(text) ? Number(text) : null;
}
