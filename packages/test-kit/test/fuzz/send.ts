import { once } from 'node:events';
import { type Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Answer } from '../../src/answers/check.ts';
import { API_KEY, type Call } from './calls.ts';

/** Sends a call with a key; paths are sent as they are, without normalization. */
export async function send(
  agent: Agent,
  origin: string,
  call: Call,
  apiKey: string,
): Promise<Answer> {
  const { hostname, port } = new URL(origin);
  const headers = Object.fromEntries(
    Object.entries(call.headers).map(([name, value]) => [name, value.replace(API_KEY, apiKey)]),
  );
  const { method, url } = call;
  // Node frames no body of a GET by itself: the server would read it as the next request.
  if (call.body !== '') headers['Content-Length'] = String(Buffer.byteLength(call.body));
  const outgoing = request({ hostname, port, agent, method, path: url, headers });
  outgoing.end(call.body);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  const { statusCode: status = 0 } = incoming;
  const body = await text(incoming);
  return { test: 'fuzz', method, url, status, headers: incoming.headers, body };
}
