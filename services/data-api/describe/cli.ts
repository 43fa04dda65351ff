/** Writes `docs/openapi/data-api.json` and the tables of the tools for assistants. */
import { writeFileSync } from 'node:fs';
import { documentText } from '@vcds/openapi';
import { catalogueText } from './catalogue.ts';
import { dataApiDocument } from './document.ts';
import { CATALOGUE, DOCUMENT, readExamples } from './files.ts';

writeFileSync(DOCUMENT, documentText(dataApiDocument(readExamples())));
writeFileSync(CATALOGUE, catalogueText());
