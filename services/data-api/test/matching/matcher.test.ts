import { expect, test } from '@jest/globals';
import { openRanker, train } from '@vcds/matching';
import { plantedData } from '../../../../packages/matching/test/planted-data.ts';
import { Matcher } from '../../src/matching/matcher.ts';

test('hits whose rounded scores are equal are in order of id', () => {
  const data = plantedData(1, { companies: 200, investors: 120 });
  const matcher = new Matcher('v', openRanker(train(data), data), data);
  const request = { record: undefined, excluded: [], limit: 100 };
  let equal = 0;
  for (const tag of ['fintech', 'health', 'games', 'energy']) {
    for (const country of ['DE', 'FR', 'US']) {
      const criteria = { tags: [tag], country };
      const hits = matcher.rank({ ...request, subject: undefined, criteria }) ?? [];
      const ordered = hits.toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
      expect(hits.map(({ id }) => id)).toEqual(ordered.map(({ id }) => id));
      equal += hits.filter(({ score }, k) => score === hits[k + 1]?.score).length;
    }
  }
  expect(equal).toBeGreaterThan(0);
});
