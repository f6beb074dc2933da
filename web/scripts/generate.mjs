// Everything of the client that is made from Rust: the types of positions, messages and requests, and for the first page a
// position of each game and who made it. `cargo xtask web` calls it with the module of the rules, and with the server's contract beside it
// in `src/generated`.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shapes } from './checks.mjs';
import { openEngine } from './engine.mjs';
import { declarations, merged } from './typescript.mjs';

const web = join(dirname(fileURLToPath(import.meta.url)), '..');
const generated = join(web, 'src/generated');
const HEAD = '// Made from the Rust code; not to be changed by hand.\n\n';

/** Which position of which example is drawn on the first page, and through whose eyes. */
const SAMPLES = {
	'mod-x': { record: 'mod-x.txt', ply: 44, seat: 0 },
	'x-marks-the-spot': { record: 'x-marks-the-spot.txt', ply: 60, seat: 0 },
	trexo: { record: 'trexo.txt', ply: 24, seat: 0 },
	'castle-builders': { record: 'castle-builders.txt', ply: 40, seat: 0 },
	figures: { record: 'figures.txt', ply: 60, seat: 0 },
};

/** What a server answers over HTTP, and is checked when it does; what comes over a live connection is a `Message`. */
const CHECKED = [
	'Admitted',
	'Carried',
	'Created',
	'DeedLine',
	'GameLine',
	'Me',
	'NewToken',
	'Page',
	'Person',
	'Problem',
	'Profile',
	'Rank',
	'ReportLine',
	'ReportPage',
	'SessionLine',
	'Snapshot',
	'Taken',
];

const [wasm] = process.argv.slice(2);
if (!wasm) {
	console.error('usage: node scripts/generate.mjs <module.wasm>');
	process.exit(1);
}
write('engine.wasm', readFileSync(wasm));
const call = await openEngine(wasm);

const protocol = described('protocol.json');
const schemas = merged([protocol.$defs, described('results.json').$defs], described('api.json').components.schemas);
const checked = shapes(schemas, CHECKED);
const all = shapes(schemas, ['Message', ...CHECKED]);
const names = Object.keys(all);
// The first page has no live connection: what is only said there is not loaded with it.
const live = Object.fromEntries(Object.entries(all).filter(([name]) => !(name in checked)));
write(
	'types.ts',
	`${HEAD}${declarations(schemas)}\n/** The shapes that are checked, by name. */\nexport type Checked = { ${names.map((name) => `${name}: ${name}`).join('; ')} };\n`,
);
write(
	'checks.ts',
	`${HEAD}export const shapes = ${JSON.stringify(checked, null, '\t')} as const;\n`,
);
write(
	'live-checks.ts',
	`${HEAD}/** The version of the protocol. */\nexport const PROTOCOL = ${protocol.version};\n\nexport const liveShapes = ${JSON.stringify(live, null, '\t')} as const;\n`,
);

const games = call('games');
const views = described('views.json');
const authors = {};
for (const { id } of games) {
	const about = call('about', { game: id });
	const { $defs = {}, ...view } = views[id];
	authors[id] = about.credits.by;
	write(`views/${id}.ts`, HEAD + declarations({ View: view, ...$defs }));
}
const titled = games.map(({ id }) => [id, id.replace(/(^|-)(\w)/g, (_, _dash, letter) => letter.toUpperCase())]);
const imports = titled.map(([id, name]) => `import type { View as ${name} } from './${id}';`).join('\n');
const members = titled.map(([id, name]) => `\t'${id}': ${name};`).join('\n');
write('views/index.ts', `${HEAD}${imports}\n\n/** The view of each game. */\nexport type Views = {\n${members}\n};\n`);

const samples = {};
for (const { id } of games) {
	const sample = SAMPLES[id];
	if (!sample) continue;
	const record = readFileSync(join(web, '../examples', sample.record), 'utf8');
	const { session, position } = call('load', { record });
	const ply = Math.min(sample.ply, position.ply);
	samples[id] = call('look', { session, seat: sample.seat, ply }).position;
	samples[id].actions = [];
	call('close', { session });
}
write('samples.json', JSON.stringify(samples));
write('authors.json', JSON.stringify(authors));

/** What the server's contract says. */
function described(name) {
	return JSON.parse(readFileSync(join(generated, name), 'utf8'));
}

/** A file that would not change is left alone, and with it all that is made from it. */
function write(name, content) {
	const file = join(generated, name);
	mkdirSync(dirname(file), { recursive: true });
	if (!existsSync(file) || !readFileSync(file).equals(Buffer.from(content))) writeFileSync(file, content);
}
