import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { factsIn } from '../../../portal/site/.vitepress/facts.ts';
import { llms, llmsFull } from '../../../portal/src/llms/index.ts';
import { namesIn } from './installs.ts';
import { anchorOf, filesOf, headingsOf, read, root } from './repository.ts';

const pages = filesOf('.md');

describe('the links of the documentation', () => {
  test.each([
    ['2.7 The key check', '27-the-key-check'],
    ['Targets of `see`', 'targets-of-see'],
  ])('lead to the anchor of %s', (heading, anchor) => {
    expect(anchorOf(heading)).toBe(anchor);
  });

  test('lead to files and headings of the repository', () => {
    const broken = pages.flatMap((page) =>
      linksOf(page).flatMap((link) => (leadsSomewhere(page, link) ? [] : [`${page}: ${link}`])),
    );
    expect(broken).toEqual([]);
  });

  test('name only files and folders that exist', () => {
    const missing = pages.flatMap((page) =>
      pathsIn(page).flatMap((path) => (existsSync(`${root}${path}`) ? [] : [`${page}: ${path}`])),
    );
    expect(missing).toEqual([]);
  });

  test('name only scripts of npm that exist', () => {
    const manifests = filesOf('package.json').map((file) => JSON.parse(read(file)));
    const known = new Set(manifests.flatMap((manifest) => Object.keys(manifest.scripts ?? {})));
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(/\bnpm run (?:-s |--silent )?([a-z][\w:]*)/g)].map(
        ([, name = '']) => [page, name],
      ),
    );
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter(([, name = '']) => !known.has(name))).toEqual([]);
  });

  test('name only benches that exist', () => {
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(/\bnpm run bench -- ([a-z][a-z-]*)/g)].map(([, name]) => [
        page,
        name,
      ]),
    );
    expect(named.length).toBeGreaterThan(5);
    const bench = `${root}packages/bench/src/`;
    expect(named.filter(([, name]) => !existsSync(`${bench}${name}.ts`))).toEqual([]);
  });

  test('name only tests that their file has', () => {
    const named = pages.flatMap((page) => testsIn(page).map((test) => ({ page, ...test })));
    const missing = named.filter(
      ({ file, title }) => !(existsSync(`${root}${file}`) && read(file).includes(title)),
    );
    expect(missing).toEqual([]);
    const inSecurity = named.filter(({ page }) => page === 'docs/security.md');
    expect(inSecurity.length).toBeGreaterThan(20);
  });

  test('cover every risk of the OWASP list by a test', () => {
    const rows = read('docs/security.md').match(/^\| \[?API\d+.*$/gm) ?? [];
    expect(rows.map((row) => /API\d+/.exec(row)?.[0])).toEqual(
      Array.from({ length: 10 }, (_, i) => `API${i + 1}`),
    );
    for (const row of rows) expect(row).toMatch(TEST);
  });

  test('is where code refers to it', () => {
    const missing = filesOf('.ts', '.mjs', '.js', '.sql', '.prisma', '.yml').flatMap((file) =>
      [...read(file).matchAll(/\bdocs\/[\w/-]+\.md/g)].flatMap(([page]) =>
        existsSync(`${root}${page}`) ? [] : [`${file}: ${page}`],
      ),
    );
    expect(missing).toEqual([]);
  });
});

const texts = [...filesOf('.md'), ...filesOf('.json').filter((file) => file.startsWith('docs/'))]
  .filter((file) => file !== 'docs/changelog.md')
  .map((file): [string, string] => [
    file,
    file.startsWith('packages/portal/site/') ? factsIn(read(file)) : read(file),
  ]);

