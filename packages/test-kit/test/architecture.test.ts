import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const files = ['packages', 'services'].flatMap((group) => codeIn(group));
const sources = files.filter((file) => /^(packages|services)\/[^/]+\/src\//.test(file));

interface Import {
  readonly file: string;
  /** A package, or the path of a file of the repository. */
  readonly target: string;
  readonly isType: boolean;
}

const imports: readonly Import[] = sources.flatMap(importsOf);
const entries = entriesOfMembers();
/** The imports that a file loads; imports of types load nothing. */
const loadedBy = new Map(sources.map((file): [string, string[]] => [file, []]));
for (const { file, target, isType } of imports) {
  if (!isType) loadedBy.get(file)?.push(entries.get(target) ?? target);
}

/**
 * The folders of a source root from the bottom up; `.` is the files of the root itself. A folder
 * imports only folders before it, types included. A folder with a slash is a layer of its own.
 */
const LAYERS: readonly (readonly [string, readonly string[]])[] = [
  ['packages/matching/src', ['history', 'features', 'learn', 'rank', 'evaluate', '.']],
  [
    'packages/importer/src',
    [
      ...['errors', 'records', 'normalise', 'schema', 'sources', 'mapping', 'staging', 'checks'],
      ...['apply', 'terms', 'rates', 'report', 'run', '.'],
    ],
  ],
  [
    'services/access-api/src',
    [
      ...['accounts', 'limits', 'keys', 'credits', 'registration', 'legacy'],
      ...['oauth', 'pages', 'site', 'mail', 'admin', '.'],
    ],
  ],
  [
    'services/data-api/src',
    [
      ...[
        'postgres',
        'threads',
        'models',
        'facet-tables',
        'sandbox-data',
        'serve/request',
        'resources',
        'tables',
      ],
      'replica',
      'authenticate',
      ...[
        'observations',
        'credits',
        'narrowing',
        'hints',
        'merged',
        'collections',
        'categories',
        'aggregates',
        'search',
        'similar',
        'find',
        'company-match',
        'signals',
        'changes',
        'snapshots',
      ],
      ...['activity', 'matching', 'serve', 'coverage', 'odata', 'mcp', 'sandbox', 'worker', '.'],
    ],
  ],
];

describe('the direction of dependencies', () => {
  test('is found in the sources at all', () => {
    expect(sources.length).toBeGreaterThan(50);
    expect(imports.some(({ target }) => target === 'express')).toBe(true);
  });

  test('services never import each other, and packages never import services', () => {
    const crossing = imports.filter(
      ({ file, target }) =>
        (target.startsWith('services/') && memberOf(target) !== memberOf(file)) ||
        /^@vcds\/(data-api|access-api)/.test(target),
    );
    expect(crossing).toEqual([]);
  });

  test('no member reaches into another one: it imports its name', () => {
    const reaching = imports.filter(
      ({ file, target }) =>
        /^(packages|services)\//.test(target) && memberOf(target) !== memberOf(file),
    );
    expect(reaching).toEqual([]);
  });

  test.each([
    ['packages/name-search', ['@vcds/odata-query', '@vcds/venture-model', 'tldts']],
    ['packages/resolution', ['@vcds/name-search', '@vcds/odata-query', '@vcds/venture-model']],
    ['packages/matching', ['pure-rand/generator/xoroshiro128plus']],
    ['packages/odata-query', []],
    ['packages/client', ['node:fs/promises']],
    [
      'packages/facet-engine',
      [...['node:os', 'node:timers/promises', 'node:worker_threads'], ...['pg', 'pg-copy-streams']],
    ],
  ])('%s imports nothing but %j', (member, allowed) => {
    const foreign = imports.filter(
      ({ file, target }) => memberOf(file) === member && !target.startsWith(`${member}/`),
    );
    expect([...new Set(foreign.map(({ target }) => target))].sort()).toEqual(allowed);
  });

  test.each([
    ['page', ['@vcds/venture-model', 'entities', 'htmlparser2', 'tldts']],
    [
      'outbound-http',
      [
        ...['@vcds/service-kit/error-code', '@vcds/venture-model', 'ipaddr.js'],
        ...['node:dns/promises', 'node:events', 'node:net', 'node:tls', 'node:util', 'node:zlib'],
        'undici',
      ],
    ],
  ])('packages/site-facts/src/%s imports nothing but %j', (folder, allowed) => {
    const inside = `packages/site-facts/src/${folder}/`;
    const foreign = imports.filter(
      ({ file, target }) => file.startsWith(inside) && !target.startsWith(inside),
    );
    expect([...new Set(foreign.map(({ target }) => target))].sort()).toEqual(allowed);
  });

  test.each([
    'services/data-api/src/serve/request/',
    'services/data-api/src/resources/',
    'packages/matching/src/',
    'packages/site-facts/src/page/',
    'packages/suggestions/src/',
    'packages/metering/src/access/',
    'packages/metering/src/answer/',
    'packages/metering/src/ledger/',
    'packages/metering/src/price/',
  ])('%s is pure: no web framework, no store, no clock, no files', (folder) => {
    const impure =
      /^(express|ioredis|pg|pg-.*|@prisma\/.*|bullmq|node:(fs|net|http|https|child_process).*)$/;
    const inside = sources.filter((file) => file.startsWith(folder));
    const loaded = [...waysFrom(inside)].filter(([target]) => impure.test(target));
    expect(loaded.map(([, way]) => way)).toEqual([]);
    const timed = sources.filter(
      (file) =>
        file.startsWith(folder) && /Date\.now\(|new Date\(\)|Math\.random/.test(textOf(file)),
    );
    expect(timed).toEqual([]);
  });

  test.each(LAYERS)(
    'every folder of %s is a layer, and imports only those below',
    (under, order) => {
      const inside = sources.filter((file) => file.startsWith(`${under}/`));
      const folderOf = (file: string): string => {
        const [folder = '', ...rest] = file.slice(under.length + 1).split('/');
        const inner = `${folder}/${rest[0]}`;
        if (order.includes(inner)) return inner;
        return rest.length === 0 ? '.' : folder;
      };
      expect([...new Set(inside.map(folderOf))].sort()).toEqual([...order].sort());
      const upward = imports.filter(
        ({ file, target }) =>
          inside.includes(file) &&
          inside.includes(target) &&
          order.indexOf(folderOf(file)) < order.indexOf(folderOf(target)),
      );
      expect(upward.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
    },
  );

  test('the data worker and what answers requests share only the rooms below both', () => {
    const src = 'services/data-api/src/';
    const shared = [
      ...['worker', 'postgres', 'facet-tables', 'resources', 'replica', 'models'],
      ...['observations', 'threads', 'sandbox-data'],
    ];
    const roomOf = (path: string) => path.slice(src.length).split('/', 1)[0] ?? '';
    const crossing = imports.filter(
      ({ file, target }) =>
        file.startsWith(src) &&
        target.startsWith(src) &&
        (roomOf(file) === 'worker'
          ? !shared.includes(roomOf(target))
          : roomOf(target) === 'worker'),
    );
    expect(crossing.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
  });

  test('imports make no circle', () => {
    expect(circles()).toEqual([]);
  });
});

describe('the way code is written', () => {
  test('files have at most 350 lines, without those that name the tested sections', () => {
    const linesOf = (file: string) =>
      textOf(file)
        .replace(/^\/\/ Tests docs.*\n/gm, '')
        .trimEnd()
        .split('\n').length;
    const long = files
      .map((file) => ({ file, lines: linesOf(file) }))
      .filter(({ lines }) => lines > 350);
    expect(long).toEqual([]);
  });

  test('file names are kebab-case', () => {
    const named = files.filter((file) => !/\/[a-z0-9]+([-.][a-z0-9]+)*\.ts$/.test(`/${file}`));
    expect(named).toEqual([]);
  });

  test('tests cut off no connections of other tests: they have them cut off by name', () => {
    const cutting = files.filter((file) =>
      /pg_terminate_backend\((?!\$1[),])/.test(withoutThisFile(file)),
    );
    // The incidents have a server of their own.
    expect(cutting).toEqual([
      'packages/bench/test/alerts/incidents.ts',
      'packages/test-kit/src/postgres.ts',
    ]);
  });

  test('URLs are parsed without URL.canParse, which rejects valid ones in Node 20', () => {
    const users = sources.filter((file) => /\bURL\.canParse\(/.test(textOf(file)));
    expect(users).toEqual([]);
  });

  test('nothing silences the type checker or the linter', () => {
    const silenced = files.filter((file) =>
      /@ts-(ignore|nocheck|expect-error)|biome-ignore|\bas any\b(?! \w)/.test(
        withoutThisFile(file),
      ),
    );
    expect(silenced).toEqual([]);
  });
});

function withoutThisFile(file: string): string {
  return file === 'packages/test-kit/test/architecture.test.ts' ? '' : textOf(file);
}

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

function importsOf(file: string): Import[] {
  const statements = textOf(file).matchAll(
    /(?:^|\n)\s*(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/g,
  );
  return [...statements].map(([, type, specifier = '']) => ({
    file,
    target: specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : specifier,
    isType: type !== undefined,
  }));
}

/** Everything that is loaded with some files, however far away, each with one way to it. */
function waysFrom(start: readonly string[]): ReadonlyMap<string, string> {
  const ways = new Map(start.map((file) => [file, file]));
  // A map is read on while it grows.
  for (const [file, way] of ways) {
    for (const target of loadedBy.get(file) ?? []) {
      if (!ways.has(target)) ways.set(target, `${way} → ${target}`);
    }
  }
  return ways;
}

/** The source file that the name of a workspace member resolves to, by its package.json. */
function entriesOfMembers(): ReadonlyMap<string, string> {
  const members = new Set(sources.map(memberOf));
  return new Map(
    [...members].flatMap((member) => {
      const { name, exports = {} } = JSON.parse(textOf(`${member}/package.json`)) as {
        readonly name: string;
        readonly exports?: Readonly<Record<string, { readonly '@vcds/source': string }>>;
      };
      return Object.entries(exports).map(([path, { '@vcds/source': source }]): [string, string] => [
        join(name, path),
        join(member, source),
      ]);
    }),
  );
}

function memberOf(file: string): string {
  return file.split('/').slice(0, 2).join('/');
}

/** Circles of imports that are carried out; those of types alone are harmless. */
function circles(): string[] {
  const found: string[] = [];
  const state = new Map<string, 'open' | 'done'>();
  const visit = (file: string, trail: readonly string[]): void => {
    if (state.get(file) === 'done') return;
    if (state.get(file) === 'open') {
      found.push([...trail.slice(trail.indexOf(file)), file].join(' → '));
      return;
    }
    state.set(file, 'open');
    for (const target of loadedBy.get(file) ?? []) visit(target, [...trail, file]);
    state.set(file, 'done');
  };
  for (const file of loadedBy.keys()) visit(file, []);
  return found;
}

/** The TypeScript files below a folder, without what is installed, generated or built. */
function codeIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isFile()) return entry.name.endsWith('.ts') ? [path] : [];
    const isCode = !['node_modules', 'dist', 'generated'].includes(entry.name);
    return entry.isDirectory() && isCode ? codeIn(path) : [];
  });
}
