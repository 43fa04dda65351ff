/** The description of the data API: docs/openapi/data-api.json. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { documentText } from '@vcds/openapi';
import { catalogueText } from '../describe/catalogue.ts';
import { dataApiDocument } from '../describe/document.ts';
import { FIELD_TEXTS } from '../describe/field-texts.ts';
import { CATALOGUE, DOCUMENT, readExamples } from '../describe/files.ts';
import { OPERATIONS } from '../describe/operations.ts';
import { endpoints } from '../src/endpoints.ts';
import { resources } from '../src/resources/index.ts';

const document = dataApiDocument(readExamples());

describe('the description', () => {
  test('is the one that `npm run describe` writes', () => {
    expect(readFileSync(DOCUMENT, 'utf8')).toBe(documentText(document));
    expect(readFileSync(CATALOGUE, 'utf8')).toBe(catalogueText());
  });

  test('has every endpoint and no other', () => {
    const listed = endpoints.filter((endpoint) => endpoint.listed !== false);
    const paths = ['/', ...listed.map(({ rate }) => rate.path)].sort();
    expect(Object.keys(document.paths).sort()).toEqual(paths);
    expect([...OPERATIONS.keys()].sort()).toEqual(paths);
  });

  test('has a text for every field and for no other', () => {
    const names = Object.values(resources).flatMap(({ name, fields }) =>
      [...fields.keys()].flatMap((field) => [field, `${name}.${field}`]),
    );
    expect(Object.keys(FIELD_TEXTS).filter((name) => !names.includes(name))).toEqual([]);
  });
});
