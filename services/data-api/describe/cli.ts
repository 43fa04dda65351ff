/**
 * Writes `docs/openapi/data-api.json` and the tables of the tools for assistants. With
 * `--examples BASE_URL AUTH_URL KEY`, it first captures the examples from a running product
 * (`npm start -- --json` prints the three).
 */
import { writeFileSync } from 'node:fs';
import { documentText } from '@vcds/openapi';
import { captureExamples } from './capture-examples.ts';
import { catalogueText } from './catalogue.ts';
import { dataApiDocument } from './document.ts';
import { CATALOGUE, DOCUMENT, readExamples } from './files.ts';

const [option, baseUrl, authUrl, key] = process.argv.slice(2);
if (option === '--examples' && baseUrl && authUrl && key) {
  await captureExamples(baseUrl, authUrl, key);
}
writeFileSync(DOCUMENT, documentText(dataApiDocument(readExamples())));
writeFileSync(CATALOGUE, catalogueText());
