import { type ApiKey, digestOf, type KeyDigest, parseApiKey } from './api-key.ts';
import { unauthorized } from './unauthorized.ts';

/** The query parameter that carries a credential (spec §5.1). */
export const TOKEN_PARAMETER = 'token';
const JWT_SHAPE = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const JWT_LENGTH_MAX = 4_096;

/** The credential of a call: an API key, or a token of the older exchange (spec §5.3). */
export type Credential =
  | { readonly kind: 'key'; readonly key: ApiKey; readonly digest: KeyDigest }
  | { readonly kind: 'legacy'; readonly token: string };

/** The headers of a request as they came, name and value in turn. */
export interface RequestHeaders {
  readonly rawHeaders: readonly string[];
}

/**
 * The one credential of a call, from X-Api-Key, `Authorization: Bearer` or `token=` (spec §5.1).
 * Checks format and checksum without a look-up. The same credential may be given more than once.
 *
 * @throws ApiError `unauthorized` with reason `missing` or `malformed`; two that differ are
 *   `malformed` too (decisions §4).
 */
export function extractCredential(
  request: RequestHeaders,
  parameters: ReadonlyMap<string, string>,
): Credential {
  const texts = new Set<string>();
  for (let i = 0; i + 1 < request.rawHeaders.length; i += 2) {
    const text = credentialIn(request.rawHeaders[i] ?? '', request.rawHeaders[i + 1] ?? '');
    if (text !== '') texts.add(text);
  }
  const parameter = parameters.get(TOKEN_PARAMETER) ?? '';
  if (parameter !== '') texts.add(parameter);
  if (texts.size > 1) {
    throw unauthorized('malformed', 'The call carries two credentials that differ; send one.');
  }
  const [text] = texts;
  if (text === undefined) throw unauthorized('missing');
  return parse(text);
}

function credentialIn(name: string, value: string): string {
  switch (name.toLowerCase()) {
    case 'x-api-key':
      return value.trim();
    case 'authorization': {
      const [scheme = '', text = '', ...rest] = value.trim().split(/\s+/);
      if (scheme === '') return '';
      if (scheme.toLowerCase() === 'bearer' && rest.length === 0) return text;
      throw unauthorized('malformed', 'The Authorization header must read: Bearer, then the key.');
    }
    default:
      return '';
  }
}

function parse(text: string): Credential {
  const key = parseApiKey(text);
  if (key !== undefined) return { kind: 'key', key, digest: digestOf(key) };
  if (text.length <= JWT_LENGTH_MAX && JWT_SHAPE.test(text)) return { kind: 'legacy', token: text };
  throw unauthorized('malformed');
}
