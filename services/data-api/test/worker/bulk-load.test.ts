import { beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase } from '@vcds/test-kit';
import { withClient } from '@vcds/test-kit/bench';
import type pg from 'pg';
import { loadCorpus } from '../support/corpus.ts';

const SIZE = { startups: 300, seed: 3 };
/** The time of a write, and how often one row was written. */
const OF_THE_WRITE = ['updated_at', 'facts_changed_at', 'changed_in', 'revision'];
const { url: bulk } = await createTestDatabase();
const { url: triggers } = await createTestDatabase();

beforeAll(async () => {
  await loadCorpus(bulk, SIZE);
  await loadCorpus(triggers, SIZE, { throughTriggers: true });
});

/** The rows of a statement as text, ordered. */
const read = (url: string, text: string): Promise<string[]> =>
  withClient(url, async (client: pg.Client) => {
    const { rows } = await client.query<[string]>({ text, rowMode: 'array' });
    return rows.map(([row]) => row).sort();
  });

const TABLES = [
  ...['startup', 'fund', 'person', 'funding_round', 'round_investor', 'holding'],
  ...['post_valuation', 'startup_person', 'fund_person', 'news'],
];

test.each(TABLES)(
  'a bulk load of a corpus derives what the triggers of %s derive',
  async (table) => {
    // A holding that a round implies has the time of the write.
    const skipped = [...OF_THE_WRITE, 'deleted_at', ...(table === 'holding' ? ['created_at'] : [])];
    const text = `SELECT ((to_jsonb(t) - ARRAY['${skipped.join("','")}'])
    || jsonb_build_object('is_listed', deleted_at IS NULL))::text FROM venture.${table} t`;
    const [ofBulk, ofTriggers] = [await read(bulk, text), await read(triggers, text)];
    expect(ofTriggers.length).toBeGreaterThan(10);
    expect(ofBulk).toEqual(ofTriggers);
  },
);

const SIGNALS = `SELECT concat_ws(' ', type, subject_id, object_id, amount, label) FROM venture.signal`;
const FACETS = `SELECT concat_ws(' ', c.entity, d.dimension, d.value, c.count)
  FROM venture.facet_count c LEFT JOIN venture.dimension_value d USING (code)
  WHERE c.count > 0`;

test.each([SIGNALS, FACETS])(
  'a bulk load of a corpus publishes and counts the same',
  async (text) => {
    const [ofBulk, ofTriggers] = [await read(bulk, text), await read(triggers, text)];
    expect(ofTriggers.length).toBeGreaterThan(500);
    expect(ofBulk).toEqual(ofTriggers);
  },
);

test('a bulk load leaves the triggers and indexes of the schema as they were', async () => {
  const schema = `SELECT concat_ws(' ', tgrelid::regclass, tgname, tgenabled) FROM pg_trigger
    WHERE tgrelid::regclass::text LIKE 'venture.%' UNION ALL
    SELECT indexdef FROM pg_indexes WHERE schemaname = 'venture'`;
  const [ofBulk, ofTriggers] = [await read(bulk, schema), await read(triggers, schema)];
  expect(ofBulk).toEqual(ofTriggers);
});
