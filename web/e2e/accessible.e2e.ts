// axe finds nothing serious on any page, in light and dark.

import { AxeBuilder } from '@axe-core/playwright';
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

for (const { name, show } of scenes) {
	test(`${name} can be used by all`, async () => {
		const serious: string[] = [];
		for (const colorScheme of ['light', 'dark'] as const) {
			const person = await Person.arrive(server.address, { colorScheme, reducedMotion: 'reduce' });
			await show(person);
			const { violations } = await new AxeBuilder({ page: person.page }).analyze();
			for (const { impact, id, nodes } of violations) {
				if (impact !== 'serious' && impact !== 'critical') continue;
				serious.push(`${colorScheme}: ${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
			}
			expect(person.troubles).toEqual([]);
			await person.leave();
		}
		expect(serious).toEqual([]);
	});
}
