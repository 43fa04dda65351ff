import { accessTokenDigest } from './access-token.ts';
import { type ApiKey, digestOf, type KeyDigest, parseApiKey } from './api-key.ts';

/** The query parameter that carries a credential (docs/spec/authentication.md 2.1). */
export const TOKEN_PARAMETER = 'token';
const JWT_SHAPE = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const JWT_LENGTH_MAX = 4_096;

/** The credential of a call: an API key, a token of the older exchange, or an access token. */
export type Credential =
  | { readonly kind: 'key'; readonly key: ApiKey; readonly digest: KeyDigest }
  | { readonly kind: 'legacy'; readonly token: string }
  /** An access token of an assistant, for {resource} `/mcp` alone. */
  | {
      readonly kind: 'access';
      readonly token: string;
      readonly digest: KeyDigest;
      /** Whether it was given in `Authorization: Bearer` alone. */
      readonly isBearer: boolean;
    };

/** The credential of a call, or why it has no valid one. */
export type CredentialReading = Credential | InvalidCredential;

interface InvalidCredential {
  readonly kind: 'invalid';
  readonly reason: 'missing' | 'malformed';
  /** The error message, if it is not the usual one for the reason. */
  readonly message?: string;
  /** Whether it was meant to be an access token of an assistant. */
  readonly isAccessToken?: boolean;
}

/** The headers of a request as they came, name and value in turn. */
export interface RequestHeaders {
  readonly rawHeaders: readonly string[];
}

/**
 * The one credential of a call, from X-Api-Key, `Authorization: Bearer` or `token=`
 * (docs/spec/authentication.md 2.1). Checks format and checksum without a look-up. The same
 * credential may be given more than once; two that differ are `malformed`.
 */
export function extractCredential(
  request: RequestHeaders,
  parameters: ReadonlyMap<string, string>,
): CredentialReading {
  const text = readCredentialText(request, parameters);
  if (text === undefined) return { kind: 'invalid', reason: 'missing' };
  if (typeof text !== 'string') return text;
  const digest = accessTokenDigest(text);
  if (digest === undefined) return parse(text);
  return { kind: 'access', token: text, digest, isBearer: isBearer(request, parameters) };
}

function isBearer(
  { rawHeaders }: RequestHeaders,
  parameters: ReadonlyMap<string, string>,
): boolean {
  const names = rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
  return (parameters.get(TOKEN_PARAMETER) ?? '') === '' && !names.includes('x-api-key');
}

/** The text of the one credential of a call, whatever it is; undefined without one. */
export function readCredentialText(
  request: RequestHeaders,
  parameters: ReadonlyMap<string, string>,
): string | InvalidCredential | undefined {
  const texts = new Set([parameters.get(TOKEN_PARAMETER) ?? '']);
  for (let i = 0; i + 1 < request.rawHeaders.length; i += 2) {
    const text = credentialIn(request.rawHeaders[i] ?? '', request.rawHeaders[i + 1] ?? '');
    if (text === undefined) {
      return malformed('The Authorization header must be Bearer, followed by the key.');
    }
    texts.add(text);
  }
  texts.delete('');
  if (texts.size > 1)
    return malformed('The call contains two different credentials. Send only one.');
  const [text] = texts;
  return text;
}

// The credential in a header, '' for none; undefined if the header is malformed.
function credentialIn(name: string, value: string): string | undefined {
  switch (name.toLowerCase()) {
    case 'x-api-key':
      return value.trim();
    case 'authorization': {
      const [scheme = '', text = '', ...rest] = value.trim().split(/\s+/);
      if (scheme === '') return '';
      return scheme.toLowerCase() === 'bearer' && rest.length === 0 ? text : undefined;
    }
    default:
      return '';
  }
}

function parse(text: string): CredentialReading {
  const key = parseApiKey(text);
  if (key !== undefined) return { kind: 'key', key, digest: digestOf(key) };
  if (text.startsWith('vcds_at_')) {
    const message = 'The access token is malformed: the client has to connect again.';
    return { ...malformed(message), isAccessToken: true };
  }
  if (text.length <= JWT_LENGTH_MAX && JWT_SHAPE.test(text)) return { kind: 'legacy', token: text };
  return { kind: 'invalid', reason: 'malformed' };
}

function malformed(message: string): InvalidCredential {
  return { kind: 'invalid', reason: 'malformed', message };
}
