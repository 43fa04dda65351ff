import { basename, join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Share } from '@vcds/stage-prediction';
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

    test('has next stages that are predicted better than by the last stage alone', async () => {
      const day = Date.UTC(2012, 3, 1) / 86_400_000;
      const { signal } = new AbortController();
      const report = await evaluateNextStages(fixture.pool, day, undefined, signal);
      const rightOf = ({ right, of }: Share) => right / of;
      expect(rightOf(report.served)).toBeGreaterThan(0.7);
      expect(report.coverage).toBeGreaterThan(0.33);
      expect(rightOf(report.all)).toBeGreaterThan(rightOf(report.baseline) + 0.1);
      expect(report.calibrationError).toBeLessThan(0.1);
    });
  },
  [companies, rounds, acquisitions],
);
