import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { foldName } from '@vcds/name-search';
import { closedAfterAll, describeWithData } from '@vcds/test-kit';
import fc from 'fast-check';
import { Q_LENGTH_MAX } from '../../src/search/search-request.ts';
import { openSearchFixture } from './support/search-fixture.ts';

const fixture = await closedAfterAll(
  openSearchFixture([{ name: 'Plain Name', website: 'plain.com' }]),
);

test('no text makes a search fail', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary', maxLength: Q_LENGTH_MAX }),
      fc.option(fc.string({ unit: 'binary', maxLength: 100 }), { nil: undefined }),
      async (q, website) => {
        const matches = await fixture.find({ q, ...(website === undefined ? {} : { website }) });
        for (const { Score } of matches) {
          expect(Score).toBeGreaterThan(0);
          expect(Score).toBeLessThanOrEqual(1);
        }
      },
    ),
    { numRuns: 150 },
  );
});

test('names of the maximum length can be searched for', async () => {
  for (const text of ['a'.repeat(200), 'ab '.repeat(66), '漢'.repeat(200), "'".repeat(200)]) {
    expect(await fixture.find({ q: text, website: text })).toEqual([]);
  }
});

test('names that grow when they are folded, and very long words, can be stored and found', async () => {
  const names = ['ﷺ'.repeat(500), '㌀'.repeat(300), 'z'.repeat(2_500), `${'y'.repeat(900)} tail`];
  await fixture.insert(...names.map((name) => ({ name })));
  expect(await fixture.names('ﷺ'.repeat(20))).toEqual([names[0]]);
});

const FILE = 'robustness/blns/blns.json';

describeWithData(
  'the Big List of Naughty Strings',
  (folder) => {
    const strings: string[] = JSON.parse(readFileSync(join(folder, FILE), 'utf8'));

    test('each can be a name, and is found if it has visible characters', async () => {
      const visible = strings.map((each) => each.replaceAll('\0', ''));
      const names = visible.filter((each) => foldName(each) !== '');
      await fixture.insert(...names.map((name) => ({ name })));
      for (const name of names.filter(({ length }) => length <= Q_LENGTH_MAX)) {
        const matches = await fixture.find({ q: name, top: 100, fields: ['Name', 'Score'] });
        if (/^\s*https?:/u.test(name)) continue;
        expect([name, matches.some((match) => match.Name === name)]).toEqual([name, true]);
      }
    });

    test('none makes a search by site fail', async () => {
      for (const website of strings) await fixture.find({ website });
    });
  },
  [FILE],
);
