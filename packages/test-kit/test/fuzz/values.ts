import fc from 'fast-check';
import type { Parameter, Schema } from '../../src/answers/description.ts';
import { NAUGHTY, RAW } from './naughty.ts';

const WORDS = ['Fintech', 'Agora', 'France', 'seed', 'series-a', '2015', "it''s", 'a%', 'São'];
const OPERATORS = ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'in', 'notin', 'like', 'EQ', 'has', ''];
const LITERALS = [
  ...["'France'", "'O''Neil%'", '5', '-1.5', 'null', 'true', '2020-01-01', "''", "'"],
  ...['2023-02-30', '1e400', '9007199254740993', "('a','b')", '(1,2,', '()', "'seed'"],
  ...['00000000-0000-0000-0000-000000000000', '2020-01-01T00:00:00Z', "'VentureFund'"],
];

const oneOf = (values: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...values);
const naughty = oneOf(NAUGHTY);
const text = fc.oneof(oneOf(WORDS), fc.string({ unit: 'binary', maxLength: 20 }));

/** Texts for a value of a schema; `names` are fields for a filter. */
interface Texts {
  /** Within the bounds of the schema. */
  readonly valid: fc.Arbitrary<string>;
  /** Of a wrong type, out of bounds, or close to a valid one. */
  readonly invalid: fc.Arbitrary<string>;
}

/** Texts of a parameter, percent-encoded. */
export function encodedTexts(
  parameter: Parameter,
  ids: readonly string[],
  names: readonly string[],
): Texts {
  const { schema = {}, name, example } = parameter;
  const examples = Array.isArray(example) ? example.join() : example;
  const ofSchema = textsOf(schema, ids);
  const valid = name === '$filter' ? filterOf(names) : ofSchema.valid;
  return {
    valid: fc
      .oneof(valid, examples === undefined ? valid : fc.constant(String(examples)))
      .map(encode),
    invalid: fc.oneof(
      ofSchema.invalid.map(encode),
      mutated(valid).map(encode),
      naughty.map(encode),
      oneOf(RAW),
    ),
  };
}

/** The values of a schema in JSON, and others. */
export function jsonOf(schema: Schema, ids: readonly string[]): fc.Arbitrary<unknown> {
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => {
    const { valid, invalid } = textsOf(member, ids);
    const value = fc.oneof(
      { weight: 3, arbitrary: valid },
      { weight: 1, arbitrary: invalid },
      { weight: 1, arbitrary: naughty },
      { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
    );
    return [name, value] as const;
  });
  const unknown = { x: fc.constant(1), ['__proto__']: fc.constant({ admin: true }) };
  return fc.oneof(
    { weight: 6, arbitrary: fc.record(Object.fromEntries(members), { requiredKeys: [] }) },
    {
      weight: 1,
      arbitrary: fc.record({ ...Object.fromEntries(members), ...unknown }, { requiredKeys: ['x'] }),
    },
    { weight: 1, arbitrary: fc.jsonValue() },
  );
}

function textsOf(schema: Schema, ids: readonly string[]): Texts {
  if (schema.type === 'array') return listsOf(schema, ids);
  if (schema.enum !== undefined) {
    return { valid: oneOf(schema.enum), invalid: mutated(oneOf(schema.enum)) };
  }
  if (schema.type === 'integer') return integersOf(schema);
  if (schema.type === 'boolean') {
    return { valid: oneOf(['true', 'false']), invalid: oneOf(['1', 'TRUE', 'yes', '']) };
  }
  const tooLong = fc.constant('a'.repeat(Math.min(schema.maxLength ?? 500, 40_000) + 1));
  return { valid: textsOfFormat(schema, ids), invalid: fc.oneof(tooLong, naughty) };
}

function textsOfFormat({ format, pattern }: Schema, ids: readonly string[]): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.oneof(oneOf(ids), fc.uuid());
  if (format === 'email') {
    return fc.oneof(fc.emailAddress(), fc.constant('fuzz@client.example'));
  }
  return pattern === undefined ? text : fc.stringMatching(new RegExp(pattern));
}

function integersOf({ minimum = -(2 ** 63), maximum = 2 ** 63 }: Schema): Texts {
  const [least, most] = [BigInt(minimum), BigInt(maximum)];
  return {
    valid: fc.oneof(
      fc.bigInt({ min: least, max: most }).map(String),
      fc.bigInt({ min: least, max: least + 30n < most ? least + 30n : most }).map(String),
    ),
    invalid: oneOf([
      ...[String(least - 1n), String(most + 1n), '1.5', '+1', ' 1', '1 ', '01', '0x10', '1e1'],
      ...['-0', '1e400', '9007199254740993', 'NaN', 'Infinity', '', '99999999999999999999999'],
    ]),
  };
}

function listsOf({ items = {}, maxItems = 500 }: Schema, ids: readonly string[]): Texts {
  const { valid, invalid } = textsOf(items, ids);
  const list = (each: fc.Arbitrary<string>, most: number): fc.Arbitrary<string> =>
    fc.array(each, { minLength: 1, maxLength: most }).map((each) => each.join());
  return {
    valid: list(valid, Math.min(maxItems, 4)),
    invalid: fc.oneof(
      list(fc.oneof(valid, invalid), 5),
      valid.map((each) =>
        Array(maxItems + 1)
          .fill(each.slice(0, 60))
          .join(),
      ),
      valid.map((each) => `${each},${each},`),
    ),
  };
}

/** Filters, most of them close to the grammar. */
function filterOf(names: readonly string[]): fc.Arbitrary<string> {
  const term = fc
    .tuple(oneOf([...names, 'Tag', 'Keywords', 'Nmae']), oneOf(OPERATORS), oneOf(LITERALS))
    .map((parts) => parts.join(' '));
  const { filter } = fc.letrec<{ filter: string }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      term,
      fc.tuple(tie('filter'), oneOf(['and', 'or', 'AND']), tie('filter')).map((p) => p.join(' ')),
      tie('filter').map((inner) => `(${inner})`),
      tie('filter').map((inner) => `not (${inner})`),
    ),
  }));
  return fc.oneof(
    { weight: 9, arbitrary: filter },
    { weight: 1, arbitrary: fc.tuple(term, fc.integer({ min: 2, max: 300 })).map(repeated) },
  );
}

const repeated = ([term, times]: [string, number]): string =>
  Array(times).fill(term).join(' or ').slice(0, 33_000);

/** With a character removed, doubled or changed, or a naughty text inserted. */
function mutated(valid: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const change = fc.constantFrom<(text: string, at: number, added: string) => string>(
    (text, at) => text.slice(0, at) + text.slice(at + 1),
    (text, at, added) => text.slice(0, at) + added + text.slice(at),
    (text, at) => text.slice(0, at) + text.slice(at).toUpperCase(),
    (text, at) => text.slice(0, at + 1) + text.slice(at),
  );
  return fc
    .tuple(valid, change, fc.double({ min: 0, max: 1, noNaN: true }), naughty)
    .map(([text, apply, at, added]) => apply(text, Math.floor(at * text.length), added));
}

/** A lone surrogate becomes U+FFFD. */
export function encode(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}

/** As a header value: the bytes of UTF-8 that HTTP allows there. */
export function headerText(text: string): string {
  return Buffer.from(text)
    .toString('latin1')
    .replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?')
    .slice(0, 4_000);
}

export { naughty };
