/** Writes `docs/openapi/data-api.json`. */
import { writeFileSync } from 'node:fs';
import { documentText } from '@vcds/openapi';
import { dataApiDocument } from './document.ts';
import { DOCUMENT, readExamples } from './files.ts';

writeFileSync(DOCUMENT, documentText(dataApiDocument(readExamples())));
