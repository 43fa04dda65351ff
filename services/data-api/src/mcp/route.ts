/** `POST /mcp`: the tools for assistants, whose calls run as HTTP calls of this service. */
import type { IncomingMessage, Server } from 'node:http';
import { readCredentialText } from '@vcds/credentials';
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
import { type Call, openCall } from '../serve/call.ts';
import type { ErrorServices } from '../serve/errors.ts';
import { setCreditHeaders } from '../serve/reply.ts';
import { assertAccepted } from '../serve/request/parameter-reader.ts';
import { ERROR_HEADER, STEP_HEADER } from '../serve/sandbox-headers.ts';
import { assertOrigin } from './assert-origin.ts';
import { challenged, MCP_KEY_PATH, type McpOAuth } from './oauth.ts';
import { RunningCalls } from './running-calls.ts';

const BODY_BYTES_MAX = 64 * 1024;
/** The only protocol version with batches; its clients do not send a version. */
const BATCH_VERSION = '2025-03-26';
const BATCH_LENGTH_MAX = 10;
/** The JSON-RPC error of a message that was cancelled. */
const CANCELLED = { code: -32_800, message: 'The call was cancelled.' } as const;
// Not an address: the calls stay in the process.
const IN_PROCESS_URL = `http://data-api${DATA_BASE_PATH}`;
/** Headers of the request that decide about its client, and that its calls therefore have too. */
const HANDED_ON = [
  ...['host', 'x-forwarded-for', 'x-forwarded-proto', 'user-agent'],
  ...[ERROR_HEADER, STEP_HEADER].map((name) => name.toLowerCase()),
];

/**
 * The routes of the MCP server, `/mcp` and `/mcp/key`: streamable HTTP without sessions, one JSON response for one request
 * (docs/spec/assistants.md 18.2). A key is needed for every message.
 *
 * @param app the app that answers the calls of the tools.
 * @param oauth how clients without a key find the authorization server.
 */
export function mcpRoutes(services: ErrorServices, app: () => Express, oauth?: McpOAuth): Route[] {
  let server: Server | undefined;
  const running = new RunningCalls();
  const routeAt = (path: string, challenge?: string): Route => ({
    method: 'POST',
    path,
    takesKey: true,
    handler: async (request, response) => {
      assertOrigin(request, services.baseUrl);
      const call = await openCall(services.authenticate, request, response).catch(
        (error: unknown) => {
          throw challenged(error, challenge);
        },
      );
      assertAccepted(call.parameters, []);
      // The calls of the tools compose the texts of their arguments.
      const body = await readJsonBody(request, { bytesMax: BODY_BYTES_MAX }, 'as sent');
      contextOf(request).work.resume();
      if (Array.isArray(body)) assertBatch(request, body);
      server ??= createHttpServer(app());
      await answer(call, body, services, { server, running });
    },
  });
  return [
    routeAt(MCP_PATH, oauth?.challenge),
    routeAt(MCP_KEY_PATH),
    ...(oauth === undefined ? [] : oauth.routes),
  ];
}

/** @throws ApiError `bad_request`. */
function assertBatch(request: IncomingMessage, batch: readonly unknown[]): void {
  const version = request.headers['mcp-protocol-version'] ?? BATCH_VERSION;
  if (version !== BATCH_VERSION) {
    const message = `Send one JSON-RPC message: version ${version} has no batches.`;
    throw new ApiError('bad_request', message);
  }
  if (batch.length > 0 && batch.length <= BATCH_LENGTH_MAX) return;
  throw new ApiError('bad_request', `A batch has 1 to ${BATCH_LENGTH_MAX} messages.`);
}

