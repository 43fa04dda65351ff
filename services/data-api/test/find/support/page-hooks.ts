import { once } from 'node:events';
import { THREAD_ARGUMENTS } from '../../../../../packages/facet-engine/test/support/open-engine.ts';

const CHANNEL = 'page-hooks';

/** Pages with an effect in threads with {@link HOOKED_ARGUMENTS}. */
export const PAGES = {
  /** Its title becomes `thread` and the id of the thread. */
  namesThread: '<title>thread</title>',
  endsThread: '<title>end of the thread</title>',
  neverRead: '<title>never read</title>',
};

const HOOK = `
  import { parentPort, threadId } from 'node:worker_threads';
  const pages = ${JSON.stringify(PAGES)};
  parentPort?.on('message', ({ request }) => {
    if (request.html === pages.endsThread) process.exit(3);
    if (request.html === pages.namesThread) request.html = '<title>thread ' + threadId + '</title>';
    if (request.html !== pages.neverRead) return;
    new BroadcastChannel('${CHANNEL}').postMessage('reading');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });`;

/** Arguments of node for threads that run the TypeScript sources and know {@link PAGES}. */
export const HOOKED_ARGUMENTS = [
  ...THREAD_ARGUMENTS,
  '--import',
  `data:text/javascript,${encodeURIComponent(HOOK)}`,
];

/** Resolves when a thread has begun to read `PAGES.neverRead`. */
export async function whenReading(): Promise<void> {
  const channel = new BroadcastChannel(CHANNEL);
  await once(channel, 'message');
  channel.close();
}
