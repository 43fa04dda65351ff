import type { IncomingMessage } from 'node:http';
import type { RequestContext } from '../request-context.ts';
import { beginRequest, type RequestSpan } from './tracer.ts';

/** Begins the span of a request and records its ids in the context. Undefined without tracing. */
export function beginTrace(
  request: IncomingMessage,
  context: RequestContext,
): RequestSpan | undefined {
  const { method = '', headers } = request;
  const span = beginRequest({ method, headers }, context.requestId);
  if (span !== undefined) context.trace = { trace_id: span.traceId, span_id: span.spanId };
  return span;
}
