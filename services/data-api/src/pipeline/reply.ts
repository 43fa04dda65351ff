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
  readonly link: string | undefined;
}

/**
 * The response to an executed call.
 *
 * @throws ApiError `not_found`.
 */
export function replyTo(call: Call, plan: Plan, { body, more }: Answer, baseUrl: string): Reply {
  if (body === null) throw notFound();
  if (plan.kind !== 'page' || !more) return { body, link: undefined };
  const path = call.request.path.slice(DATA_BASE_PATH.length);
  return { body, link: nextLink(baseUrl, path, call.parameters, plan.skip + plan.top) };
}

export function send(call: Call, { body, link }: Reply): void {
  setCreditHeaders(call);
  if (link !== undefined) call.response.setHeader('Link', link);
  sendJson(call.response, 200, body);
}

/** Sets the headers for the charge and the remaining credits. */
export function setCreditHeaders({ request, response, credits }: Call): void {
  if (credits === undefined) return;
  contextOf(request).charged = credits.charged;
  for (const [name, value] of Object.entries(creditHeaders(credits)))
    response.setHeader(name, value);
}
