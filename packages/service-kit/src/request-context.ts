import type { IncomingMessage } from 'node:http';
import type { ProblemBody } from './errors.ts';
import type { Logger } from './logger.ts';
import { timeOrderedId } from './time-ordered-id.ts';
import { type RequestWork, UNBOUNDED_WORK } from './work/request-work.ts';

/** The ids of the caller for log lines. */
export interface Caller {
  readonly accountId: string;
  readonly keyId: string;
}

/** The state of a running request. */
export interface RequestContext {
  /** The X-Request-Id of the response, and `trace_id` of its error body. */
  readonly requestId: string;
  /** Logs with the request id. */
  readonly logger: Logger;
  /** The path pattern that matched; `unknown` before. */
  route: string;
  /** The ids of the request's span, for log lines; undefined without tracing. */
  trace: { readonly trace_id: string; readonly span_id: string } | undefined;
  /** Set by authentication. */
  caller: Caller | undefined;
  /** The bounds of the work of the request. */
  work: RequestWork;
  /** Whether a body is still to be compressed. */
  compresses: boolean;
  /** Credits charged, for the log line; set when the call is charged. */
  charged: number | undefined;
  /** The form of error bodies, if it is not the usual one. */
  shapeProblem: ((body: ProblemBody) => unknown) | undefined;
}

// No `_` and no `.`, so that neither an API key nor a JWT is accepted as a request id and logged.
const REQUEST_ID = /^[0-9A-Za-z-]{8,64}$/;
// A property of the request: garbage collection visits each entry of a weak map.
const CONTEXT = Symbol('context');
type WithContext = IncomingMessage & { [CONTEXT]?: RequestContext };

/**
 * Opens the context of a request. An X-Request-Id of 8 to 64 letters, digits and `-` is kept, so
 * that callers can correlate their logs; any other value is replaced by a UUID.
 */
export function openContext(request: IncomingMessage, logger: Logger): RequestContext {
  const sent = request.headers['x-request-id'];
  const requestId = typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : timeOrderedId();
  const context = new OpenContext(requestId, logger);
  (request as WithContext)[CONTEXT] = context;
  return context;
}

class OpenContext implements RequestContext {
  readonly requestId: string;
  route = 'unknown';
  trace: RequestContext['trace'];
  caller: Caller | undefined;
  work = UNBOUNDED_WORK;
  compresses = false;
  charged: number | undefined;
  shapeProblem: RequestContext['shapeProblem'];
  readonly #parent: Logger;
  #logger: Logger | undefined;

  constructor(requestId: string, parent: Logger) {
    this.requestId = requestId;
    this.#parent = parent;
  }

  // Few requests log anything but their line.
  get logger(): Logger {
    this.#logger ??= this.#parent.child({ requestId: this.requestId, ...this.trace });
    return this.#logger;
  }
}

/** The context of a request that came through `createPublicApp` or `createInternalApp`. */
export function contextOf(request: IncomingMessage): RequestContext {
  const context = (request as WithContext)[CONTEXT];
  if (context === undefined) throw new Error('The request did not come through the edge.');
  return context;
}
