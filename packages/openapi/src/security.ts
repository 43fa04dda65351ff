import type { SecurityRequirementObject, SecuritySchemeObject } from './types.ts';

/** The three forms of a key (docs/spec/authentication.md 2.1). */
export const SECURITY_SCHEMES: Readonly<Record<string, SecuritySchemeObject>> = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description: 'The API key. This form is preferred.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The API key, or a token of the older exchange, as `Authorization: Bearer KEY`.',
  },
  token: {
    type: 'apiKey',
    in: 'query',
    name: 'token',
    description: 'The API key as a parameter. Avoid it, because logs contain URLs.',
  },
};

/** An operation that needs a key, in one of the three forms. */
export const KEY_SECURITY: SecurityRequirementObject[] = Object.keys(SECURITY_SCHEMES).map(
  (name) => ({ [name]: [] }),
);

/** An operation without a key. */
export const NO_SECURITY: SecurityRequirementObject[] = [];
