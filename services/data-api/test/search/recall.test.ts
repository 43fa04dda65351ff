// Tests docs/spec/search.md 7.2.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeWithData } from '@vcds/test-kit';
import { FUNDS_FILE, readFunds } from './support/data-sets.ts';
import { serviceFinder } from './support/finders.ts';
import { insertCompanies } from './support/insert-companies.ts';
import { type ChangedName, changedNames, placesOf, recallOf } from './support/recall.ts';
import { openSearchFixture, type SearchFixture } from './support/search-fixture.ts';
import { changedSites } from './support/site-recall.ts';

/** Queries of each kind of change: 1 % of a share each. */
const PER_CHANGE = 100;
/** Recall of the answerable queries, first and among ten: slightly below docs/search.md. */
const RECALL_MIN: Readonly<Record<string, readonly [first: number, amongTen: number]>> = {
  case: [1, 1],
  accents: [1, 1],
  punctuation: [1, 1],
  'spaces removed': [0.98, 0.99],
  'word split': [0.98, 0.99],
  'typo: insertion': [0.97, 0.99],
  'typo: deletion': [0.97, 0.99],
  'typo: substitution': [0.97, 0.99],
  'typo: transposition': [0.97, 0.99],
  'word dropped': [0.94, 0.98],
  'words swapped': [0.98, 0.99],
  'word added': [0.96, 0.98],
  'legal form added': [0.98, 0.99],
  '60 % prefix': [0.94, 0.99],
  'word dropped and typo': [0.88, 0.95],
  'last word dropped': [0.95, 0.99],
  'another last word': [0.95, 0.98],
};
const OVERALL_RECALL_MIN = { first: 0.985, amongTen: 0.995, site: 0.99 } as const;

describeWithData(
  'the 6,088 funds, searched by changed names and sites',
  (folder) => {
    const funds = readFunds(folder);
    let fixture: SearchFixture;
    let queries: readonly ChangedName[] = [];
    let ranks: readonly number[] = [];

    beforeAll(async () => {
      fixture = await openSearchFixture();
      await insertCompanies(fixture.sql, 'fund', funds);
      const names = funds.map(({ name }) => name);
      queries = changedNames(names, 'report', PER_CHANGE).filter(
        ({ isAnswerable }) => isAnswerable,
      );
      ranks = await placesOf(queries, serviceFinder(fixture.database, ['fund'], 'q'));
    }, 300_000);
    afterAll(() => fixture.close());

    const recall = (wanted: (change: string) => boolean) =>
      recallOf(ranks.filter((_, index) => wanted(queries[index]?.change ?? '')));

    test.each(Object.entries(RECALL_MIN))('%s', (change, [first, amongTen]) => {
      const measured = recall((each) => each === change);
      expect(measured.queries).toBeGreaterThan(0);
      expect(measured.first).toBeGreaterThanOrEqual(first);
      expect(measured.amongTen).toBeGreaterThanOrEqual(amongTen);
    });

    test('all changes together', () => {
      const measured = recall(() => true);
      expect(measured.first).toBeGreaterThanOrEqual(OVERALL_RECALL_MIN.first);
      expect(measured.amongTen).toBeGreaterThanOrEqual(OVERALL_RECALL_MIN.amongTen);
    });

    test('sites in every spelling', async () => {
      const sites = changedSites(funds, 'report', PER_CHANGE);
      const measured = recallOf(
        await placesOf(sites, serviceFinder(fixture.database, ['fund'], 'website')),
      );
      expect(measured.first).toBeGreaterThanOrEqual(OVERALL_RECALL_MIN.site);
    });
  },
  [FUNDS_FILE],
);
