import { creditHeaders } from '@vcds/metering';
import { contextOf, DATA_BASE_PATH, sendJson } from '@vcds/service-kit';
import type { Answer } from '../postgres/database.ts';
import { notFound } from '../request/record-id.ts';
import type { Call } from './call.ts';
import { nextLink } from './next-link.ts';
import type { Plan } from './plan.ts';

/** The response to a call, without its credits. */
export interface Reply {
  readonly body: string;
  /** Headers in addition to those of every call. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The response to an executed call.
 *
 * @throws ApiError `not_found`.
 */
export function replyTo(call: Call, plan: Plan, answer: Answer, baseUrl: string): Reply {
  const { body, headers = {} } = answer;
  if (body === null) throw notFound();
  const position = nextPosition(plan, answer);
  if (position === undefined) return { body, headers };
  const path = call.request.path.slice(DATA_BASE_PATH.length);
  const link = nextLink(baseUrl, path, call.parameters, position);
  return { body, headers: link === undefined ? headers : { ...headers, Link: link } };
}

function nextPosition(plan: Plan, { more, next }: Answer) {
  if (next !== undefined) return { cursor: next };
  return plan.kind === 'page' && more ? { skip: plan.skip + plan.top } : undefined;
}

export function send(call: Call, { body, headers }: Reply): void {
  setCreditHeaders(call);
  for (const [name, value] of Object.entries(headers)) call.response.setHeader(name, value);
  sendJson(call.response, 200, body);
}

/** Sets the headers for the charge and the remaining credits. */
export function setCreditHeaders({ request, response, credits }: Call): void {
  if (credits === undefined) return;
  contextOf(request).charged = credits.charged;
  for (const [name, value] of Object.entries(creditHeaders(credits)))
    response.setHeader(name, value);
}