describe('no text installs a package by a name that anyone could own', () => {
  test.each([
    ['npm i @vcds/client', '@vcds/client'],
    ['`npm install --save-exact vcds-client` does', 'vcds-client'],
    ['npx vcds-mcp --help', 'vcds-mcp'],
    ['"command": "npx", "args": ["-y", "--package=@vcds/mcp", "vcds-mcp"]', '@vcds/mcp'],
    ['"command": "npx",\n "args": ["-y", "vcds-mcp"]', 'vcds-mcp'],
    ["import 'npm:@vcds/client';", 'npm:@vcds/client'],
    ['npm i https://access.vcds.example/downloads/vcds-client-2.1.0.tgz', undefined],
    ['npx -y --package=https://a.example/downloads/vcds-mcp-2.1.0.tgz vcds-mcp', undefined],
    [
      'npm exec --yes --package=pnpm@12.21.0 -- pnpm add -E NAME --filter @vcds/data-api',
      undefined,
    ],
  ])('%s', (text, name) => {
    expect(namesIn(text)).toEqual(name === undefined ? [] : [name]);
  });

  test('in a page, a README, a description or an example', () => {
    expect(texts.length).toBeGreaterThan(80);
    const wrong = texts.flatMap(([file, text]) => namesIn(text).map((name) => `${file}: ${name}`));
    expect(wrong).toEqual([]);
  });

  test('in the files for assistants', () => {
    expect(namesIn(llms() + llmsFull())).toEqual([]);
  });

  test('and the addresses of packages have their version', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    const named = texts.flatMap(([file, text]) =>
      [...text.matchAll(/downloads\/vcds-(?:client|mcp)-([\w.]+)\.tgz/g)].map(([, found]) => [
        file,
        found,
      ]),
    );
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter(([, found]) => found !== version)).toEqual([]);
  });
});

const TEST = /`((?:packages|services)\/[^`\s]+\.test\.ts)`: "([^"]+)"/;

/** The tests that a page names: a file in code style, and a title in quotation marks. */
function testsIn(page: string) {
  const found = read(page).matchAll(new RegExp(TEST, 'g'));
  return [...found].map(([, file = '', title = '']) => ({ file, title }));
}

/** Paths of the repository in code style, without those with a placeholder. */
function pathsIn(page: string): string[] {
  const found = read(page).matchAll(
    /`((?:packages|services|docs|docker|infra|\.github)\/[^`\s]+)`/g,
  );
  return [...found].map(([, path = '']) => path).filter((path) => !/[<>{}*…]|NNNN/.test(path));
}

/** The targets of relative links, without those in code. */
function linksOf(page: string): string[] {
  const prose = read(page)
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : normalize(join(dirname(page), path));
  if (!existsSync(`${root}${target}`)) return false;
  return anchor === undefined || headingsOf(target).some((each) => anchorOf(each) === anchor);
}

describe('the journeys', () => {
  /** `folder/file.ts` and the name of a function, in the cells of a table. */
  const STEP = /^\| \d+ \| `([\w./-]+)` `(\w+)` \|(.*)$/gm;
  const steps = [...read('docs/journeys.md').matchAll(STEP)].map(
    ([, file = '', name = '', rest = '']) => ({
      file: filesOf('.ts', '.sql').find((each) => each.endsWith(`/${file}`)) ?? file,
      ...{ name, rest },
    }),
  );
  const declares = (text: string, name: string) =>
    new RegExp(`(?:function|class|const|async|venture\\.|^  )[ *]*${name}\\b`, 'm').test(text);

  test('name files and functions that exist', () => {
    const rows = read('docs/journeys.md').match(/^\| \d+ \|/gm) ?? [];
    expect(steps).toHaveLength(rows.length);
    const files = filesOf('.ts', '.sql');
    const missing = steps.filter(
      ({ file, name }) => !files.includes(file) || !declares(read(file), name),
    );
    expect(missing).toEqual([]);
  });

  test('name no other function that is gone', () => {
    const source = filesOf('.ts', '.sql')
      .filter((file) => /\/(?:src|migrations)\//.test(file) && !file.includes('/generated/'))
      .map(read)
      .join('\n');
    const names = steps.flatMap(({ rest }) =>
      [...rest.matchAll(/`(?:venture\.)?([a-z]+(?:[A-Z]\w*|_\w+))(?:\(\))?`/g)].map(
        ([, name = '']) => name,
      ),
    );
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(source))).toEqual([]);
  });
});
