// The board is one stop for the Tab key; inside it the arrow keys go from target to target. Targets lie in lanes: the
// towers side by side, and before them the hand with what belongs to it.

export type Lanes = readonly (readonly string[])[];

/** Where a key leads from a target; nothing if it is another key or there is no way. */
export function step(lanes: Lanes, at: string, key: string): string | undefined {
	const lane = lanes.findIndex((targets) => targets.includes(at));
	const row = lanes[lane];
	if (!row) return undefined;
	const index = row.indexOf(at);
	switch (key) {
		case 'ArrowLeft':
			return row[index - 1] ?? lanes[lane - 1]?.at(-1);
		case 'ArrowRight':
			return row[index + 1] ?? lanes[lane + 1]?.[0];
		case 'ArrowUp':
			return opposite(row.length, index, lanes[lane - 1]);
		case 'ArrowDown':
			return opposite(row.length, index, lanes[lane + 1]);
		case 'Home':
			return row[0];
		case 'End':
			return row.at(-1);
		default:
			return undefined;
	}
}

/** The target about as far to the right in another lane. */
function opposite(length: number, index: number, other: readonly string[] | undefined): string | undefined {
	if (!other || other.length === 0) return undefined;
	const share = length > 1 ? index / (length - 1) : 0;
	return other[Math.round(share * (other.length - 1))];
}
