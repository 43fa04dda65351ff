import { Client, type Dispatcher } from 'undici';

/** A server that answers the requests of a line. */
export interface Played {
  /** `http://127.0.0.1:8080` */
  readonly origin: string;
  /** Of each request, by its number. */
  readonly paths: readonly string[];
  /** Of the keys to call with, by turns; empty: none. */
  readonly apiKeys: readonly string[];
}

/** Calls and latencies of some clients. */
export interface Playback {
  readonly latencyMs: number[];
  readonly elapsedMs: number;
}

/**
 * Clients call a server one request after another, each on a connection of its own.
 *
 * @throws at the end, if an answer had a status other than 200.
 */
export async function play(
  { origin, paths, apiKeys }: Played,
  clients: number,
  durationMs: number,
): Promise<Playback> {
  const latencyMs: number[] = [];
  const startedMs = performance.now();
  const played = await Promise.allSettled(
    Array.from({ length: clients }, async (_, number) => {
      const client = new Client(origin, { pipelining: 1 });
      const apiKey = apiKeys[number % apiKeys.length];
      const headers = apiKey === undefined ? [] : ['x-api-key', apiKey];
      try {
        for (let turn = number * 7; performance.now() - startedMs < durationMs; turn += 1) {
          const path = paths[turn % paths.length] ?? '';
          const sentMs = performance.now();
          await callOnce(client, { origin, path, method: 'GET', headers });
          latencyMs.push(performance.now() - sentMs);
        }
      } finally {
        await client.destroy();
      }
    }),
  );
  const failed = played.find((client) => client.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return { latencyMs, elapsedMs: performance.now() - startedMs };
}

function callOnce(client: Client, options: Dispatcher.DispatchOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    let status = 0;
    client.dispatch(options, {
      onRequestStart: () => undefined,
      onResponseStart: (_, statusCode) => {
        status = statusCode;
      },
      onResponseData: () => undefined,
      onResponseEnd: () => {
        if (status === 200) resolve();
        else reject(new Error(`${options.origin}${options.path} answers ${status}`));
      },
      onResponseError: (_, error) => reject(error),
    });
  });
}
