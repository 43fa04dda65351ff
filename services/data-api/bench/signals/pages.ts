import { grouped, quantile, say, timed } from '@vcds/test-kit/bench';
import pg from 'pg';
import { openBenchApi } from './bench-api.ts';

const PAGES = 400;
const WARM_UP = 40;
const ROWS_AT_ONCE = 1_000_000;
const SUBJECTS = 500_000;
const STARTUP = '00000000-0000-4000-8000-000000000007';

type Query = Readonly<Record<string, string>>;

/** Measures pages at the first and at the last position of a feed of that many signals. */
export async function measurePages(url: string, signals: number): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  await fill(pool, signals);
  const places = await placesOf(pool, signals);
  await pool.end();
  const api = await openBenchApi(url);
  say(`page cost, ${grouped(signals)} signals, ${PAGES} pages each, milliseconds`);
  const shapes: readonly (readonly [name: string, query: Query])[] = [
    ['50 signals', {}],
    ['200 signals', { limit: '200' }],
    ['one type', { types: 'round.recorded' }],
    ['three types', { types: 'round.recorded,news.mention,fund.added' }],
    ['one subject', { subject: STARTUP }],
    ['minAmount a million', { minAmount: '1000000' }],
    ['expand both', { expand: 'subject,object' }],
  ];
  for (const [name, query] of shapes) {
    for (const order of ['asc', 'desc']) {
      const first = await costs(api.page, { ...query, order, ...places.first[order] });
      const last = await costs(api.page, { ...query, order, ...places.last[order] });
      const ratio = quantile(last, 0.5) / quantile(first, 0.5);
      say(
        `${name.padEnd(22)} ${order.padEnd(4)}  at 1: p50 ${show(first, 0.5)} p99 ${show(first, 0.99)}` +
          `   at ${signals}: p50 ${show(last, 0.5)} p99 ${show(last, 0.99)}   ratio ${ratio.toFixed(2)}`,
      );
    }
  }
  await searches(api.page);
  await api.close();
}

const show = (values: readonly number[], share: number) =>
  quantile(values, share).toFixed(2).padStart(6);

async function costs(page: (query: Query) => Promise<unknown>, query: Query): Promise<number[]> {
  const costs: number[] = [];
  for (let n = 0; n < PAGES + WARM_UP; n++) {
    const costMs = await timed(() => page(query));
    if (n >= WARM_UP) costs.push(costMs);
  }
  return costs;
}

/** Filters that have no order of their own: what they cost where little matches. */
async function searches(page: (query: Query) => Promise<unknown>): Promise<void> {
  const shapes: readonly (readonly [name: string, query: Query])[] = [
    ['one day of the market, rare', { occurredSince: '2012-05-01', occurredUntil: '2012-05-02' }],
    ['amounts above 990 million', { minAmount: '990000000' }],
    ['nothing at all', { minAmount: '9000000000000' }],
    ['both, nothing', { minAmount: '999000000', occurredSince: '2012-05-01' }],
  ];
  for (const [name, query] of shapes) {
    const taken: number[] = [];
    for (let n = 0; n < 20; n++) {
      taken.push(await timed(() => page({ order: 'asc', ...query })));
    }
    say(`${name.padEnd(30)} p50 ${show(taken, 0.5)} ms, longest ${show(taken, 1)} ms`);
  }
}

interface Places {
  readonly asc: Query;
  readonly desc: Query;
}

// A page of 200 in either order is full at either place.
async function placesOf(
  pool: pg.Pool,
  signals: number,
): Promise<{ first: Record<string, Query>; last: Record<string, Query> }> {
  const at = async (position: number): Promise<string> => {
    const { rows } = await pool.query<{ at: string }>(
      `SELECT to_char(('2020-01-01'::timestamptz + $1::bigint * interval '37 microseconds')
         AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at`,
      [position],
    );
    return rows[0]?.at ?? '';
  };
  const margin = Math.min(200_000, Math.floor(signals / 10));
  const first: Places = { asc: { since: await at(1) }, desc: { until: await at(margin) } };
  const last: Places = {
    asc: { since: await at(signals - margin) },
    desc: { until: await at(signals + 1) },
  };
  return { first: { ...first }, last: { ...last } };
}

async function fill(pool: pg.Pool, signals: number): Promise<void> {
  const startedMs = performance.now();
  await pool.query(`DROP INDEX venture.signal_by_type, venture.signal_by_subject,
    venture.signal_by_occurred_at, venture.signal_by_amount`);
  for (let from = 1; from <= signals; from += ROWS_AT_ONCE) {
    await pool.query(
      `INSERT INTO venture.signal (detected_at, position, id, type, subject_type, subject_id,
         object_id, occurred_at, amount, label)
       SELECT '2020-01-01'::timestamptz + n * interval '37 microseconds', n, gen_random_uuid(),
         t.type, CASE WHEN t.type IN (3, 5, 6, 9, 10, 11) THEN 2 ELSE 1 END,
         CASE WHEN n % 1000 = 0 THEN '${STARTUP}'::uuid ELSE
           ('00000000-0000-4000-8000-' || lpad((random() * ${SUBJECTS})::int::text, 12, '0'))::uuid
         END,
         CASE WHEN t.type NOT IN (7, 8, 9, 10) THEN gen_random_uuid() END,
         date_trunc('minute', '2010-01-01'::timestamptz + random() * 4000 * interval '1 day'),
         CASE WHEN t.type IN (1, 2, 3, 4) THEN (power(10, 4 + random() * 5))::bigint END,
         CASE WHEN t.type IN (1, 2, 3) THEN 'Series A' END
       FROM generate_series($1::bigint, $2::bigint) n
       CROSS JOIN LATERAL (SELECT (1 + (n * 7919) % 12)::int AS type) t`,
      [from, Math.min(from + ROWS_AT_ONCE - 1, signals)],
    );
  }
  await pool.query(`SET maintenance_work_mem = '256MB'`);
  await pool.query(`
    CREATE INDEX signal_by_type ON venture.signal (type, detected_at);
    CREATE INDEX signal_by_subject ON venture.signal (subject_id, detected_at);
    CREATE INDEX signal_by_occurred_at ON venture.signal (occurred_at);
    CREATE INDEX signal_by_amount ON venture.signal (amount) WHERE amount IS NOT NULL`);
  await pool.query('VACUUM ANALYZE venture.signal');
  say(`filled in ${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
}
