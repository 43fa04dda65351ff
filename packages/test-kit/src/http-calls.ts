import { once } from 'node:events';
import {
  Agent,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type Server,
} from 'node:http';
import { text } from 'node:stream/consumers';

/** A response; `body` is its JSON, or an empty object. */
export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly body: unknown;
}

/** Sends requests to one server. */
export interface HttpCalls {
  send(
    method: string,
    path: string,
    headers?: OutgoingHttpHeaders,
    body?: string,
  ): Promise<HttpReply>;
  /** Closes the idle connections. */
  close(): void;
}

/**
 * Calls over connections that are kept, for tests with thousands of them: a client that opens a
 * connection for each takes three times the processor time.
 *
 * @param origin of a server that closes no idle connection by itself.
 */
export function httpCalls(origin: string): HttpCalls {
  const agent = new Agent({ keepAlive: true });
  return {
    send: async (method, path, headers = {}, body = '') => {
      const outgoing = request(new URL(path, origin), { method, headers, agent });
      outgoing.end(body);
      const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
      const received = await text(incoming);
      const isJson = received !== '' && incoming.headers['content-type']?.includes('json');
      return {
        status: incoming.statusCode ?? 0,
        headers: incoming.headers as Readonly<Record<string, string>>,
        text: received,
        body: isJson === true ? JSON.parse(received) : {},
      };
    },
    close: () => agent.destroy(),
  };
}

/** The names of the headers that the handlers of a server read, from now on; call it before it listens. */
export function headersRead(server: Server): ReadonlySet<string> {
  const read = new Set<string>();
  server.prependListener('request', (incoming: IncomingMessage) => {
    const get = (headers: IncomingMessage['headers'], name: string | symbol): unknown => {
      if (typeof name === 'string') read.add(name);
      return Reflect.get(headers, name);
    };
    Object.defineProperty(incoming, 'headers', { value: new Proxy(incoming.headers, { get }) });
  });
  return read;
}
