import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { eventually } from '@vcds/test-kit';
import { ColumnStore } from '../src/column-store.ts';
import type { CountJob } from '../src/count-job.ts';
import { CountingThreads } from '../src/counting-threads.ts';
import { idWords } from '../src/id-table.ts';
import { idOf } from './support/arbitraries.ts';
import { THREAD_ARGUMENTS } from './support/open-engine.ts';
import { SCHEMA } from './support/schema.ts';

const RECORDS = 1_000;
const THREADS = 2;
let threads: CountingThreads;
let store: ColumnStore;
let crashes: Error[];

/** Records of one entity: all have code 1 of dimension 1, half of them code 2 of dimension 2. */
beforeEach(() => {
  crashes = [];
  threads = new CountingThreads({
    threads: THREADS,
    execArgv: THREAD_ARGUMENTS,
    onCrash: (error) => crashes.push(error),
  });
  const acknowledged = threads.reset();
  store = new ColumnStore(SCHEMA, {
    segmentRecordsMax: 10,
    acknowledged: () => Math.min(...acknowledged),
  });
  store.addValue({ code: 1, dimension: 1, value: 'a', folded: 'a' });
  store.addValue({ code: 2, dimension: 2, value: 'b', folded: 'b' });
  for (let i = 0; i < RECORDS; i++) {
    store.entities[0]?.apply(idWords(idOf(i)), Int32Array.of(1, 2), 1 + (i % 2), false);
  }
  publish();
});

afterEach(() => threads.close());

function publish(): void {
  const { version, entities } = store.changes();
  threads.apply(
    version,
    entities.map(({ segments }) => segments),
  );
}

const JOB: CountJob = {
  entity: 0,
  groups: [{ dimension: 2, ordinals: Uint32Array.of(0), size: 1 }],
  facets: [{ dimension: 1, size: 1 }],
  targets: [{ groups: [0], facets: [0] }],
};
/** A thread that runs it crashes. */
const CRASHING: CountJob = { ...JOB, facets: [{ dimension: 1, size: -1 }] };

test('concurrent counts are all answered, on one thread and on all', async () => {
  const counts = Array.from({ length: 200 }, (_, i) => threads.count(JOB, i % 2 === 0));
  for (const count of await Promise.all(counts)) expect([...count]).toEqual([RECORDS / 2]);
});

test('a count whose thread crashes fails; the new thread has all segments', async () => {
  const lost = threads.count(CRASHING, true);
  await expect(lost).rejects.toMatchObject({ name: 'EngineUnavailableError' });
  expect(crashes).toHaveLength(1);
  await eventually(() => threads.running === THREADS);
  for (let i = 0; i < 50; i++) expect([...(await threads.count(JOB, true))]).toEqual([RECORDS / 2]);
});

test('when all threads crash, counts fail or are complete', async () => {
  const counts = Array.from({ length: 40 }, (_, i) =>
    threads.count(i === 20 ? CRASHING : JOB, false),
  );
  const answers = await Promise.allSettled(counts);
  for (const answer of answers) {
    if (answer.status === 'fulfilled') expect([...answer.value]).toEqual([RECORDS / 2]);
    else expect(answer.reason).toMatchObject({ name: 'EngineUnavailableError' });
  }
  expect(answers[20]?.status).toBe('rejected');
  expect(answers[0]?.status).toBe('fulfilled');
  // The second thread may crash a little later than the first.
  await eventually(async () => (await threads.count(JOB, false))[0] === RECORDS / 2);
});

test('a restarted thread has the same slots as the others, including dropped ones', async () => {
  for (let i = 0; i < RECORDS; i += 3) {
    store.entities[0]?.apply(idWords(idOf(i)), new Int32Array(0), 0, true);
  }
  while (store.compact()) publish();
  publish();
  const before = [...(await threads.count(JOB, false))];
  await expect(threads.count(CRASHING, true)).rejects.toThrow();
  await eventually(() => threads.running === THREADS);
  for (let i = 0; i < 20; i++) {
    expect([...(await threads.count(JOB, i % 2 === 0))]).toEqual(before);
  }
  expect(before).toEqual([RECORDS / 2 - Math.floor((RECORDS / 2 + 1) / 3)]);
});

test('more than 1,024 concurrent counts fail, later ones are answered', async () => {
  const counts = Array.from({ length: 1_100 }, () => threads.count(JOB, true));
  const answers = await Promise.allSettled(counts);
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1_024);
  expect([...(await threads.count(JOB, true))]).toEqual([RECORDS / 2]);
});

test('a reset fails running counts and drops all segments', async () => {
  const counting = threads.count(JOB, false);
  threads.reset();
  await expect(counting).rejects.toMatchObject({ name: 'EngineUnavailableError' });
  expect([...(await threads.count(JOB, false))]).toEqual([0]);
});
