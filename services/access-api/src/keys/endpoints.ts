import {
  ACCESS_BASE_PATH,
  DATA_BASE_PATH,
  type ErrorCode,
  MCP_PATH,
  type Method,
  seeUrl,
} from '@vcds/service-kit';

/** A text that a call sends: a query parameter of a GET, a member of the JSON body of a POST. */
export interface AccessField {
  readonly description: string;
  readonly example: string;
  readonly format?: 'email' | 'uuid';
  readonly lengthMax?: number;
  /** The value consists of this many digits. */
  readonly digits?: number;
}

/**
 * A row of the endpoints that programs call: the service reads its fields by it, the root lists it,
 * and the description (docs/openapi) states it.
 */
export interface AccessEndpoint {
  /** Below the public root. */
  readonly path: string;
  readonly methods: readonly Method[];
  readonly summary: string;
  readonly fields: Readonly<Record<string, AccessField>>;
  /** The sets of fields of which a call must give one. */
  readonly requires: readonly (readonly string[])[];
  /** The bounds that concern a caller, a sentence each. */
  readonly limits: readonly string[];
  /** The names of its operations in the description, by method. */
  readonly operations: Readonly<Partial<Record<Method | 'HEAD', string>>>;
  readonly tag: 'Registration' | 'Credits' | 'Legacy tokens' | 'Descriptions';
  /** The credentials of a caller; absent: none are needed. */
  readonly credentials?: 'key' | 'basic';
  /** The response that is no error. `schema`: the name of its body (describe/schemas.ts). */
  readonly response: { readonly status: number; readonly text: string; readonly schema: string };
  /** The errors of its own, in addition to those of every endpoint. */
  readonly errors: readonly ErrorCode[];
}

/** The fields of all endpoints. */
export const ACCESS_FIELDS = Object.freeze({
  email: {
    description: 'The address of the person, which receives the code.',
    example: 'ada@example.com',
    format: 'email',
    lengthMax: 254,
  },
  request_id: {
    description: 'The registration, from the response of register.',
    example: '0b5e1f0e-4c1d-4a53-9d0e-2f6a0c4f9b11',
    format: 'uuid',
  },
  code: {
    description: 'The code from the message, which the person passes on.',
    example: '123456',
    digits: 6,
  },
} as const satisfies Readonly<Record<string, AccessField>>);

/** Digits of a code. */
export const CODE_DIGITS = ACCESS_FIELDS.code.digits;

/** The account area, below the public URL of the access API. */
export const ACCOUNT_PATH = '/account';

/** The page on which a person connects an assistant. */
export const CONNECT_PATH = '/account/connect';

/** The documentation, below the public URL of the access API. */
export const DOCS_PATH = '/docs';

/** Public roots of both services, without a version segment. */
export interface PublicUrls {
  readonly accessPublicUrl: string;
  readonly dataPublicUrl: string;
}

/** The resource that access tokens of assistants are for: {resource}, `/mcp` of the data API. */
export function mcpResource({ dataPublicUrl }: Pick<PublicUrls, 'dataPublicUrl'>): string {
  return seeUrl(dataPublicUrl, MCP_PATH);
}

/** The public URL of a path below {auth_url}. */
export function accessUrl({ accessPublicUrl }: Pick<PublicUrls, 'accessPublicUrl'>, path = '') {
  return seeUrl(accessPublicUrl, `${ACCESS_BASE_PATH}${path}`);
}

/** {base_url}: the public URL of the data API. */
export function dataUrl({ dataPublicUrl }: Pick<PublicUrls, 'dataPublicUrl'>): string {
  return seeUrl(dataPublicUrl, DATA_BASE_PATH);
}
