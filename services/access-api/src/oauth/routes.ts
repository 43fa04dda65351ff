/** The endpoints of the authorization server (docs/spec/oauth.md). */
import { authorizationHandler } from '@modelcontextprotocol/sdk/server/auth/handlers/authorize.js';
import { clientRegistrationHandler } from '@modelcontextprotocol/sdk/server/auth/handlers/register.js';
import { revocationHandler } from '@modelcontextprotocol/sdk/server/auth/handlers/revoke.js';
import { tokenHandler } from '@modelcontextprotocol/sdk/server/auth/handlers/token.js';
import type { OAuthServerProvider } from '@modelcontextprotocol/sdk/server/auth/provider.js';
import { SCOPES } from '@vcds/credentials';
import {
  ApiError,
  type Clock,
  contextOf,
  type RedisClient,
  type Route,
  readParameters,
  seeUrl,
  sendJson,
} from '@vcds/service-kit';
import {
  json,
  type Request,
  type RequestHandler,
  type Response,
  Router,
  urlencoded,
} from 'express';
import { CONNECT_PATH, DOCS_PATH, mcpResource, type PublicUrls } from '../keys/endpoints.ts';
import { COUNT_CALL, networkWindows, uniqueMember } from '../limits/windows.ts';
import type { RegistrationSecrets } from '../registration/secrets.ts';
import type { ClientDocuments } from './client-documents.ts';
import { createClients } from './clients.ts';
import type { Encryption } from './encryption.ts';
import type { Grants } from './grants.ts';
import { plainFault } from './plain-faults.ts';
import { createProvider, STATE_LENGTH_MAX } from './provider.ts';

const BODY_BYTES_MAX = 16 * 1024;
/** They read a body before the handlers would, with their bound of 100 KiB. */
const readJson = json({ limit: BODY_BYTES_MAX });
const readForm = urlencoded({ limit: BODY_BYTES_MAX });
const PATHS = Object.freeze({
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
});
const METADATA_PATHS = [
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
];

export interface OAuthOptions extends PublicUrls {
  readonly grants: Grants;
  readonly encryption: Encryption;
  readonly documents: ClientDocuments;
  readonly redis: RedisClient;
  readonly secrets: RegistrationSecrets;
  readonly clock: Clock;
  /** Shows why an authorization request was rejected, with the way back to the client. */
  readonly showRejection: (response: Response, reason: string, back: URL) => void;
}

/** Discovery, registration, authorization, tokens and revocation; the handlers are those of the MCP SDK. */
export function oauthRoutes(options: OAuthOptions): Route[] {
  const metadata = JSON.stringify(metadataOf(options));
  const post = (
    path: string,
    handlerOf: (provider: OAuthServerProvider) => RequestHandler,
  ): Route => ({
    method: 'POST',
    path,
    handler: async (request, response) => {
      if (path === PATHS.register) await assertWithinLimit(options, request);
      const read = path === PATHS.register ? readJson : readForm;
      const handler = handlerOf(providerFor(options, request, false));
      await run(Router().use(read, handler), request, response);
    },
  });
  return [
    ...METADATA_PATHS.map(
      (path): Route => ({
        method: 'GET',
        path,
        handler: (_, response) => sendJson(response, 200, metadata),
      }),
    ),
    {
      method: 'GET',
      path: PATHS.authorize,
      surface: 'page',
      handler: (request, response) => {
        // The service reads queries itself, so that the handlers would find none.
        const query = Object.fromEntries(readParameters(request));
        Object.defineProperty(request, 'query', { value: query });
        const provider = providerFor(options, request, true);
        answersErrors(response, query.state, options);
        return run(authorizationHandler({ provider, ...UNLIMITED }), request, response);
      },
    },
    post(PATHS.token, (provider) => tokenHandler({ provider, ...UNLIMITED })),
    post(PATHS.revoke, (provider) => revocationHandler({ provider, ...UNLIMITED })),
    post(PATHS.register, ({ clientsStore }) =>
      clientRegistrationHandler({ clientsStore, clientIdGeneration: false, ...UNLIMITED }),
    ),
  ];
}

/** The limits of the service hold for all processes together; those of the SDK for one. */
const UNLIMITED = { rateLimit: false } as const;

