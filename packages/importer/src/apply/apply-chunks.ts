import type { Chunk } from '../checks/chunks.ts';
import type { AppliedByType, ChunkApplier } from './apply-chunk.ts';

/**
 * Applies chunks in order, adjacent ones of one type in parallel: any other chunk begins when all
 * earlier ones are committed. Each applier runs one chunk at a time.
 *
 * @throws the error of the first failing chunk, when all running chunks have ended.
 */
export async function applyChunks(
  chunks: AsyncIterable<Chunk>,
  appliers: readonly ChunkApplier[],
  report: (applied: AppliedByType) => void,
  signal?: AbortSignal,
): Promise<void> {
  const idle = [...appliers];
  const running = new Map<ChunkApplier, Promise<void>>();
  let failure: { readonly error: unknown } | undefined;
  const start = (chunk: Chunk) => {
    const applier = idle.pop();
    if (applier === undefined) throw new Error('no connection is idle');
    const work = applier
      .apply(chunk)
      .then(report)
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => {
        running.delete(applier);
        idle.push(applier);
      });
    running.set(applier, work);
  };
  let type: Chunk['type'] = null;
  try {
    for await (const chunk of chunks) {
      if (chunk.type === null || chunk.type !== type) await Promise.all(running.values());
      else if (idle.length === 0) await Promise.race(running.values());
      if (failure !== undefined || signal?.aborted) break;
      start(chunk);
      type = chunk.type;
    }
  } finally {
    await Promise.all(running.values());
  }
  if (failure !== undefined) throw failure.error;
  signal?.throwIfAborted();
}
