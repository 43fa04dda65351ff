import { tmpdir } from 'node:os';
import { expect, test } from '@jest/globals';
import { fillWorld } from '../../src/demo/fill-world.ts';
import { generateWorld } from '../../src/demo/world.ts';
import { SIGNAL_TYPES } from '../../src/signals/index.ts';
import { signalsOf } from '../demo/support/signal-causes.ts';
import { openFeed } from './support/feed.ts';

test('the demonstration world tells every type, dated by its lines', async () => {
  const world = { startups: 200, today: '2026-01-01' };
  const feed = await openFeed();
  try {
    await fillWorld({ connectionString: feed.url, world, rejectedFolder: tmpdir() });
    await feed.published();
    const { signals } = await feed.follow({ limit: '200' });
    expect(new Set(signals.map(({ type }) => type))).toEqual(
      new Set(SIGNAL_TYPES.map(({ name }) => name)),
    );
    const dates = new Map<string, Set<string>>();
    for (const line of generateWorld(world)) {
      for (const type of signalsOf(line)) {
        const known = dates.get(type) ?? new Set();
        dates.set(type, known.add(new Date(line.occurredAt ?? 0).toISOString()));
      }
    }
    for (const type of ['startup.added', 'startup.updated', 'round.recorded', 'round.updated']) {
      const told = signals.filter((signal) => signal.type === type);
      const undated = told.filter(({ occurredAt }) => dates.get(type)?.has(occurredAt) !== true);
      expect([type, undated]).toEqual([type, []]);
    }
    await fillWorld({ connectionString: feed.url, world, rejectedFolder: tmpdir() });
    await feed.published();
    expect((await feed.follow({ limit: '200' })).signals).toHaveLength(signals.length);
  } finally {
    await feed.close();
  }
}, 120_000);
