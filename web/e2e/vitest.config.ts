import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Whole games in a real browser against the built client and a real server.
export default defineConfig({
	root: fileURLToPath(new URL('.', import.meta.url)),
	cacheDir: fileURLToPath(new URL('../node_modules/.vite', import.meta.url)),
	test: {
		include: ['**/*.e2e.ts'],
		environment: 'node',
		pool: 'forks',
		maxWorkers: 2,
		// A test that hangs must end some time; none is judged by its speed.
		testTimeout: 240_000,
		// Engines and chance play differently every time, and browsers stumble: what fails twice has failed.
		retry: 1,
		hookTimeout: 60_000,
	},
});
