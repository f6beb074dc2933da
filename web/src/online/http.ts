// Requests to the server: with a time limit, and every failure as a sentence.

import { Refusal } from '../engine/engine';
import { is, type Of } from '$lib/check';
import { sentence } from '$lib/reasons';
import { t } from '$lib/words.svelte';
import { Denied } from './denied';

/** How long an answer may take. */
const PATIENCE = 8000;

/** There is no server, or none that answers sense. */
export class NoServer extends Refusal {}

export type Asked = { method?: 'GET' | 'POST' | 'PUT' | 'DELETE'; body?: unknown };

/** Asks for something of a shape. */
export async function ask<Name extends string>(path: string, shape: Name, { method = 'GET', body }: Asked = {}): Promise<Of<Name>> {
	const { answer, text } = await fetched(path, {
		method,
		headers: body === undefined ? {} : { 'content-type': 'application/json' },
		body: body === undefined ? null : JSON.stringify(body),
		signal: AbortSignal.timeout(PATIENCE),
	});
	const content = contentOf(answer, text);
	if (!answer.ok) throw denial(answer, content);
	if (!is(shape, content)) throw new NoServer(t('online.no_sense'));
	return content;
}

async function fetched(path: string, how: RequestInit): Promise<{ answer: Response; text: string }> {
	try {
		const answer = await fetch(path, how);
		return { answer, text: await answer.text() };
	} catch (error) {
		const late = error instanceof DOMException && error.name === 'TimeoutError';
		throw new NoServer(t(late ? 'online.too_slow' : 'online.no_server'));
	}
}

function contentOf(answer: Response, text: string): unknown {
	if (answer.status === 204) return undefined;
	const type = answer.headers.get('content-type') ?? '';
	if (!type.startsWith('application/json')) return text;
	try {
		return JSON.parse(text) as unknown;
	} catch {
		throw new NoServer(t('online.no_sense'));
	}
}

function denial(answer: Response, content: unknown): Refusal {
	const wait = Number(answer.headers.get('retry-after'));
	if (is('Problem', content)) {
		const { code } = content;
		const reason = sentence(content.why ?? content.reason);
		return new Denied(code, code === 'rate_limited' && wait > 0 ? `${reason} ${t('online.wait', { n: wait })}` : reason);
	}
	if (answer.status === 429) return new Denied('rate_limited', wait > 0 ? t('online.wait', { n: wait }) : t('online.too_much'));
	// Something in between has answered: a proxy whose server is away, or a host that only has the files of the page.
	return new NoServer(t(answer.status >= 500 ? 'online.no_server' : 'online.no_sense'));
}
