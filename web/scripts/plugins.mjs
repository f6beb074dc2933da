// What our build does besides bundling.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { marked } from 'marked';

/** Pages of text: `import { html } from './page.md?html'`. */
export function markdown() {
	return {
		name: 'quincunx:markdown',
		transform(text, id) {
			if (!id.endsWith('.md?html')) return null;
			return { code: `export const html = ${JSON.stringify(marked.parse(text, { async: false }))};`, map: null };
		},
		enforce: 'pre',
	};
}

/** The service worker, with the list of all that is needed to play without a network. */
export function serviceWorker(file, publicFolder) {
	return {
		name: 'quincunx:service-worker',
		apply: 'build',
		enforce: 'post',
		generateBundle(_options, bundle) {
			const names = Object.keys(bundle).filter((name) => !name.endsWith('.map')).sort();
			const version = createHash('sha256');
			for (const name of names) {
				const part = bundle[name];
				version.update(name).update(part.type === 'chunk' ? part.code : part.source);
			}
			const kept = [...names, ...readdirSync(publicFolder)];
			const files = ['/', ...kept.filter((name) => name !== 'index.html').map((name) => `/${name}`)];
			const source = readFileSync(file, 'utf8')
				.replace('__VERSION__', version.digest('hex').slice(0, 16))
				.replace('__FILES__', JSON.stringify(files));
			this.emitFile({ type: 'asset', fileName: 'service-worker.js', source });
		},
	};
}

/** A compressed copy beside each file, so that a server does not compress anew for every visitor. */
export function gzip() {
	return {
		name: 'quincunx:gzip',
		apply: 'build',
		enforce: 'post',
		generateBundle: {
			order: 'post',
			handler(_options, bundle) {
				for (const [name, part] of Object.entries(bundle)) {
					if (!/\.(js|css|html|svg|json|wasm|webmanifest)$/.test(name)) continue;
					const source = part.type === 'chunk' ? part.code : part.source;
					this.emitFile({ type: 'asset', fileName: `${name}.gz`, source: gzipSync(source, { level: 9 }) });
				}
			},
		},
	};
}
