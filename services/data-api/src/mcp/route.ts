/** `POST /mcp`: the tools for assistants, whose calls run as HTTP calls of this service. */
import type { IncomingMessage, Server } from 'node:http';
import { extractCredential } from '@vcds/credentials';
import type { CreditReport } from '@vcds/metering';
import {
  ApiError,
  ClientGone,
  contextOf,
  createHttpServer,
  DATA_BASE_PATH,
  inProcessFetch,
  MCP_PATH,
  type Route,
  readJsonBody,
  readQueryString,
  sendJson,
} from '@vcds/service-kit';
import type { Express, Response as Reply, Request } from 'express';
import { type Call, openCall } from '../pipeline/call.ts';
import type { ErrorServices } from '../pipeline/errors.ts';
import { setCreditHeaders } from '../pipeline/reply.ts';
import { assertAccepted } from '../request/parameter-reader.ts';
import { assertOrigin } from './assert-origin.ts';

const BODY_BYTES_MAX = 64 * 1024;
// Not an address: the calls stay in the process.
const IN_PROCESS_URL = `http://data-api${DATA_BASE_PATH}`;
/** Headers of the request that decide about its client, and that its calls therefore have too. */
const HANDED_ON = ['host', 'x-forwarded-for', 'x-forwarded-proto', 'user-agent'];

/**
 * The route of the MCP server: streamable HTTP without sessions, one JSON response for one message
 * (docs/spec/assistants.md 18.2). A key is needed for every message.
 *
 * @param app the app that answers the calls of the tools.
 */
export function mcpRoute(services: ErrorServices, app: () => Express): Route {
  let server: Server | undefined;
  return {
    method: 'POST',
    path: MCP_PATH,
    handler: async (request, response) => {
      assertOrigin(request, services.baseUrl);
      const call = await openCall(services.authenticate, request, response);
      assertAccepted(call.parameters, []);
      const body = await readJsonBody(request, BODY_BYTES_MAX);
      contextOf(request).work.resume();
      if (Array.isArray(body)) {
        throw new ApiError('bad_request', 'Send one JSON-RPC message; batches are not supported.');
      }
      server ??= createHttpServer(app());
      await answer(call, body, services, server);
    },
  };
}

async function answer(
  call: Call,
  body: unknown,
  { meter }: ErrorServices,
  server: Server,
): Promise<void> {
  const { request, response, principal } = call;
  const context = contextOf(request);
  // The SDK takes memory that a service without assistants does not need.
  const { handleMcpRequest } = await import('@vcds/mcp');
  const gone = signalOf(response);
  let credits: CreditReport | undefined;
  const options = {
    apiKey: credentialOf(request),
    baseUrl: IN_PROCESS_URL,
    fetch: fetchFor(request, server, gone),
    retry: false,
    onResponse: (event: { readonly credits: Parameters<typeof reportOf>[0] }) => {
      credits = reportOf(event.credits);
    },
  } as const;
  const disconnected = () => new ClientGone('The client disconnected before the response.');
  const reply = await handleMcpRequest(webRequest(request, gone), body, options, (error) => {
    context.logger.error({ error }, 'a tool failed');
  }).catch((error: unknown) => {
    throw gone.aborted ? disconnected() : error;
  });
  if (gone.aborted) throw disconnected();
  call.credits = credits ?? (await meter.report(principal));
  setCreditHeaders(call);
  // The log line of the tool's own call has the charge.
  context.charged = undefined;
  context.work.resume();
  await send(response, reply);
}

function signalOf(response: Reply): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort(new ClientGone('The client disconnected.'));
  });
  return controller.signal;
}

/** The key or token of an authenticated request. */
function credentialOf(request: Request): string {
  const credential = extractCredential(request, readQueryString(request).parameters);
  if (credential.kind === 'invalid') throw new Error('An authenticated request has a credential.');
  return credential.kind === 'key' ? credential.key : credential.token;
}

/** Sends the calls of a tool as the client of the request would, under the same request id. */
function fetchFor(request: Request, server: Server, gone: AbortSignal): typeof fetch {
  const { work } = contextOf(request);
  const send = inProcessFetch(server, request.socket.remoteAddress, work);
  const handedOn = HANDED_ON.flatMap((name) => headerOf(request, name));
  return (input, { headers, signal } = {}) => {
    const all = new Headers(headers);
    for (const [name, value] of handedOn) all.set(name, value);
    all.set('X-Request-Id', contextOf(request).requestId);
    return send(input, { headers: all, signal: AbortSignal.any(signal ? [signal, gone] : [gone]) });
  };
}

function headerOf({ headers }: IncomingMessage, name: string): [string, string][] {
  const value = headers[name];
  return value === undefined ? [] : [[name, String(value)]];
}

function webRequest(request: Request, signal: AbortSignal): globalThis.Request {
  const headers = Object.keys(request.headers).flatMap((name) => headerOf(request, name));
  return new globalThis.Request(`${IN_PROCESS_URL}${MCP_PATH}`, {
    method: 'POST',
    headers,
    signal,
  });
}

function reportOf(credits: {
  readonly charged: number;
  readonly limit: number | null;
  readonly remaining: number | null;
  readonly reset: string | null;
}): CreditReport | undefined {
  const { charged, limit, remaining, reset } = credits;
  if (limit === null || reset === null) return undefined;
  return { charged, limit, remaining: remaining ?? undefined, resetAt: new Date(reset) };
}

async function send(response: Reply, reply: globalThis.Response): Promise<void> {
  const text = await reply.text();
  if (text === '') response.status(reply.status).end();
  else sendJson(response, reply.status, text);
}
