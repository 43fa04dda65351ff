import type { Chunk } from '../checks/chunks.ts';
import type { AppliedByType, ChunkApplier } from './apply-chunk.ts';

/**
 * Applies chunks in order, in parallel if their order does not matter: a chunk that is `alone`
 * begins when all earlier ones are committed, and later ones begin when it is. Each applier runs
 * one chunk at a time.
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
  try {
    for await (const chunk of chunks) {
      while (running.size > 0 && (chunk.alone || idle.length === 0)) {
        await (chunk.alone ? Promise.all(running.values()) : Promise.race(running.values()));
      }
      if (failure !== undefined || signal?.aborted) break;
      start(chunk);
      if (chunk.alone) await Promise.all(running.values());
    }
  } finally {
    await Promise.all(running.values());
  }
  if (failure !== undefined) throw failure.error;
  signal?.throwIfAborted();
}
