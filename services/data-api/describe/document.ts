import {
  apiDocument,
  arrayOf,
  COMMON_HEADERS,
  CREDIT_HEADERS,
  errorResponses,
  headers,
  KEY_SECURITY,
  type OpenAPIObject,
  type OperationObject,
  ref,
  type Schema,
} from '@vcds/openapi';
import { endpoints } from '../src/endpoints.ts';
import type { Endpoint } from '../src/pipeline/endpoint.ts';
import { pathParameter, queryParameter } from './parameters.ts';
import { recordSchemas, schemaName } from './record-schemas.ts';

/** The OpenAPI description of the data API. */
export function dataApiDocument(): OpenAPIObject {
  const listed = endpoints.filter((endpoint) => endpoint.listed !== false);
  return apiDocument({
    title: 'Venture Capital Data API',
    description: 'Funds, startups, rounds, valuations, people, news and a change feed.',
    server: 'https://api.vcds.example/v2',
    tags: [],
    paths: Object.fromEntries(
      listed.map((endpoint) => [endpoint.rate.path, { get: operationOf(endpoint) }]),
    ),
    schemas: recordSchemas(),
  });
}

function operationOf(endpoint: Endpoint): OperationObject {
  const { path, accepts } = endpoint;
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => pathParameter(name));
  return {
    operationId: operationId(endpoint.rate.path),
    summary: path,
    parameters: [...inPath, ...accepts.map(queryParameter)],
    security: KEY_SECURITY,
    responses: {
      200: {
        description: 'The result.',
        headers: headers([...COMMON_HEADERS, ...CREDIT_HEADERS]),
        content: { 'application/json': { schema: bodyOf(endpoint) } },
      },
      ...errorResponses(
        ['unknown_parameter', 'bad_parameter', 'unauthorized', 'not_entitled', 'credits_exhausted'],
        CREDIT_HEADERS,
      ),
    },
  };
}

function bodyOf({ resource, path }: Endpoint): Schema {
  if (resource === undefined) return { type: 'object' };
  const record = ref(schemaName(resource));
  return path.endsWith('/:id') ? record : arrayOf(record);
}

function operationId(path: string): string {
  return path.replaceAll(/[/{}]+(\w)/g, (_, letter: string) => letter.toUpperCase()).slice(0);
}
