import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Logger } from './logger.ts';

/** Who is calling, as far as log lines need it. */
export interface Caller {
  readonly accountId: string;
  readonly keyId: string;
}

/** What the edge knows about a request under way. */
export interface RequestContext {
  /** The X-Request-Id of the answer, and `trace_id` of its error body. */
  readonly requestId: string;
  /** Logs with the request id. */
  readonly logger: Logger;
  /** The path pattern that matched, `unknown` before. */
  route: string;
  /** Set once the caller is known. */
  caller: Caller | undefined;
  /** Credits charged, once known; for the access log. */
  charged: number | undefined;
}

// No `_` and no `.`: neither an API key nor a JWT can pass for a request id and be logged.
const REQUEST_ID = /^[0-9A-Za-z-]{8,64}$/;
const contexts = new WeakMap<IncomingMessage, RequestContext>();

/** Opens the context of a request. An incoming X-Request-Id of 8 to 64 letters, digits and `-` is
 * kept, so that a caller can follow a call through; anything else is replaced by a UUID. */
export function openContext(request: IncomingMessage, logger: Logger): RequestContext {
  const sent = request.headers['x-request-id'];
  const requestId = typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID();
  let child: Logger | undefined;
  const context: RequestContext = {
    requestId,
    get logger() {
      child ??= logger.child({ requestId });
      return child;
    },
    route: 'unknown',
    caller: undefined,
    charged: undefined,
  };
  contexts.set(request, context);
  return context;
}

/** The context of a request that came through `createPublicApp` or `createInternalApp`. */
export function contextOf(request: IncomingMessage): RequestContext {
  const context = contexts.get(request);
  if (context === undefined) throw new Error('The request did not come through the edge.');
  return context;
}
