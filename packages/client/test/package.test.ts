import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { expect, test } from '@jest/globals';
import { closedAfterAll } from '@vcds/test-kit';
import { publint } from 'publint';
import { schemaText } from '../describe/schema-text.ts';
import { README_INPUTS, readmeModule } from './readme.ts';

const run = promisify(execFile);
const here = fileURLToPath(new URL('..', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'vcds-package-'));
await closedAfterAll({ close: () => rm(folder, { recursive: true }) });
const packed = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: here });
const [{ filename, files }] = JSON.parse(packed.stdout);
const tarball = await readFile(join(folder, filename));

test('the package has its code, types and sources, and nothing else', () => {
  const paths: string[] = files.map(({ path }: { readonly path: string }) => path);
  const expected =
    /^(?:README\.md|package\.json|src\/.+\.ts|dist\/(?:generated\/)?[\w-]+\.(?:js|d\.ts)(?:\.map)?)$/;
  expect(paths.filter((path) => !expected.test(path) || path.includes('test'))).toEqual([]);
  expect(paths).toEqual(expect.arrayContaining(['dist/index.js', 'dist/index.d.ts', 'README.md']));
});

test('its types are those of the description: npm run describe', async () => {
  const description = await readFile(join(here, '../../docs/openapi/data-api.json'), 'utf8');
  const current = await readFile(join(here, 'src/generated/schema.ts'), 'utf8');
  expect((await schemaText(JSON.parse(description))).split('\n')).toEqual(current.split('\n'));
});

test('its entries resolve, with types, for ES modules and bundlers', async () => {
  const result = await checkPackage(createPackageFromTarballData(tarball));
  if (!result.types) throw new Error('the package has no types');
  // CommonJS and the module resolution of Node 10 cannot import an ES module.
  const old = ['node10', 'node16-cjs'];
  const found = result.problems.filter(
    (problem) => !('resolutionKind' in problem && old.includes(problem.resolutionKind)),
  );
  expect(found).toEqual([]);
  const data = new Uint8Array(tarball).buffer;
  const { messages } = await publint({ strict: true, pack: { tarball: data } });
  expect(messages).toEqual([]);
});

/** Programs that must not compile: one error a line, after the client of the first. */
const WRONG = [
  "import { createClient, filter } from '@vcds/client'; const client = createClient({ apiKey: '' });",
  "client.startups.list({ select: ['Nmae'] });",
  "client.startups.list({ orderby: 'Tag' });",
  "client.startups.list({ expand: ['Rounds'] });",
  "client.startups.list({ select: ['Name'] }).toArray().then(([one]) => one?.Website);",
  "client.startups.get('1').then(({ data }) => data.FundingRounds.length);",
  "client.startups.get('1', { select: ['Name'] }).then(({ data }) => data.Website);",
  "client.get('/startup');",
  "client.get('/startups/{id}');",
  "client.get('/startups', { $top: 1, $selct: ['Name'] });",
  "client.get('/startups', { $select: ['Name'] }).then(({ data }) => data[0]?.Name.length);",
  "client.get('/signals', { types: ['round.added'] });",
  "client.news.count(['Title']);",
  'client.follow({ until: new Date() });',
];

test('its types reject mistakes, and accept the examples of the README in a browser', async () => {
  const consumer = join(folder, 'consumer');
  await mkdir(join(consumer, 'node_modules/@vcds/client'), { recursive: true });
  await symlink(join(here, 'dist'), join(consumer, 'node_modules/@vcds/client/dist'));
  await writeFile(
    join(consumer, 'node_modules/@vcds/client/package.json'),
    await readFile(join(here, 'package.json')),
  );
  await writeFile(
    join(consumer, 'example.ts'),
    README_INPUTS.map((name) => `declare const ${name}: string;\n`).join('') + readmeModule(),
  );
  await writeFile(join(consumer, 'wrong.ts'), WRONG.join('\n'));
  const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--types', ''];
  const target = ['--module', 'esnext', '--moduleResolution', 'bundler', '--target', 'es2022'];
  const lib = ['--lib', 'es2023,dom,dom.iterable,dom.asynciterable', '--pretty', 'false'];
  const compiler = join(here, '../../node_modules/typescript/bin/tsc');
  const args = [compiler, ...options, ...target, ...lib, 'example.ts', 'wrong.ts'];
  const { stdout } = await run('node', args, { cwd: consumer }).catch((error) => error);
  const found = [...String(stdout).matchAll(/^(\w+)\.ts\((\d+),.*/gm)];
  expect(found.filter(([, file]) => file !== 'wrong').map(([line]) => line)).toEqual([]);
  const lines = new Set(found.map(([, , line]) => WRONG[Number(line) - 1]));
  expect([...lines]).toEqual(WRONG.slice(1));
});
