// Tests docs/spec/resources.md 4.13.
import { basename, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { describeWithData, openedPerSuite } from '@vcds/test-kit';
import { openImportFixture } from '../../../../packages/importer/test/support.ts';
import { evaluateNextStages } from '../../src/worker/stages/evaluate-stages.ts';
import { countsOf, expectUnchanged, mapping, OCTOBER_2013 } from './support.ts';

const { companies, rounds, acquisitions, filesRead } = OCTOBER_2013;

describeWithData(
  'October 2013 in one import',
  (data) => {
    const fixture = openedPerSuite(openImportFixture);

    const importAll = () =>
      fixture.importLines([], {
        files: [acquisitions, rounds, companies].map((file) => join(data, file)),
        mapping: mapping('crunchbase-2013oct'),
      });

    test('gives the same counts for any order of its files, and changes nothing again', async () => {
      const report = await importAll();
      expect(report.files.map(({ name, read }) => [basename(name), read])).toEqual(filesRead);
      expect(report.skipped).toEqual([{ because: 'the row is blank', rows: 1534 }]);
      expect(countsOf(report)).toEqual({
        startup: { read: 17_727 + 4651, inserted: 17_727 + 2894, unchanged: 1757 },
        round: { read: 31_679, inserted: 31_616, duplicate: 63 },
        news: { read: 4651, inserted: 4648, duplicate: 3 },
      });
      expectUnchanged(await importAll());
    });

    test('has next stages of which three in four are right on later rounds', async () => {
      const { companies, predicted } = await evaluateNextStages(fixture.pool, '2012-04-01');
      expect(predicted.right / predicted.of).toBeGreaterThan(0.75);
      expect(predicted.of / companies).toBeGreaterThan(0.12);
    });
  },
  [companies, rounds, acquisitions],
);
