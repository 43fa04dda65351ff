import { request, type Server } from 'node:http';
import { Duplex } from 'node:stream';
import { type RequestWork, UNBOUNDED_WORK } from './work/request-work.ts';

type Continue = (error?: Error | null) => void;

/** One end of a connection in memory. */
class Socket extends Duplex {
  readonly remoteAddress: string | undefined;
  readonly work: RequestWork | undefined;
  other: Socket | undefined;
  #drained: Continue | undefined;

  constructor(remoteAddress?: string, work?: RequestWork) {
    super();
    this.remoteAddress = remoteAddress;
    this.work = work;
  }

  override _read(): void {
    const drained = this.#drained;
    this.#drained = undefined;
    drained?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: Continue): void {
    if (this.other === undefined || this.other.destroyed) callback(disconnected());
    else {
      this.other.#drained = callback;
      this.other.push(chunk);
    }
  }

  override _final(callback: Continue): void {
    this.other?.push(null);
    callback();
  }

  override _destroy(error: Error | null, callback: Continue): void {
    // As a peer notices a closed connection: later, and whole data is still read.
    const { other } = this;
    setImmediate(() => other?.destroy());
    callback(error);
  }
}

/** The work that a connection of {@link inProcessFetch} is part of. */
export function workInProcess(socket: object): RequestWork | undefined {
  return socket instanceof Socket ? socket.work : undefined;
}

function disconnected(): Error {
  return Object.assign(new Error('The other end is closed.'), { code: 'ECONNRESET' });
}

/**
 * A `fetch` whose requests a server of this process answers over connections in memory, with the
 * server's own HTTP semantics: aborting the signal disconnects the client. It rejects with a
 * TypeError for a body that is no text.
 *
 * @param server need not listen.
 * @param remoteAddress the address that the server takes the requests to come from.
 * @param work the work that the requests are part of.
 */
export function inProcessFetch(
  server: Server,
  remoteAddress: string | undefined,
  work: RequestWork = UNBOUNDED_WORK,
): typeof fetch {
  return async (input, { method = 'GET', headers, body = null, signal } = {}) => {
    if (body !== null && typeof body !== 'string') throw new TypeError('The body must be a text.');
    const { host, pathname, search } = new URL(String(input));
    const client = new Socket();
    const accepted = new Socket(remoteAddress, work);
    client.other = accepted;
    accepted.other = client;
    return new Promise((resolve, reject) => {
      const sent = request({
        method,
        path: pathname + search,
        headers: { host, ...Object.fromEntries(new Headers(headers)) },
        createConnection: () => client,
        ...(signal && { signal }),
      });
      sent.once('error', reject).once('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk)).once('error', reject);
        response.once('end', () => {
          const { statusCode: status = 0 } = response;
          resolve(
            new Response(Buffer.concat(chunks), {
              status,
              headers: headersOf(response.rawHeaders),
            }),
          );
        });
      });
      sent.end(body);
      server.emit('connection', accepted);
    });
  };
}

function headersOf(raw: readonly string[]): [string, string][] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : []));
}
