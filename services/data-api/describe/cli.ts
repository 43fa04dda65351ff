/** Writes `docs/openapi/data-api.json`. */
import { writeFileSync } from 'node:fs';
import { documentText } from '@vcds/openapi';
import { dataApiDocument } from './document.ts';

// From services/data-api/dist/describe/describe.
const TARGET = new URL('../../../../../docs/openapi/data-api.json', import.meta.url);
writeFileSync(TARGET, documentText(dataApiDocument()));
