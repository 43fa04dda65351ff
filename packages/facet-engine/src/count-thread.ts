/** A counting thread: applies changes of the segments and counts its share of each task. */
import { parentPort, workerData } from 'node:worker_threads';
import { arraysOfResult } from './aggregate-job.ts';
import { aggregateSegments } from './aggregate-segments.ts';
import { CountCache } from './count-cache.ts';
import { countSegments } from './count-segments.ts';
import { markSegments } from './mark-segments.ts';
import type { CounterData, FromCounter, ToCounter } from './messages.ts';
import { applyChanges, type Segments } from './segment.ts';

const { index, next }: CounterData = workerData;
let acknowledged: Int32Array = new Int32Array(index + 1);
const entities: Segments[] = [];
const cache = new CountCache();

parentPort?.on('message', (message: ToCounter) => {
  if (message.kind === 'reset') {
    entities.length = 0;
    acknowledged = message.acknowledged;
  } else if (message.kind === 'changes') {
    applyChanges(entities, message.entities);
    Atomics.store(acknowledged, index, message.version);
  } else {
    const { task, taskSlot } = message;
    const take = () => Atomics.add(next, taskSlot, 1);
    const all = entities[message.job.entity] ?? [];
    if (message.kind === 'aggregate') {
      const { segments, result } = aggregateSegments(all, message.job, take);
      const share: FromCounter = { task, segments, counts: undefined, aggregates: result };
      parentPort?.postMessage(
        share,
        arraysOfResult(result).map(({ buffer }) => buffer),
      );
      return;
    }
    const { segments, counts } =
      message.kind === 'mark'
        ? markSegments(all, message.job, take)
        : countSegments(all, message.job, take, { cache });
    const share: FromCounter = { task, segments, counts };
    parentPort?.postMessage(share, counts === undefined ? [] : [counts.buffer]);
  }
});
