import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { gzip, markdown, serviceWorker } from './scripts/plugins.mjs';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
	plugins: [svelte(), markdown(), serviceWorker(here('./src/offline/worker.js'), here('./public')), gzip()],
	resolve: { alias: { $lib: here('./src/lib'), $gen: here('./src/generated') } },
	build: {
		target: 'es2022',
		assetsInlineLimit: 0,
		chunkSizeWarningLimit: 200,
		reportCompressedSize: false,
		// How long each plugin takes is worth no warning.
		rolldownOptions: { checks: { bundlerTimings: false } },
	},
	worker: { format: 'es' },
	server: { proxy: { '/api': { target: 'http://127.0.0.1:5105', ws: true } }, fs: { allow: [here('..')] } },
	test: { environment: 'jsdom', include: ['tests/**/*.test.ts'] },
} as Parameters<typeof defineConfig>[0]);
