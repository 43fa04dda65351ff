import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { repositoryRoot } from '@vcds/local-stack';
import { bannedWords, findInSource } from '../words/find-words.ts';
import { errorsOfName, findMetrics, type Metric } from './find-metrics.ts';
import { filesIn, registeredMetrics } from './registered-metrics.ts';

const names = registeredMetrics.map(({ name }) => name);

describe('the names of metrics', () => {
  test.each<readonly [string, readonly Metric[]]>([
    ["new Counter({\n name: 'a_total', help", [{ kind: 'Counter', name: 'a_total', labels: [] }]],
    ["new Gauge<'x'>({ name: 'a', help", [{ kind: 'Gauge', name: 'a', labels: [] }]],
    ["gauge('a', 'b');\nconst x = new Gauge({\n  name,\n", [{ kind: 'Gauge', name: 'a' }]],
  ])('are found in %j', (source, found) => {
    expect(findMetrics(source)).toEqual(found);
  });

  test.each(['new Gauge({ name: nameOf(x), help', 'new Gauge(options)', 'new Gauge({ name, help'])(
    'must be readable, as not in %j',
    (source) => {
      expect(() => findMetrics(source)).toThrow('not a text in its source');
    },
  );

  test.each<Metric>([
    { kind: 'Counter', name: 'calls_total' },
    { kind: 'Counter', name: 'vcds_calls' },
    { kind: 'Gauge', name: 'vcds_calls_total' },
    { kind: 'Histogram', name: 'vcds_calls' },
    { kind: 'Gauge', name: 'vcds_lag_ms' },
    { kind: 'Gauge', name: 'vcds_calls_count' },
    { kind: 'Gauge', name: 'vcds_db_calls' },
  ])('must follow the rules, as $name of a $kind does not', (metric) => {
    expect(errorsOfName(metric)).toHaveLength(1);
  });

  test('follow the rules', () => {
    expect(names.length).toBeGreaterThan(30);
    expect(registeredMetrics.flatMap(errorsOfName)).toEqual([]);
  });

  test('are unique', () => {
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test('use the words of the glossary', () => {
    const glossary = readFileSync(join(repositoryRoot, 'docs/glossary.md'), 'utf8');
    expect(findInSource(names.join('\n'), bannedWords(glossary))).toEqual([]);
  });

  test('are in the documentation, which has no others', () => {
    const pages = filesIn(join(repositoryRoot, 'docs'), '.md')
      .filter((page) => !page.endsWith('changelog.md'))
      .map((page) => readFileSync(page, 'utf8'))
      .join('\n');
    const documented = new Set(pages.match(/\bvcds_[a-z0-9_]+/g));
    expect(names.filter((name) => !documented.has(name))).toEqual([]);
    const others = [...documented].filter((name) => /_(total|seconds|bytes)$/.test(name));
    expect(others.filter((name) => !names.includes(name))).toEqual([]);
  });
});
