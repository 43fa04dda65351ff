import { EventEmitter, once } from 'node:events';

import { expect, test } from '@jest/globals';
import { BATCH_IDS_MAX, BatchedReads } from '../../src/postgres/batched-reads.ts';
import type { Statement } from '../../src/postgres/statement.ts';

type Rows = readonly { readonly id: string; readonly body: string }[];

interface Sent {
  readonly text: string;
  readonly ids: readonly string[];
  readonly answer: (rows: Rows) => void;
  readonly fail: (error: Error) => void;
}

/** Batched reads, and the statements that they send; the test answers them. */
function openReads() {
  const statements = new EventEmitter();
  const reads = new BatchedReads(
    ({ text, values }: Statement) =>
      new Promise((answer, fail) => {
        statements.emit('sent', { text, ids: values[0], answer, fail });
      }),
  );
  return {
    read: (id: string, text = 'records') =>
      reads.rows({ text, values: [[id]], plan: 'generic', id }),
    next: async (): Promise<Sent> => (await once(statements, 'sent'))[0],
  };
}

const rowOf = (id: string) => ({ id, body: `{"Id":"${id}"}` });

test('calls of one iteration of the event loop share a statement, and each gets its own row', async () => {
  const { read, next } = openReads();
  const calls = Promise.all(['a', 'b', 'missing', 'a'].map((id) => read(id)));
  const { ids, answer } = await next();
  expect(ids).toEqual(['a', 'b', 'missing']);
  answer([rowOf('b'), rowOf('a')]);
  expect(await calls).toEqual([[rowOf('a')], [rowOf('b')], [], [rowOf('a')]]);
});

test('calls share the statement after the one under way, and only with those of their text', async () => {
  const { read, next } = openReads();
  const first = read('a');
  const sent = await next();
  const later = [read('b'), read('c')];
  const other = read('b', 'others');
  const ofOther = await next();
  expect([sent.ids, ofOther.ids, ofOther.text]).toEqual([['a'], ['b'], 'others']);
  ofOther.answer([]);
  const following = next();
  sent.answer([rowOf('a')]);
  const { ids, answer } = await following;
  expect(ids).toEqual(['b', 'c']);
  answer([rowOf('c')]);
  expect(await Promise.all([first, other, ...later])).toEqual([[rowOf('a')], [], [], [rowOf('c')]]);
});

test('a statement has at most 50 ids', async () => {
  const { read, next } = openReads();
  const sent = next();
  const ids = Array.from({ length: BATCH_IDS_MAX + 1 }, (_, index) => `id ${index}`);
  const calls = Promise.all(ids.map((id) => read(id)));
  const full = await sent;
  expect(full.ids).toEqual(ids.slice(0, BATCH_IDS_MAX));
  const following = next();
  full.answer(full.ids.map(rowOf));
  (await following).answer([rowOf(`id ${BATCH_IDS_MAX}`)]);
  expect((await calls).flat()).toEqual(ids.map(rowOf));
});

test('a statement without an answer does not keep later calls waiting', async () => {
  const { read, next } = openReads();
  const silent = read('a');
  const unanswered = await next();
  const call = read('b');
  (await next()).answer([rowOf('b')]);
  expect(await call).toEqual([rowOf('b')]);
  unanswered.answer([]);
  expect(await silent).toEqual([]);
});

test('an error fails the calls of its statement and no others', async () => {
  const { read, next } = openReads();
  const failing = Promise.allSettled([read('a'), read('b')]);
  const { fail } = await next();
  const call = read('a');
  const following = next();
  fail(new Error('terminated'));
  (await following).answer([rowOf('a')]);
  expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await call).toEqual([rowOf('a')]);
});
