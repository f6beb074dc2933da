// The pages of the rules: our own Markdown, made to HTML when the client is built, in parts between which examples can
// stand.

import type { Language } from '$lib/words.svelte';

type Pages = Record<string, () => Promise<string>>;

const pages: Record<Language, Pages> = {
	en: import.meta.glob<string>('../../../docs/rules/*.md', { query: '?html', import: 'html' }),
	de: import.meta.glob<string>('./rules/de/*.md', { query: '?html', import: 'html' }),
};

export type Section = { id: string; title: string; html: string };
export type RulesText = {
	/** What stands over it all. */
	title: string;
	/** Before the first heading of the second order. */
	intro: string;
	/** What its headings of the second order part it into. */
	sections: Section[];
	language: Language;
};

/** The rules of a game in a language, or in English if they are not translated; nothing for a game that is unknown. */
export async function rulesText(game: string, language: Language): Promise<RulesText | undefined> {
	for (const tongue of new Set<Language>([language, 'en'])) {
		const load = Object.entries(pages[tongue]).find(([path]) => path.endsWith(`/${game}.md`))?.[1];
		if (load) return { ...arrange(await load()), language: tongue };
	}
	return undefined;
}

/** Parts a page at its headings; its links lead to our pages, its tables can be scrolled. */
export function arrange(html: string): Omit<RulesText, 'language'> {
	const { body } = new DOMParser().parseFromString(html, 'text/html');
	for (const link of body.querySelectorAll('a')) relink(link);
	for (const wide of body.querySelectorAll('table, pre')) makeScrollable(wide);
	const parts: Element[][] = [[]];
	for (const element of body.children) {
		if (element.tagName === 'H2') parts.push([]);
		parts.at(-1)?.push(element);
	}
	const [intro = '', ...rest] = parts.map((part) => part.map((element) => element.outerHTML).join('\n'));
	const titles = [...body.querySelectorAll(':scope > h2')].map((heading) => heading.textContent ?? '');
	const sections = rest.map((html, index) => ({ id: `section-${index}`, title: titles[index] ?? '', html }));
	return { title: body.querySelector('h1')?.textContent ?? '', intro, sections };
}

/** In the docs a page links to others as files; here a page of rules has an address, and the others are not shown. */
function relink(link: HTMLAnchorElement): void {
	const target = link.getAttribute('href') ?? '';
	if (/^(https?:|#)/.test(target)) return;
	const game = /^(?:\.\/|(?:\.\.\/)*rules\/)?([a-z-]+)\.md(?:#.*)?$/.exec(target)?.[1];
	if (game !== undefined) link.setAttribute('href', `/learn/${game}`);
	else if (/^(?:\.\.\/)*rules\/$/.test(target)) link.setAttribute('href', '/learn');
	else link.replaceWith(...link.childNodes);
}

function makeScrollable(wide: Element): void {
	const frame = wide.ownerDocument.createElement('div');
	frame.className = 'wide';
	frame.tabIndex = 0;
	wide.replaceWith(frame);
	frame.append(wide);
}
