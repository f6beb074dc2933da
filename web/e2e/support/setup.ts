// Games that are set up as people set them up.

import type { Page } from 'playwright-core';

export const games = ['trexo', 'mod-x', 'figures', 'castle-builders', 'x-marks-the-spot'];

/** Options that make a game short. */
export const short: Record<string, Record<string, string>> = {
	trexo: { tiles: '20' },
	'mod-x': { target: '5' },
	figures: { target: '8', turn_limit: '14' },
	'castle-builders': {},
	'x-marks-the-spot': { turn_limit: '10' },
};

/** Fills in options of the form on the page. */
export async function agree(page: Page, options: Record<string, string | boolean>): Promise<void> {
	const form = page.locator('details', { has: page.getByText('Rules of this table') });
	await form.locator('summary').first().click();
	for (const [name, value] of Object.entries(options)) {
		const input = page.locator(`input[id$=".${name}"]`);
		if (typeof value === 'boolean') await form.getByLabel(name).setChecked(value);
		else if (/^[A-Z]/.test(name)) await form.getByRole('group', { name }).getByLabel(value).check();
		else {
			// What has many parts is folded away.
			if (name.includes('.')) await form.locator('details', { has: input }).locator('summary').click();
			await input.fill(value);
		}
	}
}