async function answer(
  call: Call,
  body: unknown,
  { meter }: ErrorServices,
  { server, running }: { readonly server: Server; readonly running: RunningCalls },
): Promise<void> {
  const { request, response, principal } = call;
  const context = contextOf(request);
  // The SDK takes memory that a service without assistants does not need.
  const { handleMcpRequest } = await import('@vcds/mcp');
  const gone = signalOf(response);
  const caller = [principal.keyId, request.ip, request.get('User-Agent')];
  running.cancelledBy(caller, body);
  const message = running.start(caller, body);
  const signal = AbortSignal.any([gone, message.signal]);
  let credits: CreditReport | undefined;
  let chargedCalls = 0;
  const options = {
    apiKey: credentialOf(request),
    baseUrl: IN_PROCESS_URL,
    fetch: fetchFor(request, server, signal),
    retry: false,
    onResponse: (event: { readonly credits: Parameters<typeof reportOf>[0] }) => {
      credits = sumOf(credits, reportOf(event.credits));
      if (event.credits.charged > 0) chargedCalls += 1;
    },
  } as const;
  const disconnected = () => new ClientGone('The client disconnected before the response.');
  const reply = await handleMcpRequest(webRequest(request, signal), body, options, (error) => {
    context.logger.error({ error }, 'a tool failed');
  })
    .catch((error: unknown) => {
      if (gone.aborted) throw disconnected();
      if (!message.signal.aborted) throw error;
      return Response.json({ jsonrpc: '2.0', id: message.id, error: CANCELLED });
    })
    .finally(message.end);
  if (gone.aborted) throw disconnected();
  call.credits = credits ?? (await meter.report(principal));
  setCreditHeaders(call);
  // The log line of the tool's own call has the charge.
  context.charged = undefined;
  // One charged call must not free the other messages of a batch.
  if (chargedCalls >= (Array.isArray(body) ? body.length : 1)) context.work.paid();
  context.work.resume();
  await send(response, reply);
}

/** The last balance, and the charges of all calls of a batch. */
function sumOf(before: CreditReport | undefined, last: CreditReport | undefined) {
  if (before === undefined || last === undefined) return last ?? before;
  return { ...last, charged: before.charged + last.charged };
}

function signalOf(response: Reply): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort(new ClientGone('The client disconnected.'));
  });
  return controller.signal;
}

/** The key or token of an authenticated request; in a sandbox it may have none, and every text is a key. */
function credentialOf(request: Request): string {
  const text = readCredentialText(request, readQueryString(request).parameters);
  return typeof text === 'string' ? text : 'no-key';
}

/** Sends the calls of a tool as the client of the request would, under the same request id. */
function fetchFor(request: Request, server: Server, cancelled: AbortSignal): typeof fetch {
  const { work } = contextOf(request);
  const send = inProcessFetch(server, request.socket.remoteAddress, work);
  const handedOn = HANDED_ON.flatMap((name) => headerOf(request, name));
  return (input, { headers, signal, ...sent } = {}) => {
    const all = new Headers(headers);
    for (const [name, value] of handedOn) all.set(name, value);
    all.set('X-Request-Id', contextOf(request).requestId);
    return send(input, {
      ...sent,
      headers: all,
      signal: AbortSignal.any(signal ? [signal, cancelled] : [cancelled]),
    });
  };
}

function headerOf({ headers }: IncomingMessage, name: string): [string, string][] {
  const value = headers[name];
  return value === undefined ? [] : [[name, String(value)]];
}

function webRequest(request: Request, signal: AbortSignal): globalThis.Request {
  const headers = new Headers(
    Object.keys(request.headers).flatMap((name) => headerOf(request, name)),
  );
  // Responses are JSON, whatever a client or a proxy accepts.
  headers.set('Accept', 'application/json, text/event-stream');
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
  readonly key?: { readonly limit: number; readonly remaining: number | null };
}): CreditReport | undefined {
  const { charged, limit, remaining, reset, key } = credits;
  if (limit === null || reset === null) return undefined;
  const resetAt = new Date(reset);
  const ofKey = key && { limit: key.limit, remaining: key.remaining ?? undefined };
  return { charged, limit, remaining: remaining ?? undefined, resetAt, key: ofKey };
}

async function send(response: Reply, reply: globalThis.Response): Promise<void> {
  const text = await reply.text();
  if (text === '') response.status(reply.status).end();
  else sendJson(response, reply.status, text);
}
