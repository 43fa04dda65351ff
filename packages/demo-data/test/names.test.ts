import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ImportLine } from '@vcds/importer';
import { describeWithData } from '@vcds/test-kit';
import { datasetLines } from '../src/dataset.ts';
import { domainLabel, fundName, startupName } from '../src/names.ts';
import { datasetSpec } from '../src/spec.ts';
import { FLAVOURS } from '../src/words/brands.ts';

const spec = datasetSpec({ startups: 4_000_000, today: '2026-01-01' });

describe('names', () => {
  test('of startups differ if their parts differ', () => {
    const stems = [...new Set(FLAVOURS)].flatMap(({ starts, middles, ends }) =>
      starts.flatMap((start) =>
        middles.flatMap((middle) => ends.map((end) => domainLabel(start + middle + end))),
      ),
    );
    expect(new Set(stems).size).toBe(stems.length);
  });

  test('of startups and their domains are unique, also in the largest data set', () => {
    const names = new Set<string>();
    const labels = new Set<string>();
    // The first ones, and some of each further use of the same word parts.
    const indexes = Array.from({ length: 40_000 }, (_, at) => (at < 20_000 ? at : at * 97));
    for (const index of indexes) {
      const { name, label } = startupName(spec, index, index % 17, null);
      names.add(name);
      labels.add(label);
    }
    expect(names.size).toBe(indexes.length);
    expect(labels.size).toBe(indexes.length);
  });

  test('of funds are unique', () => {
    const indexes = Array.from({ length: 20_000 }, (_, at) => at * 14);
    const names = new Set(indexes.map((index) => fundName(spec, index, ['Ventures']).name));
    const labels = new Set(indexes.map((index) => fundName(spec, index, ['Ventures']).label));
    expect(names.size).toBe(indexes.length);
    expect(labels.size).toBe(indexes.length);
  });

  test.each([
    ['Bjørkånät Söl & Łódź Ltd.', 'bjorkanat-sol-lodz-ltd'],
    ['Élan 42', 'elan-42'],
    ['Straße der Ærø', 'strasse-der-aero'],
  ])('"%s" becomes the label %s', (name, label) => {
    expect(domainLabel(name)).toBe(label);
  });
});

describe('a data set of 6,000 startups', () => {
  let lines: readonly ImportLine[] = [];
  beforeAll(() => {
    lines = datasetLines({ startups: 6000 });
  });

  test('has names with accents and in other scripts, and legal forms', () => {
    const names = lines.flatMap((line) =>
      line.type === 'startup' && line.op === 'upsert' ? [line.Name] : [],
    );
    const share = (pattern: RegExp) =>
      names.filter((name) => pattern.test(name)).length / names.length;
    expect(share(/[À-ž]/)).toBeGreaterThan(0.02);
    expect(share(/\p{Script=Han}|\p{Script=Hangul}|\p{Script=Katakana}/u)).toBeGreaterThan(0.005);
    expect(share(/\p{Script=Hebrew}|\p{Script=Arabic}|\p{Script=Greek}/u)).toBeGreaterThan(0.001);
    expect(share(/ (Inc\.|Ltd|GmbH|AB|SAS)$/)).toBeGreaterThan(0.01);
  });
});

const FILES = [
  'yc-history/yc_changes_dev.jsonl',
  'crunchbase-2013oct-datahoarder/crunchbase-companies.csv',
  'vc-investors-findavc2025/vcs.csv',
  'unicorns-2022/Unicorn_Companies.csv',
  'crunchbase-lando224/people_investments.csv',
];

describeWithData(
  'real companies, funds and people',
  (folder) => {
    test('are not in the data set', async () => {
      const words = new Set<string>();
      for (const file of FILES) {
        const text = await readFile(join(folder, file), 'latin1');
        for (const word of text.matchAll(/[^,"\t\r\n{}:]{3,60}/g)) {
          words.add(word[0].trim().toLowerCase());
        }
      }
      expect(words.size).toBeGreaterThan(50_000);
      const invented = datasetLines({ startups: 20_000 }).flatMap((line) =>
        'Name' in line && typeof line.Name === 'string' ? [line.Name] : [],
      );
      expect(invented.filter((name) => words.has(name.toLowerCase()))).toEqual([]);
    });
  },
  FILES,
);
