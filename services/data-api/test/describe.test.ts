// Tests docs/spec/addresses.md 1.9.
// Tests docs/spec/find.md 20.2.
/** The description of the data API: docs/openapi/data-api.json. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  documentText,
  type ParameterObject,
  type PathItemObject,
  type ReferenceObject,
  type ResponseObject,
  type SchemaObject,
} from '@vcds/openapi';
import { closedAfterAll } from '@vcds/test-kit';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { catalogueText } from '../describe/catalogue.ts';
import { dataApiDocument } from '../describe/document.ts';
import { FIELD_TEXTS } from '../describe/field-texts.ts';
import { CATALOGUE, DOCUMENT, readExamples } from '../describe/files.ts';
import { COVERAGE_PATH } from '../src/coverage/coverage.ts';
import { endpoints } from '../src/endpoints.ts';
import { resources } from '../src/resources/index.ts';
import { ROOTS } from '../src/serve/root.ts';
import { trainMatching } from '../src/worker/train/train.ts';
import { startSites } from './find/support/sites.ts';
import { errorOf, openApi, type Query } from './support/api.ts';
import { seedId } from './support/collections.ts';

/** Paths that need no key. */
const OPEN = [...ROOTS.map(([path]) => path), COVERAGE_PATH];
const document = dataApiDocument(readExamples());
const sites = await closedAfterAll(startSites());
sites.page('acme.example', '<title>Acme</title>');
const api = await closedAfterAll(openApi({ sites: sites.options }));

describe('the description', () => {
  test('is the one that `npm run describe` writes', () => {
    expect(readFileSync(DOCUMENT, 'utf8')).toBe(documentText(document));
    expect(readFileSync(CATALOGUE, 'utf8')).toBe(catalogueText());
  });

  test('has every endpoint and no other', () => {
    const listed = endpoints.filter(({ text }) => text !== undefined);
    const paths = [...OPEN, ...listed.map(({ rate }) => rate.path)].sort();
    expect(Object.keys(document.paths).sort()).toEqual(paths);
  });

  test('has a text for every field and for no other', () => {
    const names = Object.values(resources).flatMap(({ name, fields }) =>
      [...fields.keys()].flatMap((field) => [field, `${name}.${field}`]),
    );
    expect(Object.keys(FIELD_TEXTS).filter((name) => !names.includes(name))).toEqual([]);
  });

  test('has a valid real response of every operation', () => {
    const ajv = new Ajv({ strict: false });
    addFormats.default(ajv);
    ajv.addSchema(document, 'document');
    const invalid = Object.entries<PathItemObject>(document.paths).flatMap(
      ([path, { get, post }]) => {
        const method = get === undefined ? 'post' : 'get';
        const at =
          (get ?? post)?.responses[200].$ref ??
          `#/paths/${path.replaceAll('/', '~1')}/${method}/responses/200`;
        const content = (valueAt(at) as ResponseObject).content?.['application/json'];
        const pointer = `${at}/content/application~1json/schema`;
        const examples = Object.values(content?.examples ?? {}) as { readonly value?: unknown }[];
        if (examples.length === 0) return [`${path} has no example`];
        return examples.flatMap(({ value }) =>
          ajv.validate(`document${encodeURI(pointer)}`, value)
            ? []
            : [`${path}: ${ajv.errorsText()}`],
        );
      },
    );
    expect(invalid).toEqual([]);
  });

  test('says of a column that it can be null exactly if it can', async () => {
    const { rows } = await api.sql.query<{ column: string }>(`
      SELECT table_name || '.' || column_name AS column FROM information_schema.columns
      WHERE table_schema = 'venture' AND is_nullable = 'NO'`);
    const never = new Set(rows.map(({ column }) => column));
    const wrong = Object.values(resources).flatMap(({ name, table, fields }) => {
      const [, tableName] = /^venture\.(\w+)$/.exec(table) ?? [];
      if (tableName === undefined) return [];
      return [...fields.values()].flatMap((field) => {
        const [, column] = /^x\.(\w+)$/.exec(field.answer?.('x') ?? '') ?? [];
        if (column === undefined || field.many === true) return [];
        const isRight = (field.notNull === true) === never.has(`${tableName}.${column}`);
        return isRight ? [] : [`${name}.${field.name}`];
      });
    });
    expect(wrong).toEqual([]);
  });
});

