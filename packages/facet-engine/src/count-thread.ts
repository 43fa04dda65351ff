/** A counting thread: keeps up with the segments and counts its share of each task. */
import { parentPort, workerData } from 'node:worker_threads';
import { countSegments } from './count-segments.ts';
import type { CounterData, FromCounter, ToCounter } from './messages.ts';
import { applyChanges, type Segments } from './segment.ts';

const { index, next }: CounterData = workerData;
let acknowledged: Int32Array = new Int32Array(index + 1);
const entities: Segments[] = [];

parentPort?.on('message', (message: ToCounter) => {
  if (message.kind === 'reset') {
    entities.length = 0;
    acknowledged = message.acknowledged;
  } else if (message.kind === 'changes') {
    message.entities.forEach((changes, entity) => {
      applyChanges(segmentsOf(entity), changes);
    });
    Atomics.store(acknowledged, index, message.version);
  } else {
    const { task, place, plan } = message;
    const take = () => Atomics.add(next, place, 1);
    const { segments, counts } = countSegments(segmentsOf(plan.entity), plan, take);
    const answer: FromCounter = { task, segments, counts };
    parentPort?.postMessage(answer, counts === undefined ? [] : [counts.buffer]);
  }
});

function segmentsOf(entity: number): Segments {
  entities[entity] ??= [];
  return entities[entity];
}
