import { once } from 'node:events';
import { WebSocket } from 'undici';

/** The state of a process of Node, after a full garbage collection. */
export interface HeapState {
  /** Bytes of the objects of its main thread. */
  readonly heapBytes: number;
  /** Sockets, servers, pipes and other resources that keep it running, without timers. */
  readonly handles: number;
}

interface Message {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

const HANDLES = `process.getActiveResourcesInfo()
  .filter((name) => name !== 'Timeout' && name !== 'Immediate').length`;

/** Collects the garbage of a process through its inspector and reads its state. */
export function readHeap(inspectorUrl: string): Promise<HeapState> {
  return withInspector(inspectorUrl, async (call) => {
    await call('HeapProfiler.collectGarbage');
    const heap = (await call('Runtime.getHeapUsage')) as { readonly usedSize: number };
    const expression = { expression: HANDLES, returnByValue: true };
    const handles = (await call('Runtime.evaluate', expression)) as {
      readonly result: { readonly value: number };
    };
    return { heapBytes: heap.usedSize, handles: handles.result.value };
  });
}

/** Writes a heap snapshot of a process, which it stops for as long as that takes. */
export function writeSnapshot(inspectorUrl: string, file: string): Promise<void> {
  return withInspector(inspectorUrl, async (call) => {
    const write = "process.getBuiltinModule('node:v8').writeHeapSnapshot";
    await call('Runtime.evaluate', { expression: `${write}(${JSON.stringify(file)})` });
  });
}

type Inspect = (method: string, params?: object) => Promise<unknown>;

async function withInspector<T>(url: string, use: (call: Inspect) => Promise<T>): Promise<T> {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  let last = 0;
  const call: Inspect = (method, params = {}) =>
    new Promise((resolve, reject) => {
      last += 1;
      const id = last;
      socket.addEventListener('message', function receive({ data }) {
        const message: Message = JSON.parse(String(data));
        if (message.id !== id) return;
        socket.removeEventListener('message', receive);
        if (message.error === undefined) resolve(message.result);
        else reject(new Error(message.error.message));
      });
      socket.send(JSON.stringify({ id, method, params }));
    });
  try {
    return await use(call);
  } finally {
    const closed = once(socket, 'close');
    socket.close();
    await closed;
  }
}
