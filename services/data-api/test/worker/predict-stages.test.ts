// Tests docs/spec/resources.md 4.13.
import { afterAll, describe, expect, test } from '@jest/globals';
import { createTestDatabase } from '@vcds/test-kit';
import { stages } from '@vcds/venture-model';
import pg from 'pg';
import { isPredictionDue } from '../../src/worker/stages/is-prediction-due.ts';
import { predictStages } from '../../src/worker/stages/predict-stages.ts';

const NOW_MS = Date.UTC(2026, 5, 1, 12);
const [SEED, A, B, C] = [3, 4, 5, 6];

const database = await createTestDatabase();
const owner = new pg.Pool({ connectionString: database.url, max: 2 });
const pool = new pg.Pool({ connectionString: database.urlOf('vcds_data_worker'), max: 2 });
afterAll(async () => {
  await Promise.all([owner.end(), pool.end()]);
  await database.drop();
});

const predict = () => predictStages({ pool, nowMs: NOW_MS, signal: new AbortController().signal });

/** Startups with a seed round and then a round every 300 days, up to the third series or today. */
async function addStartups(count: number, name: string): Promise<void> {
  await owner.query(
    `WITH added AS (
       INSERT INTO venture.startup (name, operating_status_stated)
       SELECT $2 || n, 'Active' FROM generate_series(1, $1::int) n RETURNING id, name)
     INSERT INTO venture.funding_round (startup_id, date, stage, amount)
     SELECT a.id, date '2018-01-01' + n * 7919 % 2900 + 300 * k, ${SEED} + k, 1000000
     FROM (SELECT id, row_number() OVER (ORDER BY name)::int AS n FROM added) a,
       generate_series(0, 3) k
     WHERE date '2018-01-01' + n * 7919 % 2900 + 300 * k < date '2026-06-01'`,
    [count, name],
  );
}

/** A startup with rounds of these stages, the last one 100 days ago. */
async function addStartup(name: string, stages: readonly number[], set = ''): Promise<string> {
  const { rows } = await owner.query<{ id: string }>(
    `INSERT INTO venture.startup (name) VALUES ($1) RETURNING id`,
    [name],
  );
  const id = rows[0]?.id ?? '';
  for (const [index, stage] of stages.entries()) {
    await addRound(id, stage, 100 + 300 * (stages.length - 1 - index));
  }
  if (set !== '') await owner.query(`UPDATE venture.startup SET ${set} WHERE id = $1`, [id]);
  return id;
}

async function addRound(id: string, stage: number, daysAgo: number): Promise<void> {
  await owner.query(
    `INSERT INTO venture.funding_round (startup_id, date, stage, amount)
     VALUES ($1, date '2026-06-01' - $3::int, $2, 1000000)`,
    [id, stage, daysAgo],
  );
}

interface Row {
  readonly next: number | null;
  readonly predicted: number | null;
  readonly revision: number;
}

async function read(id: string): Promise<Row> {
  const { rows } = await owner.query<Row>(
    `SELECT next_funding_stage AS next, next_funding_stage_predicted AS predicted,
       revision::int AS revision
     FROM venture.startup WHERE id = $1`,
    [id],
  );
  return rows[0] as Row;
}

const nextOf = async (id: string) => (await read(id)).next;

describe('with little data', () => {
  test('a prediction is due if there are successive rounds', async () => {
    expect(await isPredictionDue(pool)).toBe(false);
    await addStartups(10, 'little');
    expect(await isPredictionDue(pool)).toBe(true);
  });

  test('nothing is predicted, and no other run is due', async () => {
    const seeded = await addStartup('seeded', [SEED]);
    expect(await predict()).toEqual({ transitions: 0, startups: 11, changed: 0 });
    expect(await nextOf(seeded)).toBeNull();
    expect(await isPredictionDue(pool)).toBe(false);
  });
});

