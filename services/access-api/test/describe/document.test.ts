// Tests docs/spec/addresses.md 1.8, 1.9.
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { documentText } from '@vcds/openapi';
import { accessApiDocument } from '../../describe/document.ts';

const TARGET = new URL('../../../../docs/openapi/access-api.json', import.meta.url);

test('the checked-in description is that of the tables; npm run describe writes it', () => {
  expect(readFileSync(TARGET, 'utf8')).toBe(documentText(accessApiDocument()));
});
