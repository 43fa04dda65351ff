import type { Express, Request, RequestHandler, Response } from 'express';
import { isPreflight, preflight, removeCorsHeaders } from './cors.ts';
import { ApiError } from './errors.ts';
import { nearestPath } from './nearest-path.ts';
import { readPath } from './parameters.ts';
import { contextOf } from './request-context.ts';
import { PAGE_SECURITY_HEADERS, setHeaders } from './security-headers.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type Surface = 'api' | 'page' | 'file';

/** An endpoint: a row of a service's table of routes. */
export interface Route {
  readonly method: Method;
  /** An Express 5 path: literal segments and `:name`. The order of the table does not matter. */
  readonly path: string;
  readonly handler: (request: Request, response: Response) => void | Promise<void>;
  /** A `page` and a `file` support HEAD; a `page` has no CORS headers. Default `api`. */
  readonly surface?: Surface;
}

/**
 * Mounts a table of routes, literal segments before parameters. Other methods, and HEAD on an API
 * path, get 405 with Allow; OPTIONS is a free preflight.
 */
export function mountRoutes(app: Express, routes: readonly Route[]): void {
  for (const [path, group] of groupedByPath(routes)) {
    const surface = surfaceOf(group);
    const allow = allowed(group, surface);
    const mounted = app.route(path);
    mounted.all(named(path, surface === 'page'));
    if (surface !== 'page') mounted.options(preflight(allow));
    if (surface === 'api') mounted.head(rejectMethod(allow));
    for (const route of group) {
      const method = route.method.toLowerCase() as Lowercase<Method>;
      mounted[method]((request, response) => route.handler(request, response));
    }
    mounted.all(rejectMethod(allow));
  }
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
  const allowPreflight = preflight([...new Set(routes.map((route) => route.method))]);
  return (request, response, next) => {
    if (isPreflight(request)) return allowPreflight(request, response, next);
    const path = readPath(request.originalUrl);
    const suggestion = suggest === undefined ? nearestPath(path, patterns) : suggest(path);
    const hint = suggestion === undefined ? '.' : `; did you mean ${suggestion}?`;
    throw new ApiError('unknown_path', `Unknown path${hint}`, { value: path, suggestion });
  };
}

function groupedByPath(routes: readonly Route[]): [string, Route[]][] {
  const groups = new Map<string, Route[]>();
  for (const route of routes) {
    const group = groups.get(route.path);
    if (group === undefined) groups.set(route.path, [route]);
    else group.push(route);
  }
  return [...groups].sort(([a], [b]) => literalFirst(a, b));
}

function literalFirst(a: string, b: string): number {
  const left = a.split('/');
  const right = b.split('/');
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const difference = rank(left[i]) - rank(right[i]);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function rank(segment = ''): number {
  if (segment.startsWith(':')) return 1;
  return /[*{]/.test(segment) ? 2 : 0;
}

// That of all routes of a path, else `api`.
function surfaceOf([first, ...others]: readonly Route[]): Surface {
  const { surface = 'api' } = first ?? {};
  return others.every((route) => route.surface === surface) ? surface : 'api';
}

function allowed(group: readonly Route[], surface: Surface): string[] {
  const methods = new Set<string>(group.map((route) => route.method));
  if (surface !== 'api' && methods.has('GET')) methods.add('HEAD');
  if (surface !== 'page') methods.add('OPTIONS');
  return [...methods];
}

function named(path: string, isPage: boolean): RequestHandler {
  return (request, response, next) => {
    contextOf(request).route = path;
    if (isPage) {
      removeCorsHeaders(response);
      setHeaders(response, PAGE_SECURITY_HEADERS);
    }
    next();
  };
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