describe('with enough data', () => {
  test('a prediction is due when imports have doubled the records', async () => {
    const importOf = (inserted: number, finishedAt: string) =>
      owner.query(
        "INSERT INTO venture.import_run (file, inserted, finished_at) VALUES ('f', $1, $2)",
        [inserted, finishedAt],
      );
    await importOf(1_000, 'yesterday');
    await importOf(1_000, 'tomorrow');
    expect(await isPredictionDue(pool)).toBe(false);
    await importOf(1, 'tomorrow');
    expect(await isPredictionDue(pool)).toBe(true);
  });

  test('a prediction is a change of the record', async () => {
    await addStartups(300, 'many');
    const id = await addStartup('raised a series A', [SEED, A]);
    await owner.query(
      `INSERT INTO venture.import_sequence (record_id, digest, revision)
       SELECT id, gen_random_uuid(), revision FROM venture.startup WHERE id = $1`,
      [id],
    );
    await owner.query('TRUNCATE venture.signal_outbox, venture.facet_change');
    const before = await read(id);
    expect((await predict()).changed).toBeGreaterThan(50);
    expect(await read(id)).toEqual({ next: B, predicted: B, revision: before.revision + 1 });
    const { rows } = await owner.query(
      `SELECT (SELECT t.name FROM venture.signal_outbox o JOIN venture.signal_type t ON t.code = o.type
           WHERE o.subject_id = $1) AS signal,
         EXISTS (SELECT FROM venture.facet_change WHERE id = $1) AS indexed,
         (SELECT q.revision = s.revision FROM venture.import_sequence q
           JOIN venture.startup s ON s.id = q.record_id WHERE s.id = $1) AS "isSequenceCarried",
         (SELECT facts_changed_at FROM venture.startup WHERE id = $1) AS "factsChangedAt"`,
      [id],
    );
    expect(rows).toEqual([
      { signal: 'startup.updated', indexed: true, isSequenceCarried: true, factsChangedAt: null },
    ]);
  });

  test('an equal prediction changes nothing', async () => {
    const all = () =>
      owner.query('SELECT id, revision, updated_at, xmin FROM venture.startup ORDER BY id');
    const { rows: before } = await all();
    expect(await predict()).toMatchObject({ changed: 0 });
    expect((await all()).rows).toEqual(before);
  });

  test('the stage that a source states stays, and nothing is expected of closed startups', async () => {
    const stated = await addStartup('stated', [SEED, A], 'next_funding_stage_stated = 13');
    const closed = await addStartup('closed', [SEED, A], "operating_status_stated = 'Closed'");
    const acquired = await addStartup('acquired', [SEED, A], "exit_statuses = '{Acquired}'");
    const announced = await addStartup('announced', [SEED]);
    await addRound(announced, A, -30);
    await predict();
    expect(await read(stated)).toMatchObject({ next: 13, predicted: null });
    for (const id of [closed, acquired, announced]) expect(await nextOf(id)).toBeNull();
  });

  test('a new round clears the prediction at once, and the next run predicts again', async () => {
    const id = await addStartup('raises', [SEED]);
    await predict();
    const before = await read(id);
    expect(before.next).toBe(A);
    await addRound(id, A, 1);
    expect(await read(id)).toEqual({ ...before, next: null, predicted: null });
    await predict();
    expect(await nextOf(id)).toBe(B);
  });

  test.each([
    ['amount', 'amount = 7000000'],
    ['date', "date = '2024-02-03'"],
    ['stage', 'stage = 2'],
    ['confirmation', 'confirmed = false'],
  ])('so does a new %s of an earlier round', async (name, set) => {
    const id = await addStartup(`earlier ${name}`, [SEED, A, B]);
    await predict();
    const before = await read(id);
    expect(before.next).toBe(C);
    const update = (what: string) =>
      owner.query(
        `UPDATE venture.funding_round SET ${what} WHERE startup_id = $1 AND stage = ${SEED}`,
        [id],
      );
    await update("series = 'Seed'");
    expect(await read(id)).toEqual(before);
    await update(set);
    expect(await read(id)).toEqual({ ...before, next: null, predicted: null });
  });

  test('so does a round that replaces another one of the same stage and date', async () => {
    const id = await addStartup('replaced', [SEED, A]);
    await predict();
    expect(await nextOf(id)).toBe(B);
    await owner.query(
      `DO $$ BEGIN
         UPDATE venture.funding_round SET deleted_at = now() WHERE startup_id = '${id}' AND stage = ${A};
         INSERT INTO venture.funding_round (startup_id, date, stage, amount)
         VALUES ('${id}', date '2026-06-01' - 100, ${A}, 9000000);
       END $$`,
    );
    expect(await nextOf(id)).toBeNull();
  });

  test.each(["operating_status_stated = 'Closed'", "exit_statuses = '{Acquired}'"])(
    'so does %s',
    async (set) => {
      const id = await addStartup(set, [SEED, A, B]);
      await predict();
      expect(await nextOf(id)).toBe(C);
      await owner.query(`UPDATE venture.startup SET ${set} WHERE id = $1`, [id]);
      expect(await nextOf(id)).toBeNull();
    },
  );

  test('a startup that is being written is skipped, and predicted by the next run', async () => {
    const id = await addStartup('busy', [SEED]);
    const writer = await owner.connect();
    await writer.query('BEGIN');
    await writer.query("UPDATE venture.startup SET name = 'renamed' WHERE id = $1", [id]);
    await predict();
    expect(await nextOf(id)).toBeNull();
    await writer.query('COMMIT');
    writer.release();
    await predict();
    expect(await nextOf(id)).toBe(A);
  });

  test('a prediction that is stored while a round is written is cleared with the round', async () => {
    const id = await addStartup('meanwhile', [SEED]);
    const writer = await owner.connect();
    await writer.query('BEGIN');
    await writer.query('UPDATE venture.funding_round SET amount = 9000000 WHERE startup_id = $1', [
      id,
    ]);
    await predict();
    await writer.query('COMMIT');
    writer.release();
    expect(await nextOf(id)).toBeNull();
  });

  test('other years and other last stages have transitions of their own', async () => {
    const quiet = await addStartup('quiet', [SEED]);
    const unusual = await addStartup('unusual', [C, SEED]);
    const old = "UPDATE venture.funding_round SET date = '2021-01-01' WHERE startup_id = $1";
    await owner.query(old, [quiet]);
    await predict();
    for (const id of [quiet, unusual]) expect(await nextOf(id)).toBeNull();
  });

  test('a stopped run ends between two batches', async () => {
    const stopped = predictStages({ pool, nowMs: NOW_MS, signal: AbortSignal.abort() });
    await expect(stopped).rejects.toThrow('aborted');
  });
});

test('transitions need 20 rounds and an interval that begins at 75 %', async () => {
  const { rows } = await owner.query<{ followed: number; rounds: number }>(
    "SELECT followed, rounds FROM venture.stage_transitions('2026-06-02')",
  );
  expect(rows.length).toBeGreaterThan(2);
  for (const { followed, rounds } of rows) {
    const share = followed / rounds;
    const z = 1.96 ** 2 / rounds;
    const low = (share + z / 2 - Math.sqrt(z * (share * (1 - share) + z / 4))) / (1 + z);
    expect([rounds >= 20, low >= 0.75]).toEqual([true, true]);
  }
});

test('rounds of an unknown series name no stage', async () => {
  const { rows } = await owner.query<{ stage: number }>(
    'SELECT n AS stage FROM generate_series(1, 22) n WHERE NOT venture.names_stage(n)',
  );
  const unnamed = stages.filter(({ name }) => name === 'Venture' || name === 'Other');
  expect(rows.map(({ stage }) => stage)).toEqual(unnamed.map(({ value }) => Number(value)));
});
