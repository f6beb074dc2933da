// A record in a link: deflated, and written in letters that an address can hold. It stands in the fragment, which a
// browser never sends: whoever gets the link has the game, and no server has.

import { Refusal } from '../engine/engine';
import { t } from '$lib/words.svelte';

/** Some programs that pass on links cut longer ones. */
export const LONG_LINK = 2000;

/** No game comes near this; what is longer was made to fill our memory. */
export const MOST_BYTES = 1 << 20;

/** The record as a code for a link. */
export async function encode(record: string): Promise<string> {
	const bytes = new TextEncoder().encode(record);
	return toLetters(await through(bytes, new CompressionStream('deflate-raw')));
}

/** The record in a code; refuses with a sentence what is none. */
export async function decode(code: string): Promise<string> {
	const packed = fromLetters(code);
	if (!packed || packed.length === 0) throw new Refusal(t('review.link_broken'));
	try {
		const bytes = await through(packed, new DecompressionStream('deflate-raw'), MOST_BYTES);
		return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
	} catch (error) {
		throw error instanceof Refusal ? error : new Refusal(t('review.link_broken'));
	}
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Sends bytes through a stream; stops as soon as more than `most` come out of it. */
async function through(bytes: Bytes, stream: GenericTransformStream, most = Infinity): Promise<Bytes> {
	const source = new ReadableStream<Bytes>({
		start(controller) {
			controller.enqueue(bytes);
			controller.close();
		},
	});
	const reader = (source.pipeThrough(stream) as ReadableStream<Uint8Array>).getReader();
	const parts: Uint8Array[] = [];
	let length = 0;
	for (let part = await reader.read(); !part.done; part = await reader.read()) {
		length += part.value.length;
		if (length > most) {
			// What is left over may fail as it likes.
			reader.cancel().catch(() => undefined);
			throw new Refusal(t('review.link_too_long'));
		}
		parts.push(part.value);
	}
	const whole = new Uint8Array(length);
	let at = 0;
	for (const part of parts) {
		whole.set(part, at);
		at += part.length;
	}
	return whole;
}

/** Base64 with the letters for addresses, without padding. */
export function toLetters(bytes: Uint8Array): string {
	const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
	return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

export function fromLetters(letters: string): Bytes | null {
	if (!/^[\w-]*$/.test(letters)) return null;
	try {
		const text = atob(letters.replaceAll('-', '+').replaceAll('_', '/'));
		return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
	} catch {
		return null;
	}
}
