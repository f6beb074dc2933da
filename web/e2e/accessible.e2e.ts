// axe finds nothing serious on any page: in light and dark at a desk, and on a phone.

import { AxeBuilder } from '@axe-core/playwright';
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

/** What keeps somebody from using the page, each with the elements that it is about. */
async function obstacles(page: Page): Promise<string[]> {
	// The pages have no frames, so that axe needs no second page to gather what it finds.
	const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
	const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
	return serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}

for (const { name, show } of scenes) {
	test(`${name} can be used by all`, async () => {
		const person = await Person.arrive(server.address, { colorScheme: 'light', reducedMotion: 'reduce' });
		const { page } = person;
		await show(person);
		const light = await obstacles(page);
		await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
		await page.locator('html[data-theme=dark]').waitFor();
		const dark = await obstacles(page);
		await page.setViewportSize({ width: 360, height: 740 });
		const phone = await obstacles(page);
		expect({ light, dark, phone }).toEqual({ light: [], dark: [], phone: [] });
		expect(person.troubles).toEqual([]);
		await person.leave();
	});
}
