/** The way of a call, composed (see docs/architecture.md). Any throw costs the caller nothing. */
import type { Principal } from '@vcds/credentials';
import { type CreditReport, creditHeaders, entitled, quote } from '@vcds/metering';
import {
  ApiError,
  contextOf,
  keepPrivate,
  type Route,
  readParameters,
  sendJson,
} from '@vcds/service-kit';
import type { Request, Response } from 'express';
import { type Authenticate, withoutCredential } from '../authenticate/index.ts';
import type { Answer, Database } from '../execute/database.ts';
import { execute } from '../execute/execute.ts';
import { ParameterReader } from '../parse/parameter-reader.ts';
import { notFound } from '../parse/record-id.ts';
import { type Plan, quoteInput } from '../plan/plan.ts';
import type { Meter } from '../reserve/meter.ts';
import { nextLink } from '../shape/next-link.ts';
import { asRefusal } from '../shape/query-refusal.ts';
import type { Endpoint } from './endpoint.ts';

/** What the steps need that is not in the request. */
export interface Services {
  readonly authenticate: Authenticate;
  readonly meter: Meter;
  readonly database: Database;
  /** {base_url}: the public root with the version segment. */
  readonly baseUrl: string;
}

type Parameters = ReadonlyMap<string, string>;

/** The route of an endpoint. */
export function routeOf(endpoint: Endpoint, services: Services): Route {
  return {
    method: 'GET',
    path: `/v2${endpoint.path}`,
    handler: (request, response) => serve(endpoint, services, request, response),
  };
}

async function serve(
  endpoint: Endpoint,
  services: Services,
  request: Request,
  response: Response,
): Promise<void> {
  const sent = readParameters(request);
  const principal = await services.authenticate(request, sent);
  contextOf(request).caller = { accountId: principal.accountId, keyId: principal.keyId };
  keepPrivate(response);
  const parameters = withoutCredential(sent);
  try {
    assertEntitled(endpoint, principal);
    const plan = planOf(endpoint, request, parameters, principal);
    const { answer, report } = await carryOut(endpoint, services, principal, plan);
    setCredits(response, report);
    if (plan.kind === 'page' && answer.more) {
      const skip = plan.skip + plan.top;
      response.setHeader('Link', nextLink(services.baseUrl, pathOf(request), parameters, skip));
    }
    sendJson(response, 200, answer.body);
  } catch (thrown) {
    setCredits(response, await services.meter.report(principal));
    throw asRefusal(thrown, services.baseUrl);
  }
}

async function carryOut(
  { rate }: Endpoint,
  { meter, database }: Services,
  principal: Principal,
  plan: Plan,
): Promise<{ answer: Answer; report: CreditReport | undefined }> {
  const input = quoteInput(plan);
  const hold = await meter.reserve({ principal, rate, quote: quote(rate, input), input });
  try {
    const answer = await execute(plan, database);
    if (answer.body === null) throw notFound();
    return { answer, report: await hold.settle(answer.records) };
  } catch (thrown) {
    await hold.release();
    throw thrown;
  }
}

function planOf(
  endpoint: Endpoint,
  request: Request,
  parameters: Parameters,
  principal: Principal,
): Plan {
  const reader = new ParameterReader(parameters, endpoint.accepts);
  const path = request.params as Readonly<Record<string, string>>;
  return endpoint.plan({ reader, path, principal });
}

function assertEntitled({ rate }: Endpoint, principal: Principal): void {
  const entitlement = entitled(principal.plan, principal.scopes, rate.scope);
  if (!entitlement.allowed) throw new ApiError('not_entitled', entitlement.message);
}

function setCredits(response: Response, report: CreditReport | undefined): void {
  if (report === undefined) return;
  for (const [name, value] of Object.entries(creditHeaders(report)))
    response.setHeader(name, value);
}

function pathOf(request: Request): string {
  return request.path.replace(/^\/v2/, '');
}
