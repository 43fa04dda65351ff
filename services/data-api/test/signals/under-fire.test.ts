import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { atLength, closedAfterAll } from '@vcds/test-kit';
import { Follower } from '../../bench/signals/follower.ts';
import { Publishers } from '../../bench/signals/publishers.ts';
import { write } from '../../bench/signals/writers.ts';
import { openApi } from '../support/api.ts';
import { published, type SignalPage } from './support/feed.ts';

const folder = fileURLToPath(new URL('../..', import.meta.url));
const MINUTE_MS = 60_000;

const api = await closedAfterAll(openApi({ seed: 'SELECT 1' }));
// The publishers run from the build.
const publishers = await closedAfterAll(
  new Publishers(folder, api.sql.options.connectionString ?? '', 700),
);

test(
  'with 24 writers, stalls, roll-backs and publishers that are killed, a follower gets every ' +
    'committed change once, in order, and closed windows do not change',
  async () => {
    const page = async (query: Readonly<Record<string, string>>): Promise<SignalPage> => {
      const reply = await api.get('/signals', query);
      if (reply.status !== 200) throw new Error(reply.text);
      return reply.body as SignalPage;
    };
    const follower = new Follower(page, '2020-01-01');
    let isOver = false;
    const following = follower.follow(() => isOver);
    const written = await write({
      url: api.sql.options.connectionString ?? '',
      writers: 24,
      changesMin: atLength(4_000, 50_000),
      changesPerTransaction: 8,
      sharedStartups: 400,
      stallMsMax: 150,
      rollbackShare: 0.05,
      seed: 7,
    });
    publishers.spare();
    await published(api.sql);
    isOver = true;
    await following;
    expect(follower.check(written.expected)).toEqual([]);
    expect(follower.ids).toHaveLength(written.expected.size);
    const closed = await follower.checkWindows();
    expect(closed.faults).toEqual([]);
    expect(closed.windows).toBeGreaterThan(5);
    expect(written.rolledBack).toBeGreaterThan(0);
    expect(publishers.kills).toBeGreaterThan(atLength(0, 10));
    const { rows } = await api.sql.query(
      `SELECT count(*)::int AS signals, max(position)::int AS last,
         count(DISTINCT id)::int AS ids FROM venture.signal`,
    );
    const signals = written.expected.size;
    expect(rows).toEqual([{ signals, last: signals, ids: signals }]);
  },
  atLength(2, 10) * MINUTE_MS,
);
