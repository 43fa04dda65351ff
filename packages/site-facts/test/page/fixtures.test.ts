// Tests docs/spec/find.md 20.3.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { describeWithData } from '@vcds/test-kit';
import { readMarkup } from '../../src/page/markup.ts';
import { readThings } from '../../src/page/things.ts';
import { evaluate, SAVED_PAGES } from './support/evaluate.ts';

const SAMPLES = 'html-fixtures/extruct';

describeWithData(
  'saved pages',
  (folder) => {
    test('have as many fields right as the reference library has', () => {
      for (const { field, right, reference } of evaluate(folder)) {
        expect({ field, isEnough: right >= reference }).toEqual({ field, isEnough: true });
      }
    });
  },
  [`${SAVED_PAGES}/expected_dev.json`],
);

describeWithData(
  'samples of structured data',
  (folder) => {
    const samples = join(folder, SAMPLES);
    const read = (name: string) => readFileSync(join(samples, name), 'utf8');
    const names = (ending: string) =>
      readdirSync(samples)
        .filter((name) => name.endsWith(ending))
        .map((name) => name.slice(0, -ending.length));

    test.each(names('.jsonld'))('JSON-LD of %s, invalid JSON repaired', (name) => {
      const own = readThings(readMarkup(read(`${name}.html`)));
      const jsonLd = own.top.filter(({ source }) => source.startsWith('json-ld'));
      const expected = JSON.parse(read(`${name}.jsonld`));
      expect(withoutBlanks(jsonLd.map(({ data }) => data))).toEqual(
        withoutBlanks([expected.items ?? expected].flat(2)),
      );
    });

    // Those without `itemref`, which is not read, and with addresses as the page has them.
    test.each([
      ...['w3c__microdata.5.2', 'w3c__microdata.4.2.data', 'w3c__microdata.4.2.meter'],
      ...['w3c__microdata.4.2.strings', 'schema.org__product'],
    ])('microdata of %s', (name) => {
      const own = readThings(readMarkup(read(`${name}.html`)));
      const items = own.top.filter(({ source }) => source.startsWith('microdata'));
      expect(withoutBlanks(items.map(({ data }) => expectedForm(data)))).toEqual(
        withoutBlanks([JSON.parse(read(`${name}.json`))].flat()),
      );
    });
  },
  [SAMPLES],
);

/** An item as the samples have it: single values alone. */
function expectedForm(data: Readonly<Record<string, unknown>>): unknown {
  const { '@type': type, '@id': id, ...properties } = data;
  return withoutBlanks({
    ...(Array.isArray(type) && type.length > 0 ? { type } : {}),
    ...(id === undefined ? {} : { id }),
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, value]) => [
        name,
        [value].flat().map((each) => (isRecord(each) ? expectedForm(each) : each)),
      ]),
    ),
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function withoutBlanks(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, each) => {
    if (typeof each === 'string') return each.replace(/\s+/gu, ' ').trim();
    return Array.isArray(each) && each.length === 1 ? each[0] : each;
  });
}
