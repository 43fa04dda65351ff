import type { Request, RequestHandler, Response } from 'express';
import { compressAny } from './compress.ts';
import { isPreflight, preflight, removeCorsHeaders } from './cors.ts';
import { ApiError } from './errors.ts';
import { nearestPath } from './nearest-path.ts';
import { readPath } from './parameters.ts';
import { contextOf } from './request-context.ts';
import { routeTree } from './route-tree.ts';
import { PAGE_SECURITY_HEADERS, setHeaders } from './security-headers.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type Surface = 'api' | 'page' | 'file';

/** An endpoint: a row of a service's table of routes. */
export interface Route {
  readonly method: Method;
  /** Literal segments, `:name`, and `*name` at the end. The order of the table does not matter. */
  readonly path: string;
  readonly handler: (request: Request, response: Response) => void | Promise<void>;
  /** A `page` has no CORS headers. Default `api`. */
  readonly surface?: Surface;
  /**
   * The handler authenticates every request and assigns its work to the account. Without this a request
   * counts to its network, whatever credential it has.
   */
  readonly takesKey?: boolean;
}

/** The routes of one path. */
interface Mounted {
  readonly path: string;
  readonly surface: Surface;
  readonly handlers: ReadonlyMap<string, RequestHandler>;
  readonly reject: RequestHandler;
}

/**
 * The handler of a table of routes; a path that is not in it is left to the next one. Literal segments
 * precede parameters. Every path with GET has HEAD. Other methods get 405 with Allow; OPTIONS is a free
 * preflight.
 *
 * It looks a path up in a tree. Routes of Express are tried one after the other, each a regular
 * expression, which took a third of the processor time of a call that reads one record.
 */
export function routesHandler(routes: readonly Route[]): RequestHandler {
  const mounted = [...groupedByPath(routes)].map(
    ([path, group]) => [path, mount(path, group)] as const,
  );
  const find = routeTree(new Map(mounted));
  return (request, response, next) => {
    const match = find(request.path);
    if (match === undefined) return next();
    const { path, surface, handlers, reject } = match.value;
    request.params = match.parameters;
    contextOf(request).route = path;
    if (surface === 'page') {
      removeCorsHeaders(response);
      setHeaders(response, PAGE_SECURITY_HEADERS);
    }
    if (surface !== 'api' && contextOf(request).compresses) compressAny(request, response);
    return (handlers.get(request.method) ?? reject)(request, response, next);
  };
}

function mount(path: string, group: readonly Route[]): Mounted {
  const surface = surfaceOf(group);
  const allow = allowed(group, surface);
  const handlers = new Map<string, RequestHandler>();
  for (const { method, handler, takesKey = false } of group) {
    handlers.set(method, takesKey ? handler : withoutKey(handler));
  }
  const get = handlers.get('GET');
  if (get !== undefined) handlers.set('HEAD', get);
  if (surface !== 'page') handlers.set('OPTIONS', withoutKey(preflight(allow)));
  return { path, surface, handlers, reject: rejectMethod(allow) };
}

function withoutKey(handler: RequestHandler): RequestHandler {
  return (request, response, next) => {
    contextOf(request).work.withoutKey();
    return handler(request, response, next);
  };
}

/**
 * The handler after the last route: 404 `unknown_path`, with a suggested path. Preflight requests
 * are allowed, so that browsers receive the error.
 *
 * @param suggest the suggestion for a path; default: the nearest of the routes.
 */
export function unknownPath(
  routes: readonly Route[],
  suggest?: (path: string) => string | undefined,
): RequestHandler {
  // A path with a wildcard is not suggested.
  const named = routes.filter((route) => !route.path.includes('*'));
  const patterns = [...new Set(named.map((route) => route.path))];
  const allowPreflight = withoutKey(preflight([...new Set(routes.map((route) => route.method))]));
  return (request, response, next) => {
    if (isPreflight(request)) return allowPreflight(request, response, next);
    const path = readPath(request.originalUrl);
    const suggestion = suggest === undefined ? nearestPath(path, patterns) : suggest(path);
    const hint = suggestion === undefined ? '.' : `; did you mean ${suggestion}?`;
    throw new ApiError('unknown_path', `Unknown path${hint}`, { value: path, suggestion });
  };
}

function groupedByPath(routes: readonly Route[]): Map<string, Route[]> {
  const groups = new Map<string, Route[]>();
  for (const route of routes) {
    const group = groups.get(route.path);
    if (group === undefined) groups.set(route.path, [route]);
    else group.push(route);
  }
  return groups;
}

// That of all routes of a path, else `api`.
function surfaceOf([first, ...others]: readonly Route[]): Surface {
  const { surface = 'api' } = first ?? {};
  return others.every((route) => route.surface === surface) ? surface : 'api';
}

function allowed(group: readonly Route[], surface: Surface): string[] {
  const methods = new Set<string>(group.map((route) => route.method));
  if (methods.has('GET')) methods.add('HEAD');
  if (surface !== 'page') methods.add('OPTIONS');
  return [...methods];
}

function rejectMethod(allow: readonly string[]): RequestHandler {
  return (request) => {
    throw new ApiError(
      'method_not_allowed',
      `${request.method} is not supported here. Use ${allow.join(', ')}.`,
      { allow, allowed: allow },
    );
  };
}
