// What a clock shows.

import type { ClockFace } from '$gen/types';
import { t } from '$lib/words.svelte';

/** What a seat has left at a moment of the server's clock, in milliseconds. */
export function leftOf(face: ClockFace, seat: number, now: number): number {
	const left = face.left[seat] ?? 0;
	const [running, since] = face.running ?? [];
	return Math.max(0, running === seat && since !== undefined ? left - Math.max(0, now - since) : left);
}

/** `9:05`, `1:02:03`, `3 d 4 h`; with tenths in the last ten seconds. */
export function clockText(millis: number): string {
	const two = (part: number) => String(part).padStart(2, '0');
	const seconds = Math.floor(millis / 1000);
	const [minutes, hours, days] = [Math.floor(seconds / 60), Math.floor(seconds / 3600), Math.floor(seconds / 86_400)];
	if (days > 0) return t('table.days_hours', { days, hours: hours % 24 });
	if (hours > 0) return `${hours}:${two(minutes % 60)}:${two(seconds % 60)}`;
	if (millis < 10_000) return `0:${two(seconds)}.${Math.floor(millis / 100) % 10}`;
	return `${minutes}:${two(seconds % 60)}`;
}
