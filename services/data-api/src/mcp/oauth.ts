/** How a client that has only the address of `/mcp` finds the authorization server (RFC 9728). */
import { SCOPES } from '@vcds/credentials';
import {
  ACCESS_BASE_PATH,
  ApiError,
  DATA_BASE_PATH,
  MCP_PATH,
  type Route,
  seeUrl,
  sendJson,
} from '@vcds/service-kit';

/** `/mcp` for clients that send a key: no answer of it leads to the authorization server. */
export const MCP_KEY_PATH = `${MCP_PATH}/key`;
const METADATA_PATH = '/.well-known/oauth-protected-resource';

/** The metadata of the resource, and what a 401 says about it. */
export interface McpOAuth {
  readonly routes: readonly Route[];
  /** The WWW-Authenticate of a call without a valid credential. */
  readonly challenge: string;
}

export function openMcpOAuth(urls: {
  readonly baseUrl: string;
  readonly authUrl: string;
}): McpOAuth {
  const dataUrl = urls.baseUrl.slice(0, -DATA_BASE_PATH.length);
  const accessUrl = urls.authUrl.slice(0, -ACCESS_BASE_PATH.length);
  const metadata = JSON.stringify({
    resource: seeUrl(dataUrl, MCP_PATH),
    authorization_servers: [accessUrl.replace(/\/$/, '')],
    scopes_supported: SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'Venture Capital Data Service',
    resource_documentation: seeUrl(accessUrl, '/docs/assistants'),
  });
  const paths = [METADATA_PATH, `${METADATA_PATH}${MCP_PATH}`];
  const routes = paths.map(
    (path): Route => ({
      method: 'GET',
      path,
      handler: (_, response) => sendJson(response, 200, metadata),
    }),
  );
  const location = seeUrl(dataUrl, `${METADATA_PATH}${MCP_PATH}`);
  return { routes, challenge: `Bearer realm="mcp", resource_metadata="${location}"` };
}

/** A 401 with the challenge; any other error as it is. */
export function challenged(error: unknown, challenge: string | undefined): unknown {
  if (challenge === undefined || !(error instanceof ApiError) || error.code !== 'unauthorized') {
    return error;
  }
  // RFC 6750 3.1: a request without a credential has no error code.
  const isInvalid = error.details.reason !== 'missing';
  const full = isInvalid ? `${challenge}, error="invalid_token"` : challenge;
  return new ApiError(error.code, error.message, { ...error.details, challenge: full });
}
