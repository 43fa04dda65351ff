/** Writes `docs/openapi/access-api.json`. */
import { writeFileSync } from 'node:fs';
import { documentText } from '@vcds/openapi';
import { accessApiDocument } from './document.ts';

// From services/access-api/dist/describe/describe.
const TARGET = new URL('../../../../../docs/openapi/access-api.json', import.meta.url);
writeFileSync(TARGET, documentText(accessApiDocument()));
