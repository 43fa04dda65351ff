// Tests docs/spec/operations.md 16.11.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const lister = fileURLToPath(new URL('fixtures/loaded-scripts.mjs', import.meta.url));
const HEAVY_PACKAGES = ['express', 'ioredis', 'pino', 'prom-client'];

/** The scripts that Node parses when a program imports an entry of a package, as it is built. */
function loadedBy(member: string, entry: string): string[] {
  const { exports } = JSON.parse(readFileSync(join(root, member, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, { readonly default: string }>>;
  };
  const file = join(root, member, exports[entry]?.default ?? 'none');
  return JSON.parse(execFileSync(process.execPath, [lister, file], { encoding: 'utf8' }));
}

/** How many of the scripts belong to each heavy package. */
function heavyIn(scripts: readonly string[]): Readonly<Record<string, number>> {
  const count = (name: string) =>
    scripts.filter((path) => path.includes(`/node_modules/${name}/`)).length;
  return Object.fromEntries(HEAVY_PACKAGES.map((name) => [name, count(name)]));
}

describe('the modules that an import loads', () => {
  test('are all counted: the HTTP edge loads the heavy packages', () => {
    const counts = Object.values(heavyIn(loadedBy('packages/service-kit', '.')));
    expect(Math.min(...counts)).toBeGreaterThan(0);
  });

  test.each([
    ['packages/odata-query', '.'],
    ['packages/credentials', '.'],
    ['packages/metering', '.'],
    ['packages/service-kit', './api-errors'],
    ['packages/service-kit', './error-code'],
  ])('%s %s: no web framework, Redis client, logger or metrics', (member, entry) => {
    const scripts = loadedBy(member, entry);
    expect(heavyIn(scripts)).toEqual({ express: 0, ioredis: 0, pino: 0, 'prom-client': 0 });
    expect(scripts.length).toBeGreaterThan(0);
  });

  test.each(['packages/service-kit', 'services/data-api'])(
    'leave the SDK of OpenTelemetry to processes that trace: %s',
    (member) => {
      const scripts = loadedBy(member, '.');
      const sdk = /@opentelemetry\/(?!api\/)|start-tracing/;
      expect(scripts.filter((path) => sdk.test(path))).toEqual([]);
    },
  );

  test('leave the SDK of MCP to the first message of an assistant', () => {
    const scripts = loadedBy('services/data-api', '.');
    expect(scripts.filter((path) => /modelcontextprotocol|packages\/mcp/.test(path))).toEqual([]);
    expect(heavyIn(scripts).express).toBeGreaterThan(0);
  });
});