function metadataOf(urls: PublicUrls): object {
  const at = (path: string): string => seeUrl(urls.accessPublicUrl, path);
  return {
    issuer: issuerOf(urls),
    authorization_endpoint: at(PATHS.authorize),
    token_endpoint: at(PATHS.token),
    registration_endpoint: at(PATHS.register),
    revocation_endpoint: at(PATHS.revoke),
    scopes_supported: SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
    service_documentation: at(`${DOCS_PATH}/assistants`),
  };
}

/** The identifier of the server: the public URL of access-api, without a slash at its end. */
export function issuerOf({ accessPublicUrl }: PublicUrls): string {
  return accessPublicUrl.replace(/\/$/, '');
}

function providerFor(
  options: OAuthOptions,
  request: Request,
  needsFacts: boolean,
): OAuthServerProvider {
  const { grants, encryption, documents, clock } = options;
  const mayFetch = async (): Promise<boolean> => (await waitOf(options, request)) === 0;
  const clients = createClients({ encryption, documents, clock, mayFetch, needsFacts });
  const resource = mcpResource(options);
  return createProvider({
    clients,
    grants,
    encryption,
    resource,
    logger: contextOf(request).logger,
  });
}

/** Counts a registration, or a document that is fetched. The milliseconds to wait; 0: it is counted. */
async function waitOf({ redis, secrets, clock }: OAuthOptions, request: Request): Promise<number> {
  for (const { key, limit } of networkWindows(secrets, request.ip, 'clients')) {
    const args = [clock.wallMs(), limit.max, limit.windowMs, uniqueMember()];
    const wait = Number(await COUNT_CALL(redis, [key], args));
    if (wait > 0) return wait;
  }
  return 0;
}

async function assertWithinLimit(options: OAuthOptions, request: Request): Promise<void> {
  const waitMs = await waitOf(options, request).catch((cause: unknown) => {
    throw new ApiError('unavailable', 'Registrations are temporarily unavailable.', {}, { cause });
  });
  if (waitMs === 0) return;
  const message = 'Too many clients from this network. Retry after the time in Retry-After.';
  throw new ApiError('too_many_requests', message, { retryAfterSeconds: waitMs / 1000 });
}

// An error goes to the client (RFC 6749 4.1.2.1). Anyone can register one, so that a page of ours comes
// before a foreign site (RFC 9700 4.11.2); a program of the person's own device needs none.
function answersErrors(response: Response, state: string | undefined, options: OAuthOptions) {
  const redirect = response.redirect.bind(response);
  Object.defineProperty(response, 'redirect', {
    value: (status: number, url: string) => {
      if (url.startsWith(`${CONNECT_PATH}?`)) return redirect(status, url);
      const back = new URL(url);
      const { searchParams } = back;
      const [error = '', error_description = ''] = ['error', 'error_description'].map(
        (name) => searchParams.get(name) ?? '',
      );
      const fault = plainFault({ error, error_description });
      const all = { ...fault, iss: issuerOf(options) };
      for (const [name, value] of Object.entries(all)) searchParams.set(name, value);
      if (state !== undefined && state.length <= STATE_LENGTH_MAX) searchParams.set('state', state);
      else searchParams.delete('state');
      if (back.protocol !== 'https:') return redirect(status, back.href);
      options.showRejection(response, fault.error_description, back);
    },
  });
}

// The handlers are routers, mounted at the path that they are called for.
function run(handler: RequestHandler, request: Request, response: Response) {
  const { url } = request;
  request.url = `/${url.includes('?') ? url.slice(url.indexOf('?')) : ''}`;
  const json = response.json.bind(response);
  Object.defineProperty(response, 'json', { value: (body: unknown) => json(plainFault(body)) });
  return new Promise<void>((resolve, reject) => {
    response.once('close', resolve);
    handler(request, response, (error?: unknown) => {
      request.url = url;
      // Errors of the parsers have a status.
      const status = Number(error instanceof Error && 'status' in error ? error.status : 500);
      if (error === undefined) resolve();
      else if (status === 413) reject(tooLarge());
      else if (status < 500) response.status(400).json(UNREADABLE);
      else reject(error);
    });
  });
}

const UNREADABLE = { error: 'invalid_request', error_description: 'The body cannot be read.' };

function tooLarge(): ApiError {
  return new ApiError('body_too_large', `A body may have at most ${BODY_BYTES_MAX} bytes.`);
}
