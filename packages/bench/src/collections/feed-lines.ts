import { withClient } from '@vcds/test-kit/bench';
import type { LineRequest, Lines } from './lines.ts';

const SIGNALS = 50;
const MOMENTS = 200;
const TYPE = 'round.recorded';
const OF_TYPE = `type = (SELECT code FROM venture.signal_type WHERE name = $2)
  AND detected_at < $1`;
const COLUMNS =
  'detected_at, position, id, type, occurred_at, subject_type, subject_id, object_id, amount, label';

/** Pages of the feed at positions all over it; the floor reads the same rows by a plain keyset. */
export async function readFeedLines(url: string): Promise<Lines> {
  const { rows } = await withClient(url, (client) =>
    client.query<{ at: Date }>(
      `SELECT date_trunc('milliseconds', first + (last - first) * i / ${MOMENTS}) AS at
       FROM (SELECT min(detected_at) AS first, max(detected_at) AS last FROM venture.signal) feed,
         generate_series(1, ${MOMENTS}) AS i`,
    ),
  );
  const page = (
    at: Date,
    more: string,
    where: string,
    values: readonly unknown[],
  ): LineRequest => ({
    path: `/signals?limit=${SIGNALS}&until=${at.toISOString()}${more}`,
    statements: [
      {
        text: `SELECT ${COLUMNS} FROM venture.signal WHERE ${where}
          ORDER BY detected_at DESC LIMIT ${SIGNALS + 1}`,
        values,
      },
    ],
  });
  return {
    feed: {
      title: `${SIGNALS} signals`,
      requests: rows.map(({ at }) => page(at, '', 'detected_at < $1', [at])),
    },
    'feed-type': {
      title: `${SIGNALS} signals of one type`,
      requests: rows.map(({ at }) => page(at, `&types=${TYPE}`, OF_TYPE, [at, TYPE])),
    },
  };
}
