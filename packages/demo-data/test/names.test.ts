import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { atLength, describeWithData } from '@vcds/test-kit';
import { datasetLines } from '../src/dataset.ts';
import { type CompanyName, domainLabel, fundName, startupName } from '../src/names.ts';
import { datasetSpec } from '../src/spec.ts';
import { STARTUP_STEMS } from '../src/words/stems.ts';

const lines = datasetLines({ startups: atLength(2_000, 20_000) });
const spec = datasetSpec({ startups: 4_000_000, today: '2026-01-01' });

function expectDistinct(length: number, nameAt: (at: number) => CompanyName): void {
  const names = Array.from({ length }, (_, at) => nameAt(at));
  expect(new Set(names.map(({ name }) => name)).size).toBe(length);
  expect(new Set(names.map(({ label }) => label)).size).toBe(length);
}

describe('names', () => {
  test('of startups differ in their first word until all are used', () => {
    const stems = STARTUP_STEMS.map(domainLabel);
    expect(new Set(stems).size).toBe(stems.length);
  });

  test('of startups and their domains are unique, also in the largest data set', () => {
    // The first ones, and some of each further use of the same word parts.
    expectDistinct(40_000, (at) => startupName(spec, at < 20_000 ? at : at * 97, at % 17, null));
  });

  test('of funds are unique', () => {
    expectDistinct(20_000, (at) => fundName(spec, at * 14, ['Ventures']));
  });

  test.each([
    ['Bjørkånät Söl & Łódź Ltd.', 'bjorkanat-sol-lodz-ltd'],
    ['Élan 42', 'elan-42'],
    ['Straße der Ærø', 'strasse-der-aero'],
  ])('"%s" becomes the label %s', (name, label) => {
    expect(domainLabel(name)).toBe(label);
  });
});

test.each([
  ['accents', /[À-ž]/, 0.02],
  ['scripts of East Asia', /\p{Script=Han}|\p{Script=Hangul}|\p{Script=Katakana}/u, 0.005],
  ['other scripts', /\p{Script=Hebrew}|\p{Script=Arabic}|\p{Script=Greek}/u, 0.001],
  ['legal forms', / (Inc\.|Ltd|GmbH|AB|SAS)$/, 0.01],
])('a data set has names with %s', (_, pattern, share) => {
  const names = lines.flatMap((line) =>
    line.type === 'startup' && line.op === 'upsert' ? [line.Name] : [],
  );
  expect(names.filter((name) => pattern.test(name)).length).toBeGreaterThan(share * names.length);
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
      const invented = lines.flatMap((line) =>
        'Name' in line && typeof line.Name === 'string' ? [line.Name] : [],
      );
      expect(invented.filter((name) => words.has(name.toLowerCase()))).toEqual([]);
    });
  },
  FILES,
);
