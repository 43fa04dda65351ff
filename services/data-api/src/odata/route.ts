/** `/odata/v4`: the service for spreadsheets (docs/spec/odata.md). */
import { parseApiKey } from '@vcds/credentials';
import { nearest } from '@vcds/odata-query';
import { ApiError, acceptedType, contextOf, type ProblemBody, type Route } from '@vcds/service-kit';
import type { Request, Response } from 'express';
import type { Authenticate } from '../authenticate/index.ts';
import type { ParseContext } from '../serve/parse.ts';
import { routeOf, type Services } from '../serve/serve.ts';
import { entitiesOf, numberOf, SERVICE_DOCUMENT } from './endpoints.ts';
import { entityOf, relatedOf } from './entity.ts';
import { METADATA } from './metadata.ts';
import { ENTITY_SETS, type EntitySet, navigationsOf, ODATA_PATH } from './sets.ts';

type Handler = Route['handler'];

const CHALLENGE = 'Basic realm="API key as the user name", charset="UTF-8"';
const VERSION_HEADER = 'OData-Version';
const VERSION = '4.0';
/** `Startups(0c0d…)`, `Startups(Id=0c0d…)`. */
const KEYED = /^(\w+)\((?:Id=)?([^()]+)\)$/;
const PAGE_SIZE = /(?:^|[\s,;])(?:odata\.)?maxpagesize=(\d{1,9})(?:[\s,;]|$)/i;

/** The routes of the service document, of the metadata and of the entity sets. */
export function odataRoutes(services: Services & ParseContext): Route[] {
  const context = { ...services, authenticate: withBasic(services.authenticate) };
  const handlers = new Map<string, Handler>();
  for (const set of ENTITY_SETS) {
    handlers.set(set.name, routeOf(entitiesOf(set), context).handler);
    handlers.set(`${set.name}/$count`, routeOf(numberOf(set), context).handler);
    handlers.set(`${set.name}()`, routeOf(entityOf(set), context).handler);
    for (const navigation of navigationsOf(set)) {
      const related = routeOf(relatedOf(set, navigation), context);
      handlers.set(`${set.name}()/${navigation.name}`, related.handler);
    }
  }
  return [
    keyed(ODATA_PATH, routeOf(SERVICE_DOCUMENT, context).handler),
    { method: 'GET', path: `${ODATA_PATH}/$metadata`, handler: opened(sendMetadata) },
    keyed(`${ODATA_PATH}/*path`, (request, response) => {
      const { name, id } = targetIn(request.path.slice(ODATA_PATH.length + 1));
      const handler = handlers.get(name);
      if (handler === undefined) throw unknownResource(request.path, name);
      prepare(request, name, id);
      return handler(request, response);
    }),
  ];
}

function keyed(path: string, handler: Handler): Route {
  return { method: 'GET', path, takesKey: true, handler: opened(handler) };
}

function opened(handler: Handler): Handler {
  return (request, response) => {
    response.setHeader(VERSION_HEADER, VERSION);
    contextOf(request).shapeProblem = problemOf;
    assertVersion(request);
    return handler(request, response);
  };
}

function sendMetadata(_request: Request, response: Response): void {
  response.setHeader('Content-Type', 'application/xml;charset=utf-8');
  response.send(METADATA);
}

/** @throws ApiError `bad_parameter` for a client that only reads older versions. */
function assertVersion(request: Request): void {
  const most = request.get('OData-MaxVersion');
  if (most === undefined || Number.parseFloat(most) >= Number(VERSION)) return;
  throw new ApiError('bad_parameter', `This service answers OData ${VERSION}.`, {
    parameter: 'OData-MaxVersion',
    value: most,
    suggestion: VERSION,
  });
}

/** The name of a handler, `()` in place of a key, and the key. */
function targetIn(path: string): { readonly name: string; readonly id: string } {
  const segments = path
    .split('/')
    .filter((segment) => segment !== '')
    .map(decodeURIComponent);
  const [first = '', ...rest] = segments;
  const [, set, id = ''] = KEYED.exec(first) ?? [];
  const name = [set === undefined ? first : `${set}()`, ...rest].join('/');
  return { name, id: id.replace(/^'(.*)'$/, '$1') };
}

function unknownResource(path: string, name: string): ApiError {
  const names = ENTITY_SETS.map((set: EntitySet) => set.name);
  const [first = ''] = name.split(/[/(]/);
  const meant = names.includes(first) ? undefined : nearest(first, names);
  const suggestion = meant && `${ODATA_PATH}/${meant}`;
  const hint = suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
  const message = `The service has no such resource${hint || '.'}`;
  return new ApiError('unknown_path', message, { value: path, suggestion, allowed: names });
}

// Formats are agreed on here: that of a number is plain text.
function prepare(request: Request, name: string, id: string): void {
  const [, pageSize] = PAGE_SIZE.exec(request.get('Prefer') ?? '') ?? [];
  request.params = {
    ...(name.includes('()') && { id }),
    ...(pageSize !== undefined && { pageSize }),
  };
  if (pageSize !== undefined) {
    request.res?.setHeader('Preference-Applied', `odata.maxpagesize=${pageSize}`);
  }
  if (!name.endsWith('/$count')) return;
  acceptedType(request, ['text/plain', 'application/json']);
  delete request.headers.accept;
}

/**
 * Authenticates by Basic, too: the key is the user name, or the password beside any other name. Its errors
 * ask for Basic, so that programs show their form for it.
 */
export function withBasic(authenticate: Authenticate): Authenticate {
  return async (request, parameters) => {
    try {
      const rawHeaders = basicAsBearer(request.rawHeaders);
      const read: typeof request = Object.create(request, { rawHeaders: { value: rawHeaders } });
      return await authenticate(read, parameters);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'unauthorized') throw error;
      const details = { ...error.details, challenge: CHALLENGE };
      throw new ApiError(error.code, error.message, details, { cause: error });
    }
  };
}

function basicAsBearer(headers: readonly string[]): readonly string[] {
  return headers.map((value, index) => {
    const isAuthorization =
      index % 2 === 1 && headers[index - 1]?.toLowerCase() === 'authorization';
    const [, encoded] = (isAuthorization && /^basic\s+([\w+/=-]+)$/i.exec(value.trim())) || [];
    if (encoded === undefined) return value;
    const text = Buffer.from(encoded, 'base64').toString('utf8');
    const colon = text.indexOf(':');
    const user = colon < 0 ? text : text.slice(0, colon);
    const password = colon < 0 ? '' : text.slice(colon + 1);
    const key = parseApiKey(user) === undefined && parseApiKey(password) ? password : user;
    return `Bearer ${key}`;
  });
}

/** The error body of OData, whose readers accept no other members; the rest is in `innererror`. */
function problemOf({ error, ...beside }: ProblemBody): unknown {
  const { code, message, ...rest } = error;
  const target = rest.field ?? rest.parameter;
  return {
    error: {
      ...{ code, message },
      ...(target === undefined ? {} : { target }),
      innererror: { ...rest, ...beside },
    },
  };
}
