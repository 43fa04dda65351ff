/** The steps of a call (docs/architecture.md). Errors are free. */
import type { AccountShares } from '@vcds/admission';
import type { Once } from '@vcds/metering';
import { ApiError, contextOf, DATA_BASE_PATH, type Route, tracedSteps } from '@vcds/service-kit';
import type { Request, Response } from 'express';
import type { Authenticate } from '../authenticate/index.ts';
import { type Hold, type Meter, releasedOnError } from '../credits/meter.ts';
import type { Caller } from '../find/look-up.ts';
import { readRequestBody } from './body.ts';
import { type Call, openCall } from './call.ts';
import type { Endpoint } from './endpoint.ts';
import { entitle, entitleExpands } from './entitle.ts';
import { formatOf, formatted } from './format.ts';
import { goneOrMoved, moved } from './moved.ts';
import { onceOf } from './once.ts';
import { type ParseContext, type Parsed, parse } from './parse.ts';
import { assertWithinLimit, type Price, priceOf, replyToHead, replyWithQuote } from './price.ts';
import { replyTo, send, withHints, withHintsInBody } from './reply.ts';
import { resolve } from './resolve.ts';
import { assertNoSandboxHeader } from './sandbox-headers.ts';
import type { Sources } from './sources.ts';

/** The dependencies of the steps. */
export interface Services extends Sources, Omit<ParseContext, 'suggestPath'> {
  readonly cursors: ParseContext['cursors'];
  readonly authenticate: Authenticate;
  readonly meter: Meter;
  readonly shares: AccountShares;
  /** In a sandbox, the state of the data that a call reads. */
  readonly stateOf?: (call: Call) => Promise<Pick<Services, 'database' | 'categories'>>;
}

/** The steps by name: each is a span of a traced call. */
const STEPS = {
  openCall,
  entitle,
  readRequestBody,
  parse,
  plan: (endpoint: Endpoint, { query, context }: Parsed) => endpoint.plan(query, context),
  entitleExpands,
  formatOf,
  priceOf,
  assertWithinLimit,
  resolve,
  moved,
  replyToHead,
  replyWithQuote,
  onceOf,
  reserve: (call: Call, price: Price, once: Once | undefined, { meter }: Services) =>
    meter.reserve({ call, requestId: contextOf(call.request).requestId, once, ...price }),
  execute: (endpoint: Endpoint, plan: unknown, services: Services, caller: Caller) =>
    endpoint.run(plan, services, caller),
  goneOrMoved,
  replyTo,
  formatted,
  settle: (hold: Hold, records: number) => hold.settle(records),
  send,
} as const;

/** The route of an endpoint. */
export function routeOf(endpoint: Endpoint, services: Services & ParseContext): Route {
  const steps = tracedSteps(STEPS);
  return {
    method: endpoint.rate.method,
    path: `${DATA_BASE_PATH}${endpoint.path}`,
    takesKey: true,
    handler: (request, response) => serve(steps, endpoint, services, request, response),
  };
}

// No step after settling can fail, so an error is never charged; nor is a call whose client has
// disconnected before it (docs/spec/credits.md 10.4).
async function serve(
  steps: typeof STEPS,
  endpoint: Endpoint,
  all: Services & ParseContext,
  request: Request,
  response: Response,
): Promise<void> {
  const call = await steps.openCall(all.authenticate, request, response);
  const services = await servicesOf(call, all);
  const { work } = contextOf(request);
  const caller = callerOf(call, services);
  steps.entitle(call, endpoint);
  const body = endpoint.body && (await steps.readRequestBody(call.request, endpoint.body));
  work.resume();
  const parsed = steps.parse(call, endpoint, services, body);
  const planned = steps.plan(endpoint, parsed);
  steps.entitleExpands(call, endpoint, planned);
  const format = steps.formatOf(call, endpoint, planned, parsed.format);
  const price = steps.priceOf(endpoint, planned);
  steps.assertWithinLimit(call, price, parsed.isQuote);
  const once = steps.onceOf(call, body);
  const { plan, hints } = await steps.resolve(endpoint, planned, services, caller.read);
  work.resume();
  const isHead = call.request.method === 'HEAD';
  // They do not read the record.
  const error =
    isHead || parsed.isQuote ? await steps.moved(call, endpoint, services, caller) : undefined;
  if (error !== undefined) throw error;
  if (isHead) {
    const head = await steps.replyToHead(call, price, format, services.meter);
    // The headers of a file depend on it, and finding it reads nothing.
    const { file } = endpoint.text?.media
      ? steps.replyTo(
          call,
          endpoint,
          await steps.execute(endpoint, plan, services, caller),
          services.baseUrl,
        )
      : head;
    return steps.send(call, withHints({ ...head, file }, hints));
  }
  if (parsed.isQuote) {
    const quoted = await steps.replyWithQuote(call, price, services.meter);
    return steps.send(call, withHints(quoted, hints));
  }
  const hold = await steps.reserve(call, price, once, services);
  work.resume();
  const reply = await releasedOnError(hold, async () => {
    const answer = await steps.execute(endpoint, plan, services, caller);
    work.resume();
    if (answer.body === null && answer.file === undefined) {
      throw await steps.goneOrMoved(call, endpoint, services, caller);
    }
    const plain = steps.replyTo(call, endpoint, answer, services.baseUrl);
    const hinted = format === undefined ? withHintsInBody(plain, hints) : plain;
    const shaped = await steps.formatted(call, hinted, format);
    work.resume();
    caller.disconnected().throwIfAborted();
    await steps.settle(hold, answer.records);
    work.resume();
    return shaped;
  });
  await steps.send(call, withHints(reply, hints));
}

async function servicesOf<S extends Services>(call: Call, services: S): Promise<S> {
  if (services.stateOf !== undefined) return { ...services, ...(await services.stateOf(call)) };
  assertNoSandboxHeader(call.request);
  return services;
}

function callerOf(call: Call, services: Services): Caller {
  let signal: AbortSignal | undefined;
  const disconnected = (): AbortSignal => {
    signal ??= whenDisconnected(call.response);
    return signal;
  };
  return {
    accountId: call.principal.accountId,
    read: (work) => readInShare(call, services, disconnected(), work),
    disconnected,
    remaining: () => least(services.meter.recent(call.principal)?.remaining, call.keyRemaining),
  };
}

function least(...known: readonly (number | undefined)[]): number | undefined {
  const numbers = known.filter((each) => each !== undefined);
  return numbers.length === 0 ? undefined : Math.min(...numbers);
}

function whenDisconnected(response: Response): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => {
    if (response.writableFinished) return;
    controller.abort(new ApiError('request_timeout', 'The client closed the connection.'));
  };
  if (response.closed) abort();
  else response.once('close', abort);
  return controller.signal;
}

// Holds the slot only for statements, not for calls of Redis. A result for a client that has left is a
// failed read, so that its time counts as unpaid.
async function readInShare<T>(
  { principal, response }: Call,
  { shares, database }: Services,
  disconnected: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const slot = await shares.acquire(principal, () => response.closed);
  return slot.run(async () => {
    const result = await database.read(principal.accountId, work, disconnected);
    disconnected.throwIfAborted();
    return result;
  });
}
