import { readFileSync } from 'node:fs';
import { type Document, operationsOf } from '../../src/answers/description.ts';

/** The descriptions of both services, that of the data API first. */
export const DOCUMENTS = ['data-api', 'access-api'].map(
  (name): Document =>
    JSON.parse(
      readFileSync(new URL(`../../../../docs/openapi/${name}.json`, import.meta.url), 'utf8'),
    ),
);

/** Each operation, with the service that it belongs to. */
export const OPERATIONS = DOCUMENTS.flatMap((document, index) =>
  operationsOf(document).map((operation) => ({
    ...operation,
    service: index === 0 ? ('data-api' as const) : ('access-api' as const),
  })),
);
