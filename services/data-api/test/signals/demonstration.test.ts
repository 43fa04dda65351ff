import { expect, test } from '@jest/globals';
import { fillDatabase, generateDataset } from '@vcds/demo-data';
import { signalsOf } from '../../../../packages/demo-data/test/support/signal-causes.ts';
import { SIGNAL_TYPES } from '../../src/signals/signal-types.ts';
import { openFeed } from './support/feed.ts';

test('the demonstration data causes signals of every type, dated by its lines', async () => {
  const dataset = { startups: 200, today: '2026-01-01' };
  const feed = await openFeed();
  try {
    await fillDatabase({ connectionString: feed.url, dataset });
    await feed.published();
    const { signals } = await feed.follow({ limit: '200' });
    expect(new Set(signals.map(({ type }) => type))).toEqual(
      new Set(SIGNAL_TYPES.map(({ name }) => name)),
    );
    const dates = new Map<string, Set<string>>();
    for (const line of generateDataset(dataset)) {
      for (const type of signalsOf(line)) {
        const dated = dates.get(type) ?? new Set();
        dates.set(type, dated.add(new Date(line.occurredAt ?? 0).toISOString()));
      }
    }
    for (const type of ['startup.added', 'startup.updated', 'round.recorded', 'round.updated']) {
      const ofType = signals.filter((signal) => signal.type === type);
      const undated = ofType.filter(({ occurredAt }) => dates.get(type)?.has(occurredAt) !== true);
      expect([type, undated]).toEqual([type, []]);
    }
    await fillDatabase({ connectionString: feed.url, dataset });
    await feed.published();
    expect((await feed.follow({ limit: '200' })).signals).toHaveLength(signals.length);
  } finally {
    await feed.close();
  }
}, 120_000);
