import { creditHeaders } from '@vcds/metering';
import { contextOf, DATA_BASE_PATH, sendJson } from '@vcds/service-kit';
import { hintHeader } from '../hints/header.ts';
import type { Answer, AnswerFile } from '../postgres/database.ts';
import type { Call } from './call.ts';
import type { Endpoint } from './endpoint.ts';
import { nextLink } from './next-link.ts';
import { notFound } from './request/record-id.ts';
import { assertRange, sendFile } from './send-file.ts';

/** The response to a call, without its credits. */
export interface Reply {
  readonly body: string;
  /** Headers in addition to those of every call. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sent in place of the body. */
  readonly file?: AnswerFile | undefined;
}

/**
 * The response to an executed call.
 *
 * @throws ApiError `not_found`, `bad_range`.
 */
export function replyTo(
  call: Call,
  { cursor: parameter }: Endpoint,
  answer: Answer,
  baseUrl: string,
): Reply {
  const { body, headers = {}, file } = answer;
  if (file !== undefined) {
    assertRange(call.request, file);
    return { body: '', headers, file };
  }
  if (body === null) throw notFound();
  if (answer.next === undefined || parameter === undefined) return { body, headers };
  const path = call.request.path.slice(DATA_BASE_PATH.length);
  const link = nextLink(baseUrl, path, call.parameters, {
    ...{ parameter: parameter.name, cursor: answer.next },
  });
  return { body, headers: { ...headers, ...link } };
}

/**
 * The response with the hints as a member of its object, such as a count or aggregates; a list has no place for them
 * (docs/spec/query-language.md 5.5).
 */
export function withHintsInBody(reply: Reply, hints: readonly string[]): Reply {
  const { body } = reply;
  if (hints.length === 0 || !body.startsWith('{')) return reply;
  return { ...reply, body: `${body.slice(0, -1)},"hints":${JSON.stringify(hints)}}` };
}

/** The response with a header for the hints. */
export function withHints(reply: Reply, hints: readonly string[]): Reply {
  return hints.length === 0
    ? reply
    : { ...reply, headers: { ...reply.headers, ...hintHeader(hints) } };
}

export async function send(call: Call, { body, headers, file }: Reply): Promise<void> {
  setCreditHeaders(call);
  for (const [name, value] of Object.entries(headers)) call.response.setHeader(name, value);
  if (call.isRepeated === true) call.response.setHeader('Idempotent-Replayed', 'true');
  if (file !== undefined) await sendFile(call.response, file);
  else if (call.request.method === 'HEAD') call.response.end();
  else sendJson(call.response, 200, body);
}

/** Sets the headers for the charge and the remaining credits. */
export function setCreditHeaders({ request, response, credits }: Call): void {
  if (credits === undefined) return;
  const context = contextOf(request);
  context.charged = credits.charged;
  if (credits.charged > 0) context.work.paid();
  for (const [name, value] of Object.entries(creditHeaders(credits)))
    response.setHeader(name, value);
}
