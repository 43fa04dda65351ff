/** The bodies of the access API. */
import {
  arrayOf,
  INSTANT,
  KEY_CREDITS_SCHEMA,
  nullable,
  object,
  ref,
  type Schema,
  type SchemaObject,
  TEXT,
  URI,
  UUID,
} from '@vcds/openapi';
import { ACCESS_FIELDS, type AccessField } from '../src/keys/endpoints.ts';
import { LIMITS } from '../src/registration/limits.ts';
import { PUBLIC_STATUS } from '../src/registration/states.ts';

const COUNT: SchemaObject = { type: 'integer', minimum: 0 };
const EMAIL: SchemaObject = { ...TEXT, format: 'email', maxLength: ACCESS_FIELDS.email.lengthMax };
const text = (description: string): SchemaObject => ({ ...TEXT, description });
const link = (description: string): SchemaObject => ({ ...URI, description });

/** The schema of a field of a call. */
export function fieldSchema({ format, lengthMax, digits }: AccessField): SchemaObject {
  return {
    ...TEXT,
    ...(format && { format }),
    ...(lengthMax && { maxLength: lengthMax }),
    ...(digits && { pattern: `^\\d{${digits}}$` }),
  };
}

const ENDPOINT = object(
  {
    path: text('Below {auth_url}, or below the host.'),
    url: link('The whole address.'),
    methods: arrayOf({ ...TEXT, enum: ['GET', 'POST'] }),
    summary: TEXT,
    parameters: arrayOf(TEXT, {
      description: 'Query parameters of a GET, members of the JSON body of a POST.',
    }),
    requires: arrayOf(arrayOf(TEXT), {
      description: 'The sets of parameters of which a call must give one.',
    }),
    body: {
      type: 'object',
      additionalProperties: TEXT,
      description: 'An example of the body of a POST.',
    },
    limits: arrayOf(TEXT, { description: 'Limits, a sentence each.' }),
  },
  { optional: ['body'] },
);

const BALANCE = {
  limit: { ...COUNT, description: "The plan's allowance for the month." },
  remaining: {
    ...COUNT,
    description: 'Credits that remain, including purchased ones, without open holds.',
  },
  reset: { ...INSTANT, description: 'The next refill of the allowance.' },
};

/** The components of the document. */
export const SCHEMAS: Readonly<Record<string, Schema>> = {
  Root: object({
    service: { ...TEXT, enum: ['access-api'] },
    version: { ...TEXT, enum: ['v1'] },
    auth_url: link('{auth_url}: the root of the access API.'),
    base_url: link('{base_url}: the root of the data API.'),
    next: text('How to get a key, in words.'),
    documentation: link('The documentation, for people.'),
    description: link('The OpenAPI description of the access API.'),
    data_description: link('The OpenAPI description of the data API.'),
    llms: link('An overview for assistants.'),
    llms_full: link('Everything that an assistant needs to call the data API.'),
    account: link('The account area.'),
    endpoints: arrayOf(ENDPOINT),
  }),
  Registration: object(
    {
      status: {
        ...TEXT,
        enum: ['sent', 'accepted'],
        description:
          '`sent` if a message goes out. It does not depend on whether the address has an account.',
      },
      message: text('For a person.'),
      request_id: { ...UUID, description: 'The registration. Present only if a message goes out.' },
      expires_in: {
        type: 'integer',
        enum: [LIMITS.codeMs / 1000],
        description: 'The lifetime of the code, in seconds.',
      },
      next: text('What to do next, in words.'),
    },
    { optional: ['request_id'] },
  ),
  Key: object({
    api_key: {
      ...TEXT,
      pattern: '^pk_live_[0-9A-Za-z]{49}$',
      description: 'The key. It is shown only this once.',
    },
    expires_at: nullable({ ...INSTANT, description: 'The end of the key; null: it has none.' }),
    email: { ...EMAIL, description: 'The address of the account.' },
    credits: ref('Credits'),
    base_url: link('{base_url}: the root of the data API.'),
    usage: text('How to send the key.'),
    docs_url: link('The documentation.'),
    manage_url: link('The account area.'),
    notice: text('What to do with the key.'),
  }),
  Credits: object(BALANCE, {
    description: 'The balance of an account; all of its keys share it.',
  }),
  Usage: object(
    {
      ...BALANCE,
      key: nullable({
        ...KEY_CREDITS_SCHEMA,
        description: 'What the key may use; null: it has no monthly limit of its own.',
      }),
    },
    { description: 'The balance of an account, and of a key with a limit of its own.' },
  ),
  RegistrationStatus: object({
    status: {
      ...TEXT,
      enum: [...new Set(Object.values(PUBLIC_STATUS)), 'unknown'],
      description:
        '`pending`: the code is open. `completed`: a key was issued for the code. `link_used`: the ' +
        'person used the link in the message. `expired`: the code is no longer valid. `unknown`: ' +
        'no such registration within 24 hours.',
    },
  }),
  Token: object({
    token: text('A JWT, valid for one hour wherever a key is accepted.'),
  }),
  KeySet: object(
    {
      keys: arrayOf(
        object({
          kty: { ...TEXT, enum: ['RSA'] },
          use: { ...TEXT, enum: ['sig'] },
          alg: { ...TEXT, enum: ['RS256'] },
          kid: text('The thumbprint of the key (RFC 7638).'),
          n: text('The modulus.'),
          e: text('The exponent.'),
        }),
      ),
    },
    { description: 'A JSON Web Key Set (RFC 7517).' },
  ),
  PostmanCollection: {
    type: 'object',
    description: 'A collection of Postman, format 2.1.',
    required: ['info', 'item'],
    properties: { info: { type: 'object' }, item: { type: 'array', items: { type: 'object' } } },
    additionalProperties: true,
  },
  McpRegistryEntry: {
    type: 'object',
    description: 'An entry of the MCP registry (server.json, 2025-12-11).',
    required: ['$schema', 'name', 'description', 'version', 'remotes'],
    properties: {
      $schema: TEXT,
      ...{ name: TEXT, description: TEXT, version: TEXT },
      remotes: { type: 'array', items: { type: 'object' } },
    },
    additionalProperties: true,
  },
  Description: {
    type: 'object',
    description: 'An OpenAPI 3.0 document.',
    required: ['openapi', 'info', 'paths'],
    properties: {
      openapi: { ...TEXT, pattern: '^3\\.0\\.\\d+$' },
      info: { type: 'object' },
      paths: { type: 'object' },
    },
    additionalProperties: true,
  },
};
