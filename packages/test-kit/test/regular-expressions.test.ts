import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { parseSync } from '@swc/core';
import { atLength } from '@vcds/test-kit';

/** A regular expression as it stands in a source file, or `new RegExp(…)` with a computed text. */
interface Expression {
  readonly file: string;
  /** Undefined where the text is computed. */
  readonly source: string | undefined;
  readonly flags: string;
}

/**
 * Expressions whose text is computed: where they are, and why their work is bounded. One that is
 * not listed fails, and so does a line that no source needs any more.
 */
const COMPUTED: Readonly<Record<string, string>> = {
  'packages/demo-data/src/names.ts': 'family names of a list in the source',
  'packages/importer/src/mapping/date-format.ts':
    'texts of at most 100 characters, by a date format of the mapping',
  'packages/name-search/src/legal-phrases.ts':
    'names of at most 300 characters; constant alternatives, which a blank or nothing precedes',
  'packages/name-search/src/name-forms.ts': 'a single character class',
  'packages/odata-query/src/lists/expand.ts': 'constants and at most nine digits, at one position',
  'packages/service-kit/src/edge-variables.ts': "the operator's configuration",
  'packages/venture-model/src/countries/official-name.ts': 'texts of at most 100 characters',
  'packages/venture-model/src/stages/stage-of-series.ts':
    'texts of at most 200 characters; a blank begins each word, so that words cannot overlap',
  'services/access-api/src/registration/email-address.ts':
    'addresses of at most 254 characters; the labels cannot overlap',
  'services/access-api/src/registration/input.ts': 'a fixed number of digits',
};
/** Whether to check all expressions, and not only new ones. */
const CHECKS_ALL = atLength(0, 1) === 1;
/** Digests of the expressions that were found safe: runs add new ones, `npm run soak` removes old ones. */
const SAFE_FILE = fileURLToPath(new URL('fixtures/safe-expressions.txt', import.meta.url));
const knownSafe = new Set(readFileSync(SAFE_FILE, 'utf8').trim().split('\n'));
const root = fileURLToPath(new URL('../../../', import.meta.url));
const expressions = ['packages', 'services']
  .flatMap((group) => sourcesIn(group))
  .flatMap(expressionsIn);

describe('regular expressions', () => {
  test('are found in the sources, as literals, as patterns of schemas and computed', () => {
    expect(expressions.length).toBeGreaterThan(100);
    const found = new Set(expressions.map(({ source }) => source));
    expect(found).toContain('^application\\/json\\s*(;\\s*charset="?utf-8"?\\s*)?$');
    expect(found).toContain('^[^\\s@<>"\'&?]+@[^\\s@<>"\'&?]+$');
    expect(found).toContain(undefined);
  });

  test('do work in proportion to the text they read', () => {
    const written = expressions.filter(isWritten);
    const unknown = written.filter((each) => CHECKS_ALL || !knownSafe.has(digestOf(each)));
    const slow = superlinear(unknown);
    if (unknown.length > 0) {
      const unsafe = new Set(slow.map(digestOf));
      const safe = new Set([...(CHECKS_ALL ? [] : knownSafe), ...unknown.map(digestOf)]);
      const lines = [...safe].filter((each) => !unsafe.has(each)).sort();
      writeFileSync(SAFE_FILE, `${lines.join('\n')}\n`);
    }
    expect(slow).toEqual([]);
  }, 300_000);

  test('whose text is computed are listed, each with what bounds it', () => {
    const computed = expressions.filter((each) => !isWritten(each));
    expect([...new Set(computed.map(({ file }) => file))].sort()).toEqual(Object.keys(COMPUTED));
  });

  test('that do more are recognised', () => {
    const sources = ['\\s+$', '\\beyJ[\\w-]{5,}\\.[\\w-]+', '(a|a)*$', '(?<!x)(a|a)+$'];
    const slow = sources.map((source) => ({ file: 'here', source, flags: '' }));
    expect(superlinear(slow)).toEqual(slow);
  });
});

function digestOf({ source, flags }: Written): string {
  return createHash('sha256').update(`/${source}/${flags}`).digest('hex').slice(0, 12);
}

interface Written extends Expression {
  readonly source: string;
}

function isWritten(expression: Expression): expression is Written {
  return expression.source !== undefined;
}

/** Those of which recheck does not say that they are safe. */
function superlinear(written: readonly Written[]): readonly Written[] {
  const distinct = new Map(written.map((each) => [`/${each.source}/${each.flags}`, each]));
  if (distinct.size === 0) return [];
  const input = JSON.stringify([...distinct.values()].map(({ source, flags }) => [source, flags]));
  const script = fileURLToPath(new URL('fixtures/analyse-expressions.mjs', import.meta.url));
  const verdicts: unknown = JSON.parse(
    execFileSync(process.execPath, [script], { input, encoding: 'utf8' }),
  );
  if (!Array.isArray(verdicts) || verdicts.length !== distinct.size) {
    throw new Error('The analysis gave no verdict on each expression.');
  }
  return [...distinct.values()].filter((_, i) => verdicts[i] !== 'safe');
}

function sourcesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      return ['node_modules', 'dist', 'generated'].includes(entry.name) ? [] : sourcesIn(path);
    }
    return /^(packages|services)\/[^/]+\/src\/.*\.ts$/.test(path) ? [path] : [];
  });
}

function expressionsIn(file: string): Expression[] {
  const found: Expression[] = [];
  const { body } = parseSync(readFileSync(join(root, file), 'utf8'), { syntax: 'typescript' });
  visit(body, (node) => {
    if (node.type === 'RegExpLiteral') {
      found.push({ file, source: String(node.pattern), flags: String(node.flags) });
    }
    const isCall = node.type === 'NewExpression' || node.type === 'CallExpression';
    if (isCall && asNode(node.callee)?.value === 'RegExp') {
      found.push({ file, source: undefined, flags: '' });
    }
    if (node.type === 'KeyValueProperty' && asNode(node.key)?.value === 'pattern') {
      found.push(...schemaPattern(file, asNode(node.value)));
    }
  });
  return found;
}

// ajv compiles the `pattern` of a schema with the flag u.
function schemaPattern(file: string, value: Node | undefined): Expression[] {
  if (value?.type === 'StringLiteral') return [{ file, source: String(value.value), flags: 'u' }];
  return value?.type === 'TemplateLiteral' ? [{ file, source: undefined, flags: 'u' }] : [];
}

type Node = Readonly<Record<string, unknown>>;

function asNode(value: unknown): Node | undefined {
  return typeof value === 'object' && value !== null ? (value as Node) : undefined;
}

function visit(value: unknown, seen: (node: Node) => void): void {
  if (Array.isArray(value)) for (const each of value) visit(each, seen);
  const node = asNode(value);
  if (node === undefined || Array.isArray(value)) return;
  seen(node);
  for (const each of Object.values(node)) visit(each, seen);
}
