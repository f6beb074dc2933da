// Pictures of every page and board: phone and desktop, light and dark. `cargo xtask screenshots` writes them to
// web/screenshots; `npm run screenshots -- -t lobby` makes those of one scene.

import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { closeBrowser, Person } from './support/person';
import { scenes } from './support/scenes';
import { Server } from './support/server';

const folder = resolve(import.meta.dirname, '../screenshots');
const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } };

const server = new Server();
beforeAll(async () => {
	mkdirSync(folder, { recursive: true });
	await server.start();
});
afterAll(async () => {
	await closeBrowser();
	await server.close();
});

for (const { name, show } of scenes) {
	test(name, async () => {
		for (const [size, viewport] of Object.entries(sizes)) {
			for (const colorScheme of ['light', 'dark'] as const) {
				const person = await Person.arrive(server.address, { viewport, colorScheme, hasTouch: size === 'phone', reducedMotion: 'reduce' });
				await show(person);
				await person.page.waitForTimeout(400);
				const whole = !/table|finished|hand-over/.test(name);
				await person.page.screenshot({ path: resolve(folder, `${name}-${size}-${colorScheme}.png`), fullPage: whole });
				await person.leave();
			}
		}
	});
}
