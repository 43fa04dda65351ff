// Tests docs/spec/odata.md 27.2, 27.6.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { ENTITY_SETS } from '../../src/odata/sets.ts';
import { type Entity, openService } from './support.ts';

const { api, get, page, all } = await openService();
const require = createRequire(import.meta.url);

test('$metadata is valid by the XML schema of OASIS, and needs no key', async () => {
  const { status, headers, text } = await get('/$metadata', {}, { 'x-account': 'unknown' });
  expect([status, headers['content-type'], headers['odata-version']]).toEqual([
    ...[200, 'application/xml; charset=utf-8', '4.0'],
  ]);
  const schema = async (name: string) => ({
    fileName: name,
    contents: await readFile(require.resolve(`odata-csdl/schemas/${name}`), 'utf8'),
  });
  const { validateXML } = await import('xmllint-wasm');
  const [edmx, edm] = [await schema('edmx.xsd'), await schema('edm.xsd')];
  const check = (xml: string) =>
    validateXML({ xml: [{ fileName: 'm.xml', contents: xml }], schema: [edmx], preload: [edm] });
  expect((await check(text)).errors).toEqual([]);
  expect((await check(text.replace('EntityContainer', 'Container'))).valid).toBe(false);
});

test('$metadata is read by the converter of OASIS, with every field of every record', async () => {
  const { xml2json } = require('odata-csdl') as { xml2json(xml: string): Entity };
  const csdl = xml2json((await get('/$metadata')).text);
  const path = require.resolve('odata-csdl/schemas/csdl.schema.json');
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const isValid = ajv.validate(JSON.parse(await readFile(path, 'utf8')), csdl);
  expect([isValid, ajv.errors]).toEqual([true, null]);
  const types = csdl.VentureCapital as Readonly<Record<string, Readonly<Record<string, Entity>>>>;
  for (const set of ENTITY_SETS) {
    const [record] = (await page(`/${set.name}`, { $top: '1' })).value;
    const properties = Object.entries(types[set.type] ?? {}).filter(
      ([name, { $Kind }]) => !name.startsWith('$') && $Kind !== 'NavigationProperty',
    );
    expect(properties.map(([name]) => name)).toEqual(Object.keys(record ?? {}));
    expect(types[set.type]?.$Key).toEqual(['Id']);
  }
});

test('every value of an entity has the type of its property', async () => {
  const { xml2json } = require('odata-csdl') as { xml2json(xml: string): Entity };
  const types = xml2json((await get('/$metadata')).text).VentureCapital as Readonly<
    Record<string, Readonly<Record<string, Entity>>>
  >;
  for (const set of ENTITY_SETS) {
    for (const entity of await all(`/${set.name}`, {})) {
      for (const [name, value] of Object.entries(entity)) {
        const property = types[set.type]?.[name];
        expect([set.name, name, value, isOf(value, property ?? {})]).toEqual([
          ...[set.name, name, value, true],
        ]);
      }
    }
  }
});

test('a library of OData reads the service', async () => {
  const { OData } = require('@odata/client') as typeof import('@odata/client');
  const client = OData.New4({
    serviceEndpoint: `${api.url.replace('/v2', '/odata/v4')}/`,
    credential: { username: 'vcds_x', password: 'x' },
  });
  const set = client.getEntitySet<Entity>('Startups');
  const filter = client.newFilter().property('Founded').ge(2000);
  const params = client
    .newParam()
    .filter(filter)
    .orderby('Name', 'asc')
    .top(3)
    .select(['Id', 'Name']);
  const own = await api.list('/startups', {
    $filter: 'Founded ge 2000',
    $orderby: 'Name',
    $top: '3',
  });
  expect(await set.query(params)).toEqual(own.map(({ Id, Name }) => ({ Id, Name })));
  expect(await set.count(filter)).toBe(
    Number((await get('/Startups/$count', { $filter: 'Founded ge 2000' })).text),
  );
});

const FORMS: Readonly<Record<string, (value: unknown) => boolean>> = {
  'Edm.String': (value) => typeof value === 'string',
  'Edm.Guid': (value) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(value)),
  'Edm.Int16': (value) => Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 15,
  'Edm.Int32': (value) => Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31,
  'Edm.Int64': (value) => Number.isSafeInteger(value),
  'Edm.Double': (value) => typeof value === 'number',
  'Edm.Boolean': (value) => typeof value === 'boolean',
  'Edm.Date': (value) => /^\d{4}-\d\d-\d\d$/.test(String(value)),
  'Edm.DateTimeOffset': (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(value)),
};

function isOf(value: unknown, property: Entity): boolean {
  const { $Type = 'Edm.String', $Collection, $Nullable } = property;
  const form = FORMS[String($Type)] ?? (() => false);
  if ($Collection === true) return Array.isArray(value) && value.every(form);
  return value === null ? $Nullable === true : form(value);
}
