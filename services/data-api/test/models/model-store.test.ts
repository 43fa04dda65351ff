// Tests docs/spec/matching.md 19.4.
import { afterAll, expect, test } from '@jest/globals';
import { createTestDatabase } from '@vcds/test-kit';
import pg from 'pg';
import {
  activeModel,
  activeVersion,
  listModels,
  saveModel,
  VERSIONS_KEPT,
} from '../../src/models/model-store.ts';

const NOW_MS = Date.UTC(2026, 10, 22, 12);
const STAMP = {
  ...{ readAt: '2026-11-22T12:00:00.000Z', startups: 3, funds: 2, rounds: 1, investments: 1 },
  ...{ lastRoundDate: '2026-01-02', feedPosition: 7 },
};

const database = await createTestDatabase();
const worker = new pg.Pool({ connectionString: database.urlOf('vcds_data_worker'), max: 1 });
const service = new pg.Pool({ connectionString: database.urlOf('vcds_data_api'), max: 1 });
for (const pool of [worker, service]) pool.on('error', () => undefined);
afterAll(async () => {
  await Promise.all([worker.end(), service.end()]);
  await database.drop();
});

const model = (content: string) =>
  ({
    dataStamp: STAMP,
    metrics: { ndcg10: 0.4 },
    features: ['popularity', 'co-investors'],
    parameters: { trees: 10 },
    content: Buffer.from(content),
  }) as const;

test('without a model no version serves', async () => {
  expect(await activeVersion(service)).toBeUndefined();
  expect(await activeModel(service)).toBeUndefined();
});

test('the newest model serves, with its bytes', async () => {
  const first = await saveModel(worker, model('one'), NOW_MS);
  expect(first).toMatch(/^20261122-[0-9a-f]{8}$/);
  const second = await saveModel(worker, model('two'), NOW_MS);
  expect(await activeVersion(service)).toBe(second);
  const { createdAt, ...stored } = (await activeModel(service)) ?? {};
  expect(createdAt).toBeInstanceOf(Date);
  expect(stored).toEqual({ ...model('two'), version: second });
});

test('a model with the same bytes is the same version, which serves again', async () => {
  const dataStamp = { ...STAMP, readAt: '2026-11-22T13:00:00.000Z' };
  const first = await saveModel(worker, { ...model('one'), dataStamp }, NOW_MS);
  expect(await activeVersion(service)).toBe(first);
  expect(await listModels(service)).toMatchObject([{ dataStamp }, { dataStamp: STAMP }]);
});

test('the last few versions are stored, and older ones deleted', async () => {
  const saved: string[] = [];
  for (const content of ['three', 'four', 'five', 'six']) {
    saved.push(await saveModel(worker, model(content), NOW_MS));
  }
  const listed = await listModels(service);
  expect(listed.map(({ version }) => version)).toEqual(saved.slice(-VERSIONS_KEPT).reverse());
  expect(listed[0]).toMatchObject({ bytes: 3, dataStamp: STAMP, features: model('').features });
});
