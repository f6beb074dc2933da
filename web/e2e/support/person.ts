// Somebody at a browser: a context of its own, with its own games, settings and cookies.

import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';

let browser: Promise<Browser> | undefined;

/** One browser for all people of a test file. */
function open(): Promise<Browser> {
	browser ??= chromium.launch({
		executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
		],
	});
	return browser;
}

export async function closeBrowser(): Promise<void> {
	await (await browser)?.close();
	browser = undefined;
}

export class Person {
	/** What went wrong in the page without being shown: a test that ends with some has failed. */
	readonly troubles: string[] = [];

	private constructor(
		readonly context: BrowserContext,
		readonly page: Page,
		readonly address: string,
	) {
		page.on('pageerror', (error) => this.troubles.push(String(error)));
		page.on('console', (message) => {
			if (message.type() === 'error' && !/Failed to load resource|WebSocket/.test(message.text())) {
				this.troubles.push(message.text());
			}
		});
	}

	static async arrive(address: string, options: BrowserContextOptions = {}): Promise<Person> {
		const context = await (await open()).newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB', ...options });
		return new Person(context, await context.newPage(), address);
	}

	async goTo(path: string): Promise<void> {
		await this.page.goto(this.address + path);
		await this.page.locator('header').first().waitFor();
	}

	/** What the person has chosen in the settings, from the next page on. */
	async choose(settings: object): Promise<void> {
		await this.context.addInitScript((chosen) => {
			const kept = JSON.parse(localStorage.getItem('quincunx.settings') ?? '{}') as object;
			localStorage.setItem('quincunx.settings', JSON.stringify({ ...kept, ...chosen }));
		}, settings);
	}

	async leave(): Promise<void> {
		await this.context.close();
	}
}
