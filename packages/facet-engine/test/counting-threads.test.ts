import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ColumnStore } from '../src/column-store.ts';
import type { CountJob } from '../src/count-job.ts';
import { CountingThreads } from '../src/counting-threads.ts';
import { idOf } from './support/arbitraries.ts';
import { idWords } from './support/inline-engine.ts';
import { THREAD_ARGUMENTS, until } from './support/open-engine.ts';

const RECORDS = 1_000;
const THREADS = 2;
let threads: CountingThreads;
let store: ColumnStore;
let died: Error[];

/** Records of one entity, all with code 1 of dimension 1, every second one with code 2 of 2. */
beforeEach(() => {
  died = [];
  threads = new CountingThreads({
    threads: THREADS,
    execArgv: THREAD_ARGUMENTS,
    onLost: (error) => died.push(error),
  });
  const acknowledged = threads.reset();
  store = new ColumnStore(1, {
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

const PLAN: CountJob = {
  entity: 0,
  groups: [{ dimension: 2, ordinals: Uint32Array.of(0), size: 1 }],
  facets: [{ dimension: 1, size: 1 }],
  targets: [{ groups: [0], facets: [0] }],
};
/** No thread can do it: it dies of the attempt. */
const DEADLY: CountJob = { ...PLAN, facets: [{ dimension: 1, size: -1 }] };

test('many counts at once are all answered, whether one thread or all work at each', async () => {
  const counts = Array.from({ length: 200 }, (_, i) => threads.count(PLAN, i % 2 === 0));
  for (const count of await Promise.all(counts)) expect([...count]).toEqual([RECORDS / 2]);
});

test('a count whose thread dies fails; the thread is replaced, knows everything, and counts', async () => {
  const lost = threads.count(DEADLY, true);
  await expect(lost).rejects.toMatchObject({ name: 'CountLostError' });
  expect(died).toHaveLength(1);
  await until(() => threads.alive === THREADS, 'replaced');
  for (let i = 0; i < 50; i++)
    expect([...(await threads.count(PLAN, true))]).toEqual([RECORDS / 2]);
});

test('when all threads die, counts fail and never come out short', async () => {
  const counts = Array.from({ length: 40 }, (_, i) =>
    threads.count(i === 20 ? DEADLY : PLAN, false),
  );
  const answers = await Promise.allSettled(counts);
  for (const answer of answers) {
    if (answer.status === 'fulfilled') expect([...answer.value]).toEqual([RECORDS / 2]);
    else expect(answer.reason).toMatchObject({ name: 'CountLostError' });
  }
  expect(answers[20]?.status).toBe('rejected');
  expect(answers[0]?.status).toBe('fulfilled');
  // The second thread may die of it a little later than the first.
  const countAgain = async () => threads.count(PLAN, false).catch(() => undefined);
  await until(async () => (await countAgain())?.[0] === RECORDS / 2, 'counted by their successors');
});

test('a successor has the same slots as the others, those of dropped segments too', async () => {
  for (let i = 0; i < RECORDS; i += 3) {
    store.entities[0]?.apply(idWords(idOf(i)), new Int32Array(0), 0, true);
  }
  while (store.compact()) publish();
  publish();
  const before = [...(await threads.count(PLAN, false))];
  await expect(threads.count(DEADLY, true)).rejects.toThrow();
  await until(() => threads.alive === THREADS, 'replaced');
  for (let i = 0; i < 20; i++) {
    expect([...(await threads.count(PLAN, i % 2 === 0))]).toEqual(before);
  }
  expect(before).toEqual([RECORDS / 2 - Math.floor((RECORDS / 2 + 1) / 3)]);
});

test('more than 1,024 counts at once are refused, and room is made again', async () => {
  const counts = Array.from({ length: 1_100 }, () => threads.count(PLAN, true));
  const answers = await Promise.allSettled(counts);
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1_024);
  expect([...(await threads.count(PLAN, true))]).toEqual([RECORDS / 2]);
});

test('forgetting fails what is under way and leaves nothing to count', async () => {
  const counting = threads.count(PLAN, false);
  threads.reset();
  await expect(counting).rejects.toMatchObject({ name: 'CountLostError' });
  expect([...(await threads.count(PLAN, false))]).toEqual([0]);
});
