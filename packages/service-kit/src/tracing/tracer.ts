import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';

/**
 * Spans of calls (docs/spec/operations.md 16.11). Each function here wraps another one when it is
 * created, and returns it unchanged if the process does not trace, so that tracing costs nothing then.
 * No attribute contains a key, a token, an address, or a value of a query.
 */
let tracer: Tracer | undefined;
const NO_TRACE = Object.freeze({});

/** Sets the tracer of the process, before the service is created; undefined: no tracing. */
export function setTracer(next: Tracer | undefined): void {
  tracer = next;
}

export const isTracing = (): boolean => tracer !== undefined;

type Step = (...args: never[]) => unknown;

/** The functions of a table, each in a span with its name. */
export function tracedSteps<const T extends Readonly<Record<string, Step>>>(steps: T): T {
  if (tracer === undefined) return steps;
  const entries = Object.entries<Step>(steps).map(([name, step]) => [name, inStep(name, step)]);
  return Object.freeze(Object.fromEntries(entries)) as T;
}

function inStep(name: string, step: Step): Step {
  return (...args) => inSpan(name, SpanKind.INTERNAL, {}, () => step(...args));
}

/** A query of PostgreSQL in a span: a short name, and its text without values. */
export interface QuerySpan {
  readonly name: string;
  readonly text?: string;
}

const QUERY_TEXT_LENGTH_MAX = 10_000;

/** A function that queries PostgreSQL, in a client span. */
export function tracedQuery<S, R extends readonly unknown[], T>(
  spanOf: (statement: S) => QuerySpan,
  query: (statement: S, ...rest: R) => T,
): (statement: S, ...rest: R) => T {
  if (tracer === undefined) return query;
  return (statement, ...rest) => {
    const { name, text } = spanOf(statement);
    const attributes = {
      'db.system.name': 'postgresql',
      'db.query.summary': name,
      ...(text === undefined ? {} : { 'db.query.text': text.slice(0, QUERY_TEXT_LENGTH_MAX) }),
    };
    return inSpan(name, SpanKind.CLIENT, attributes, () => query(statement, ...rest));
  };
}

interface OutgoingRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A function that sends a request to another service, with `traceparent` (W3C Trace Context). */
export function tracedRequests<T extends { readonly status: number }>(
  service: string,
  send: (request: OutgoingRequest) => Promise<T>,
): (request: OutgoingRequest & { readonly body?: string }) => Promise<T> {
  if (tracer === undefined) return send;
  return ({ headers, ...request }) => {
    const attributes = {
      'http.request.method': request.method,
      'url.path': request.path,
      'peer.service': service,
    };
    return inSpan(
      `${request.method} ${request.path}`,
      SpanKind.CLIENT,
      attributes,
      async (span) => {
        const carrier = { ...headers };
        propagation.inject(context.active(), carrier);
        const response = await send({ ...request, headers: carrier });
        span.setAttribute('http.response.status_code', response.status);
        return response;
      },
    );
  };
}

/** The span of an incoming request. */
export interface RequestSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Runs the request as a part of the span. */
  readonly run: (work: () => void) => void;
  readonly end: (route: string, status: number) => void;
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Begins the span of a request; a valid `traceparent` is its parent. Undefined without tracing. */
export function beginRequest(
  { method, headers }: { readonly method: string; readonly headers: Headers },
  requestId: string,
): RequestSpan | undefined {
  if (tracer === undefined) return undefined;
  const parent = propagation.extract(ROOT_CONTEXT, headers);
  const attributes = { 'http.request.method': method, 'vcds.request_id': requestId };
  const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
  const { traceId, spanId } = span.spanContext();
  return {
    traceId,
    spanId,
    run: (work) => context.with(trace.setSpan(parent, span), work),
    end: (route, status) => {
      span.updateName(`${method} ${route}`);
      span.setAttributes({ 'http.route': route, 'http.response.status_code': status });
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

/** The current span as the data of a job (W3C Trace Context); empty without tracing. */
export function traceOfJob(): { readonly traceparent?: string } {
  if (tracer === undefined) return NO_TRACE;
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent === undefined ? NO_TRACE : { traceparent: carrier.traceparent };
}

/** The span of a job: its name, and the span that queued it. */
export interface JobSpan {
  readonly name: string;
  readonly traceparent?: string | undefined;
}

/** A function that runs jobs, each in a span; undefined: this job has none. */
export function tracedJobs<J, R extends readonly unknown[], T>(
  spanOf: (job: J) => JobSpan | undefined,
  run: (job: J, ...rest: R) => Promise<T>,
): (job: J, ...rest: R) => Promise<T> {
  if (tracer === undefined) return run;
  return (job, ...rest) => {
    const described = spanOf(job);
    if (described === undefined) return run(job, ...rest);
    const { name, traceparent } = described;
    const parent = propagation.extract(ROOT_CONTEXT, { traceparent });
    return context.with(parent, () => inSpan(name, SpanKind.CONSUMER, {}, () => run(job, ...rest)));
  };
}

/** Begins a client span below the current one, if there is one. The function returned ends it. */
export function beginCommand(
  name: string,
  attributes: Attributes,
): ((error?: unknown) => void) | undefined {
  if (tracer === undefined || trace.getActiveSpan() === undefined) return undefined;
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes });
  return (error) => end(span, error);
}

function inSpan<T>(
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  work: (span: Span) => T,
): T {
  const span = (tracer ?? trace.getTracer('none')).startSpan(name, { kind, attributes });
  try {
    const result = context.with(trace.setSpan(context.active(), span), work, undefined, span);
    if (!isPromise(result)) {
      end(span);
      return result;
    }
    return result.then(
      (value: unknown) => {
        end(span);
        return value;
      },
      (error: unknown) => {
        end(span, error);
        throw error;
      },
    ) as T;
  } catch (error) {
    end(span, error);
    throw error;
  }
}

// The code of an error, and never its message, which may quote a value of the caller.
function end(span: Span, error?: unknown): void {
  if (error !== undefined) {
    span.setAttribute('error.type', typeOf(error));
    if (!isClientError(error)) span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value;
}

function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

function isClientError(error: unknown): boolean {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status === 'number' && status < 500;
}