/** The required parameters of a path. */
const NEEDED: Readonly<Record<string, Query>> = {
  '/funds/search': { q: 'acme' },
  '/startups/search': { q: 'acme' },
  '/companies/search': { q: 'acme' },
  '/startups/tags/search': { q: 'acme' },
  '/find': { website: 'acme.example' },
  '/venturematching': { startup: seedId('startup2') },
};
/** There is no snapshot. */
const ABSENT: Readonly<Record<string, number>> = { '/snapshots/{snapshot}/{file}': 404 };
const IDS: Readonly<Record<string, string>> = {
  startups: seedId('startup2'),
  funds: seedId('fund2'),
  persons: seedId('person2'),
};
const VALUES: Readonly<Record<string, string>> = {
  startups: 'stage/series-a',
  funds: 'investor_type/accelerator',
  rounds: 'round_stage/series-a',
};

interface Probes {
  readonly valid: readonly string[];
  readonly invalid: readonly string[];
}

/** Values at and beyond the bounds that a parameter states. */
function probesOf({ name, schema = {} }: ParameterObject, path: string): Probes {
  const { type, minimum = 0, maximum, maxLength, items, enum: values } = schema as SchemaObject;
  if (type === 'integer') {
    const invalid = [minimum - 1, ...(maximum === undefined ? [] : [maximum + 1])];
    const valid = [minimum, ...(maximum === undefined ? [] : [maximum])];
    return { valid: valid.map(String), invalid: invalid.map(String) };
  }
  if (type === 'boolean') return { valid: ['true', 'false'], invalid: ['yes'] };
  if (type === 'array') {
    const { enum: names } = items as SchemaObject;
    // Each entity has its own dimensions.
    if (names === undefined || name === 'dimensions') return { valid: [], invalid: [] };
    return { valid: names.map(String), invalid: ['nonsense'] };
  }
  if (values !== undefined) {
    const hasOwn = name === 'entity' && path.includes('{dimension}');
    return { valid: hasOwn ? ['startups'] : values.map(String), invalid: ['nonsense'] };
  }
  return {
    valid: [],
    invalid: maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)],
  };
}

describe('a value at a described bound is valid, and one beyond it is a 400 for the parameter', () => {
  beforeAll(() => trainMatching({ pool: api.sql, nowMs: Date.now(), hasBackTest: false }));
  const described = Object.entries<PathItemObject>(document.paths).filter(
    ([path]) => !OPEN.includes(path),
  );
  test.each(described)('%s', async (path, { get, post }) => {
    const [, collection = ''] = path.split('/');
    const last = path.split('/').at(-1) ?? '';
    const real = path
      .replace('{id}', IDS[collection] ?? '')
      .replace('{dimension}/{value}', VALUES[last] ?? '')
      .replace('{dimension}', 'stage')
      .replace('{snapshot}/{file}', '20260101T000000Z/news-0.parquet');
    const parameters = ((get ?? post)?.parameters ?? [])
      .map(resolved)
      .filter((each) => each.in === 'query');
    const found: string[] = [];
    for (const parameter of parameters) {
      const { valid, invalid } = probesOf(parameter, path);
      // A cursor is an opaque text without an example.
      const hasExample = parameter.name.startsWith('$') && parameter.example !== undefined;
      const examples = hasExample ? [String(parameter.example)] : [];
      const statusOf = async (value: string) => {
        // A quote plans the call and does not run it.
        const query = { ...NEEDED[path], quote: 'true', [parameter.name]: value };
        const reply = get
          ? await api.get(real, query)
          : await api.post(`${real}?${new URLSearchParams(query)}`, [{ ref: '1' }]);
        const error = reply.status === 400 ? errorOf(reply) : {};
        return error.parameter === parameter.name ? 400 : reply.status;
      };
      for (const value of [...valid, ...examples])
        if (![200, ABSENT[path]].includes(await statusOf(value)))
          found.push(`${parameter.name}=${value} is rejected`);
      for (const value of invalid)
        if ((await statusOf(value)) !== 400) found.push(`${parameter.name}=${value} is accepted`);
    }
    expect(found).toEqual([]);
  });
});

function resolved(part: ParameterObject | ReferenceObject): ParameterObject {
  return '$ref' in part ? (valueAt(part.$ref) as ParameterObject) : part;
}

/** The value at a JSON pointer into the document. */
function valueAt(pointer: string): object {
  return pointer
    .split('/')
    .slice(1)
    .reduce<object>(
      (at, segment) => Reflect.get(at, segment.replaceAll('~1', '/')) as object,
      document,
    );
}
