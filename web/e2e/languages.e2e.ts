// Both languages, both appearances, and the narrowest screen.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeBrowser, Person } from './support/person';
import { scenes } from './support/scenes';
import { Server } from './support/server';

const server = new Server();
beforeAll(() => server.start());
afterAll(async () => {
	await closeBrowser();
	await server.close();
});

async function inMenu(page: Page, choice: string): Promise<void> {
	await page.locator('header summary').click();
	await page.locator('header details').getByRole('button', { name: choice, exact: true }).click();
	await page.keyboard.press('Escape');
}

test('German is chosen in the menu, is spoken at once, and still after the page is loaded anew', async () => {
	const person = await Person.arrive(server.address);
	const { page } = person;
	await person.goTo('/learn');
	await page.getByRole('link', { name: 'My games' }).waitFor();
	expect(await page.locator('html').getAttribute('lang')).toBe('en');
	await inMenu(page, 'Deutsch');
	await page.getByRole('link', { name: 'Meine Spiele' }).waitFor();
	expect(await page.locator('html').getAttribute('lang')).toBe('de');
	await page.reload();
	await page.getByRole('link', { name: 'Meine Spiele' }).waitFor();
	for (const [path, words] of [
		['/', 'Spielen'],
		['/new/trexo', 'Anfangen'],
		['/online', 'Tisch'],
		['/review', 'öffnen'],
		['/learn/figures', 'Markierung|Spielstein|Stein|Figur'],
	] as const) {
		await person.goTo(path);
		await page.locator('main', { hasText: new RegExp(words) }).waitFor();
		// A key that has no message would be shown as it is.
		expect(await page.locator('main').innerText()).not.toMatch(/\b(app|table|setup|online|home|review|learn)\.[a-z_]+\b/);
	}
	await person.leave();
});

test('a German browser is greeted in German', async () => {
	const person = await Person.arrive(server.address, { locale: 'de-AT' });
	await person.goTo('/');
	await person.page.getByRole('link', { name: 'Meine Spiele' }).waitFor();
	await person.leave();
});

const background = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);

test('it is dark or light as the system is, or as was chosen', async () => {
	const [light, dark] = ['rgb(246, 242, 234)', 'rgb(20, 23, 28)'];
	const person = await Person.arrive(server.address, { colorScheme: 'dark' });
	const { page } = person;
	await person.goTo('/');
	expect(await background(page)).toBe(dark);
	await page.emulateMedia({ colorScheme: 'light' });
	await expect.poll(() => background(page)).toBe(light);
	await inMenu(page, 'Dark');
	await expect.poll(() => background(page)).toBe(dark);
	await page.reload();
	await page.locator('main h1').first().waitFor();
	expect(await background(page)).toBe(dark);
	await inMenu(page, 'System');
	await expect.poll(() => background(page)).toBe(light);
	await person.leave();
});

const WIDTH = 360;

/** What reaches beyond the screen; a part that scrolls by itself may be as wide as it likes. */
async function tooWide(page: Page): Promise<string[]> {
	return page.evaluate((width) => {
		if (document.scrollingElement!.scrollWidth <= width) return [];
		const inside = (element: Element) => {
			for (let box = element.parentElement; box && box !== document.body; box = box.parentElement) {
				if (getComputedStyle(box).overflowX !== 'visible') return true;
			}
			return false;
		};
		const wide = [...document.body.querySelectorAll('*')].filter(
			(element) => element.getBoundingClientRect().right > width + 0.5 && !inside(element),
		);
		return ['the page scrolls sideways', ...wide.slice(0, 5).map((element) => element.outerHTML.slice(0, 120))];
	}, WIDTH);
}

for (const { name, show } of scenes) {
	test(`${name} fits on a screen of ${WIDTH} pixels in both languages`, async () => {
		const person = await Person.arrive(server.address, { viewport: { width: WIDTH, height: 740 }, hasTouch: true, reducedMotion: 'reduce' });
		const { page } = person;
		await show(person);
		expect(await tooWide(page)).toEqual([]);
		await page.evaluate(() => {
			const kept = JSON.parse(localStorage.getItem('quincunx.settings') ?? '{}') as object;
			localStorage.setItem('quincunx.settings', JSON.stringify({ ...kept, language: 'de' }));
		});
		await page.reload();
		await page.getByRole('link', { name: 'Meine Spiele' }).waitFor();
		await page.locator('main :is(h1, h2, svg, table)').first().waitFor();
		expect(await tooWide(page)).toEqual([]);
		expect(person.troubles).toEqual([]);
		await person.leave();
	});
}
