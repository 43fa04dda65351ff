/** The steps of a call (docs/architecture.md). Errors are free. */
import type { AccountShares } from '@vcds/admission';
import { ApiError, contextOf, DATA_BASE_PATH, type Route } from '@vcds/service-kit';
import type { Request, Response } from 'express';
import type { Authenticate } from '../authenticate/index.ts';
import { type Meter, releasedOnError } from '../credits/meter.ts';
import type { Caller } from '../find/look-up.ts';
import { type Call, openCall } from './call.ts';
import type { Endpoint } from './endpoint.ts';
import { entitle, entitleExpands } from './entitle.ts';
import { execute, type Sources } from './execute.ts';
import { type ParseContext, parse } from './parse.ts';
import { assertWithinLimit, type Price, priceOf, replyWithQuote } from './price.ts';
import { replyTo, send } from './reply.ts';
import { resolve } from './resolve.ts';

/** The dependencies of the steps. */
export interface Services extends Sources, Omit<ParseContext, 'suggestPath'> {
  readonly cursors: ParseContext['cursors'];
  readonly authenticate: Authenticate;
  readonly meter: Meter;
  readonly shares: AccountShares;
  /** {base_url}: the public root with the version segment. */
  readonly baseUrl: string;
}

/** The route of an endpoint. */
export function routeOf(endpoint: Endpoint, services: Services & ParseContext): Route {
  return {
    method: 'GET',
    path: `${DATA_BASE_PATH}${endpoint.path}`,
    handler: (request, response) => serve(endpoint, services, request, response),
  };
}

// No step after settling can fail, so an error is never charged.
async function serve(
  endpoint: Endpoint,
  services: Services & ParseContext,
  request: Request,
  response: Response,
): Promise<void> {
  const call = await openCall(services.authenticate, request, response);
  const caller = callerOf(call, services);
  entitle(call, endpoint);
  const { query, context, isQuote } = parse(call, endpoint, services);
  const plan = endpoint.plan(query, context);
  entitleExpands(call, plan);
  const price = priceOf(endpoint, plan);
  assertWithinLimit(call, price, isQuote);
  await resolve(plan, services, caller.read);
  if (isQuote) return send(call, await replyWithQuote(call, price, services.meter));
  const hold = await reserve(call, price, services);
  const reply = await releasedOnError(hold, async () => {
    const answer = await execute(plan, services, caller);
    const shaped = replyTo(call, plan, answer, services.baseUrl);
    await hold.settle(answer.records);
    return shaped;
  });
  send(call, reply);
}

function reserve(call: Call, price: Price, { meter }: Services) {
  const { requestId } = contextOf(call.request);
  return meter.reserve({ call, requestId, ...price });
}

function callerOf(call: Call, services: Services): Caller {
  return {
    accountId: call.principal.accountId,
    read: (work) => readInShare(call, services, work),
    disconnected: () => disconnected(call.response),
  };
}

function disconnected(response: Response): AbortSignal {
  const controller = new AbortController();
  const reason = new ApiError('request_timeout', 'The client closed the connection.');
  if (response.closed) controller.abort(reason);
  else response.once('close', () => controller.abort(reason));
  return controller.signal;
}

// Holds the slot only for statements, not for calls of Redis.
async function readInShare<T>(
  { principal, response }: Call,
  { shares, database }: Services,
  work: () => Promise<T>,
): Promise<T> {
  const slot = await shares.acquire(principal, () => response.closed);
  return slot.run(() => database.read(principal.accountId, work));
}
