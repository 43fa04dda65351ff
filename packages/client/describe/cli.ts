/** Writes `src/generated/schema.ts` from `docs/openapi/data-api.json`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { schemaText } from './schema-text.ts';

// From packages/client/dist/describe.
const DESCRIPTION = new URL('../../../../docs/openapi/data-api.json', import.meta.url);
const TARGET = new URL('../../src/generated/schema.ts', import.meta.url);
writeFileSync(TARGET, await schemaText(JSON.parse(readFileSync(DESCRIPTION, 'utf8'))));
