/** The way of a call, composed (see docs/architecture.md). Any throw costs the caller nothing. */
import type { Principal, Scope } from '@vcds/credentials';
import { type CreditReport, entitled, quote } from '@vcds/metering';
import {
  ApiError,
  contextOf,
  type ErrorDetails,
  keepPrivate,
  type Route,
  readQueryString,
  sendJson,
} from '@vcds/service-kit';
import type { Request, Response } from 'express';
import type { AccountShares, ErrorPacer } from '../admission/index.ts';
import { type Authenticate, withoutCredential } from '../authenticate/index.ts';
import type { Meter } from '../credits/meter.ts';
import { Uncharged } from '../credits/uncharged.ts';
import type { Answer } from '../postgres/database.ts';
import { ParameterReader } from '../request/parameter-reader.ts';
import { notFound, parseRecordId } from '../request/record-id.ts';
import { UnknownParameter } from '../request/unknown-parameter.ts';
import { unknownParameter } from '../suggestions/repair-parameter.ts';
import { pathMeant } from '../suggestions/repair-path.ts';
import type { Endpoint } from './endpoint.ts';
import { asRefusal } from './errors.ts';
import { execute, type Sources } from './execute.ts';
import { expandScopes } from './expand-scopes.ts';
import { nextLink } from './next-link.ts';
import { type Plan, quoteInput } from './plan.ts';
import { setCredits } from './report-to-caller.ts';

/** What the steps need that is not in the request. */
export interface Services extends Sources {
  readonly authenticate: Authenticate;
  readonly meter: Meter;
  readonly shares: AccountShares;
  /** Bounds the free errors of an account; not bounded without it. */
  readonly errorPacer?: Pick<ErrorPacer, 'pace'>;
  /** {base_url}: the public root with the version segment. */
  readonly baseUrl: string;
  /** {auth_url}: the public root of the access API with its version segment. */
  readonly authUrl?: string;
  /** The clock of suggestions such as today's date, in milliseconds since 1970. */
  readonly nowMs?: () => number;
}

type Parameters = ReadonlyMap<string, string>;

/** The routes of all endpoints. */
export function routesOf(endpoints: readonly Endpoint[], services: Services): Route[] {
  const fullPath = ({ path }: Endpoint) => `/v2${path}`;
  const known = { paths: endpoints, authUrl: services.authUrl };
  const all = { ...services, meant: (path: string) => pathMeant(path, known) };
  return endpoints.map((endpoint) => ({
    method: 'GET',
    path: fullPath(endpoint),
    handler: (request, response) => serve(endpoint, all, request, response),
  }));
}

interface ServicesAndPaths extends Services {
  /** The path there is that is nearest to one that is asked for. */
  readonly meant: (path: string) => string | undefined;
}

async function serve(
  endpoint: Endpoint,
  services: ServicesAndPaths,
  request: Request,
  response: Response,
): Promise<void> {
  const { parameters: sent, error: fault } = readQueryString(request);
  const principal = await services.authenticate(request, sent);
  contextOf(request).caller = { accountId: principal.accountId, keyId: principal.keyId };
  keepPrivate(response);
  const parameters = withoutCredential(sent);
  try {
    if (fault !== undefined) throw fault;
    assertEntitled(principal, endpoint.rate.scope);
    const plan = planOf(endpoint, request, parameters, principal, services);
    assertExpandsEntitled(principal, plan);
    const shape = (answer: Answer): Shaped => shaped(answer, plan, request, parameters, services);
    const { requestId } = contextOf(request);
    const hasLeft = (): boolean => response.closed;
    const served = await carryOut(endpoint, services, {
      principal,
      requestId,
      plan,
      shape,
      hasLeft,
    });
    setCredits(request, response, served.report);
    if (served.link !== undefined) response.setHeader('Link', served.link);
    sendJson(response, 200, served.body);
  } catch (thrown) {
    const { reason, report } =
      thrown instanceof Uncharged
        ? thrown
        : new Uncharged(thrown, await services.meter.report(principal));
    setCredits(request, response, report);
    const error = asRefusal(reason, services.baseUrl);
    if (isCallersError(error)) await services.errorPacer?.pace(principal.accountId);
    throw error;
  }
}

function isCallersError(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500;
}

/** What is answered, all but the credits. */
interface Shaped {
  readonly body: string;
  readonly link: string | undefined;
}

interface PlannedCall {
  readonly principal: Principal;
  readonly requestId: string;
  readonly plan: Plan;
  readonly shape: (answer: Answer) => Shaped;
  /** Whether the client has closed the connection. */
  readonly hasLeft: () => boolean;
}

// The slot is taken last and left first, so that an account's share is of statements and not of
// round trips to Redis. Settling comes last: after it nothing can fail any more, so no error was
// ever charged.
async function carryOut(
  { rate }: Endpoint,
  { meter, shares, ...sources }: Services,
  { principal, requestId, plan, shape, hasLeft }: PlannedCall,
): Promise<Shaped & { readonly report: CreditReport }> {
  const input = quoteInput(plan);
  const price = quote(rate, input);
  const hold = await meter.reserve({ principal, requestId, rate, quote: price, input });
  try {
    const read = () => execute(plan, sources);
    const answer =
      plan.kind === 'fixed'
        ? await read()
        : await (await shares.enter(principal, hasLeft)).run(read);
    return { ...shape(answer), report: await hold.settle(answer.records) };
  } catch (thrown) {
    const report = await hold.release();
    throw thrown instanceof Uncharged ? thrown : new Uncharged(thrown, report);
  }
}

function shaped(
  { body, more }: Answer,
  plan: Plan,
  request: Request,
  parameters: Parameters,
  { baseUrl }: Services,
): Shaped {
  if (body === null) throw notFound();
  if (plan.kind !== 'page' || !more) return { body, link: undefined };
  return { body, link: nextLink(baseUrl, pathOf(request), parameters, plan.skip + plan.top) };
}

function planOf(
  endpoint: Endpoint,
  request: Request,
  parameters: Parameters,
  principal: Principal,
  { cursors, meant, nowMs = Date.now }: ServicesAndPaths,
): Plan {
  const path = { ...(request.params as Readonly<Record<string, string>>) };
  // A mistyped path reads other parameters than the record it is taken for.
  if (path.id !== undefined) {
    path.id = parseRecordId(path.id, endpoint.path, () => meant(request.path));
  }
  const { accepts, resource } = endpoint;
  const today = new Date(nowMs()).toISOString().slice(0, 10);
  const plan = (asked: Parameters): Plan =>
    endpoint.plan({ reader: new ParameterReader(asked, accepts), path, principal, cursors, today });
  try {
    return plan(parameters);
  } catch (error) {
    if (!(error instanceof UnknownParameter)) throw error;
    const call = { path: endpoint.path, accepts, resource, parameters, today, plan };
    throw unknownParameter(error.details.parameter ?? '', call);
  }
}

function assertEntitled(principal: Principal, scope: Scope | null, details?: ErrorDetails): void {
  const entitlement = entitled(principal.plan, principal.scopes, scope);
  if (!entitlement.allowed) throw new ApiError('not_entitled', entitlement.message, details);
}

// What an expand brings along needs its own scope: a key narrowed to companies reads no people.
function assertExpandsEntitled(principal: Principal, plan: Plan): void {
  for (const { relation, scope } of expandScopes(plan)) {
    assertEntitled(principal, scope, { parameter: '$expand', value: relation, see: '/pricing' });
  }
}

function pathOf(request: Request): string {
  return request.path.replace(/^\/v2/, '');
}
