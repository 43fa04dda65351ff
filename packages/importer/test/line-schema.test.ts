// Tests docs/spec/import.md 14.9.
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { LineError } from '../src/errors/line-error.ts';
import { lineSchemas, recordTables } from '../src/index.ts';
import type { FieldRow } from '../src/records/kinds.ts';
import { validateLine } from '../src/schema/line-validator.ts';
import { encodeLine } from '../src/staging/encode-line.ts';
import { fund, observation, person, round, startup } from './support.ts';

const faultOf = (line: unknown): string => {
  try {
    validateLine(line);
  } catch (error) {
    if (error instanceof LineError) return error.message;
    throw error;
  }
  return 'no fault';
};

/** An observation without a member. */
const without = (member: string) =>
  Object.fromEntries(Object.entries(observation()).filter(([name]) => name !== member));

describe('the schema of a line', () => {
  test.each([
    [startup('a'), 'no fault'],
    [[], 'the line is not a JSON object'],
    [null, 'the line is not a JSON object'],
    ['text', 'the line is not a JSON object'],
    [{}, 'type is missing'],
    [{ type: 'startups' }, /^unknown type "startups"; use one of startup, fund, /u],
    [{ type: 'constructor' }, /^unknown type "constructor"; use one of/u],
    [{ type: '__proto__' }, /^unknown type "__proto__"; use one of/u],
    [
      startup('a', { op: 'insert' }),
      'unknown op "insert"; use one of upsert, mention, patch, delete',
    ],
    [{ type: 'startup', source: 'test', Name: 'x' }, 'key is missing'],
    [{ type: 'startup', key: 'a', Name: 'x' }, 'source is missing'],
    [{ type: 'startup', source: 'test', key: 'a' }, 'Name is missing'],
    [
      { type: 'startup', source: 'test', key: 'a', Nmae: 'x' },
      'unknown field "Nmae" on startup; did you mean Name?',
    ],
    [{ type: 'startup', source: 'test', key: 'a', Nonsense: 'x' }, 'Name is missing'],
    [startup('a', { Name: null }), 'Name must be text, not null'],
    [startup('a', { Name: 'x'.repeat(501) }), /^Name must have at most 500 characters, not "x+…$/u],
    [startup(''), 'key must NOT have fewer than 1 characters, not ""'],
    [startup('a\0'), 'key must not contain control characters, not "a\\u0000"'],
    [startup('a\ud800'), 'key must not contain control characters, not "a\\ud800"'],
    [startup('a', { source: 'a\nb' }), 'source must not contain control characters, not "a\\nb"'],
    [
      startup('a', { occurredAt: '2024-13-01' }),
      'occurredAt must be an ISO 8601 instant, not "2024-13-01"',
    ],
    [startup('a', { occurredAt: 5 }), 'occurredAt must be text or null, not 5'],
    [startup('a', { Founded: 2011.5 }), 'Founded must be a whole number or null, not 2011.5'],
    [startup('a', { Founded: '2011' }), 'Founded must be a whole number or null, not "2011"'],
    [startup('a', { Founded: 999 }), 'Founded must be >= 1000, not 999'],
    [startup('a', { TotalRaised: 1e300 }), 'TotalRaised must be <= 9007199254740991, not 1e+300'],
    [
      startup('a', { TotalRaised: JSON.parse('1e999') }),
      'TotalRaised must be a number or null, not a number beyond 1.8e308',
    ],
    [startup('a', { TotalRaised: -1 }), 'TotalRaised must be >= 0, not -1'],
    [startup('a', { Currency: 'eur' }), 'Currency must be three capital letters, not "eur"'],
    [
      startup('a', { NextFundingStage: 'Series Z' }),
      /^NextFundingStage must be one of Pre-Seed, Angel/u,
    ],
    [startup('a', { NextFundingStage: 23 }), /^NextFundingStage must be one of .*, not 23$/u],
    [startup('a', { PrimarySource: 'organic' }), 'no fault'],
    [startup('a', { Identifiers: ['x:acme', { Scheme: 'lei', Value: '1' }] }), 'no fault'],
    [startup('a', { Identifiers: 'x:acme' }), /^Identifiers must be a list of "scheme:value" or/u],
    [startup('a', { Identifiers: [{ Scheme: 'icq', Value: '1' }] }), /the schemes are domain, /u],
    [startup('a', { Identifiers: Array(101).fill('x:a') }), /^Identifiers must be .*at most 100/u],
    [startup('a', { Tags: 'Fintech' }), 'Tags must be a list or null, not "Fintech"'],
    [startup('a', { Tags: ['a', 5] }), 'Tags[1] must be text, not 5'],
    [
      startup('a', { Addresses: [{ City: 'x', Town: 'y' }] }),
      /^Addresses\[0\] must NOT have additional properties/u,
    ],
    [startup('a', { Addresses: [{ City: 5 }] }), 'Addresses[0].City must be text or null, not 5'],
    [startup('a', { nmae: 'x' }), 'unknown field "nmae" on startup; did you mean Name?'],
    [startup('a', { constructor: 'x' }), 'unknown field "constructor" on startup'],
    [observation(), 'no fault'],
    [without('occurredAt'), 'occurredAt is missing'],
    [observation({ occurredAt: null }), 'occurredAt must be text, not null'],
    [observation({ State: 'gone' }), 'State must be one of alive, parked, dead, not "gone"'],
    [without('Kind'), 'Kind is missing'],
    [
      observation({ Company: { key: 'a' } }),
      'Company must be {"type": "startup" or "fund", "source"?, "key"} or {"type", "Id"}, not {"key":"a"}',
    ],
    [
      JSON.parse('{"type":"startup","source":"s","key":"k","Name":"n","__proto__":{}}'),
      'unknown field "__proto__" on startup',
    ],
    [
      { op: 'delete', type: 'startup', source: 's', key: 'k', Name: 'x' },
      'Name is not allowed on a delete line',
    ],
    [
      { op: 'patch', type: 'startup', source: 's', key: 'k', Name: null },
      'Name must be text, not null',
    ],
    [{ op: 'patch', type: 'startup', source: 's', key: 'k', Founded: null }, 'no fault'],
    [
      { op: 'patch', type: 'startup', source: 's', key: 'k', Currency: 'EUR' },
      'Currency requires TotalRaised',
    ],
    [fund('f', { InvestmentStages: ['seed', 4] }), 'no fault'],
    [fund('f', { InvestmentStages: ['sed'] }), /^InvestmentStages\[0\] must be one of Pre-Seed/u],
    [round('r', 's', { Startup: 's' }), 'Startup must be {"source"?, "key"} or {"Id"}, not "s"'],
    [
      round('r', 's', { Startup: { Id: 'x' } }),
      'Startup must be {"source"?, "key"} or {"Id"}, not {"Id":"x"}',
    ],
    [round('r', 's', { Startup: { key: 's', type: 'fund' } }), /^Startup must be/u],
    [
      round('r', 's', { Investors: [{ key: 'f' }] }),
      /^Investors must be a list of \{"type": "fund" or "person"/u,
    ],
    [
      { ...round('r', 's'), op: 'mention', Investors: [] },
      'Investors is not allowed on a mention line',
    ],
    [{ type: 'investor', source: 's', Round: { key: 'r' } }, 'Investor is missing'],
    [
      {
        type: 'investor',
        source: 's',
        Round: { key: 'r' },
        Investor: { type: 'startup', key: 'x' },
      },
      /^Investor must be \{"type": "fund" or "person"/u,
    ],
    [{ op: 'delete', type: 'holding', source: 's', key: 'k' }, 'Fund is missing'],
  ])('%j → %s', (line, fault) => {
    if (fault instanceof RegExp) expect(faultOf(line)).toMatch(fault);
    else expect(faultOf(line)).toBe(fault);
  });
});

test('an identifier that its scheme cannot have rejects the line, with what the scheme has', () => {
  const encode = (...Identifiers: readonly unknown[]) =>
    encodeLine(validateLine(startup('a', { Identifiers })), {
      ...{ n: 1, line: 1, raw: () => '', note: () => undefined },
    });
  const fault = 'Identifiers[1] "1" is no lei identifier: it takes 20 letters and digits with a';
  expect(() => encode('x:acme', { Scheme: 'lei', Value: '1' })).toThrow(fault);
  expect(() => encode('acme')).toThrow('Identifiers[0] "acme" has no scheme: write scheme:value');
});

describe('a text that NFC makes too long', () => {
  // NFC makes three characters of the first, and two of the second.
  const [note, letter] = ['\u{1d160}', '\u0958'];
  const encode = (line: object) =>
    encodeLine(validateLine(line), { n: 1, line: 1, raw: () => '', note: () => undefined });
  const in200 = 'must have at most 200 characters in NFC';
  test.each([
    [startup('a', { Name: note.repeat(500) }), 'Name must have at most 500 characters in NFC'],
    [round('r', 's', { Series: letter.repeat(101) }), `Series ${in200}`],
    [startup('a', { Tags: ['x', letter.repeat(200)] }), `Tags[1] ${in200}`],
    [fund('f', { Groups: [note.repeat(67)] }), `Groups[0] ${in200}`],
    [{ ...person('p'), Countries: [letter.repeat(101)] }, `Countries[0] ${in200}`],
    [{ ...person('p'), Location: letter.repeat(101) }, `Location ${in200}`],
  ])('is rejected: %#', (line, message) => {
    expect(() => encode(line)).toThrow(new LineError(undefined, message));
  });

  test('is accepted up to the limit, in characters and not in units of UTF-16', () => {
    const texts = { Name: note.repeat(166), Tags: [letter.repeat(100), '𠀀'.repeat(200)] };
    expect(encode(startup('a', texts)).type).toBe('startup');
    // NFC makes one character of two.
    expect(encode(startup('a', { Name: 'e\u0301'.repeat(250) })).type).toBe('startup');
  });
});

describe('the schemas for the documentation', () => {
  test('are valid JSON Schema, one a record type', () => {
    expect([...lineSchemas.keys()]).toEqual(Object.keys(recordTables));
    for (const [type, schema] of lineSchemas) {
      const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false });
      const validate = ajv.compile(JSON.parse(JSON.stringify(schema)));
      expect([type, validate({})]).toEqual([type, false]);
    }
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false });
    expect(ajv.validate(lineSchemas.get('startup') ?? {}, { op: 'upsert', ...startup('a') })).toBe(
      true,
    );
  });

  test('are printed in docs/import.md, field by field', async () => {
    const page = await readFile(new URL('../../../docs/import.md', import.meta.url), 'utf8');
    for (const { type, doc, fields } of Object.values(recordTables)) {
      const section = page.split(`### ${type}\n`)[1]?.split('\n##')[0] ?? '';
      const rows = section
        .split('\n')
        .map((line) => line.split('|').map((cell) => cell.trim()))
        .filter(([, name = '']) => /^[A-Z]\w*( \*)?$/u.test(name) && name !== 'Field');
      expect([type, section.includes(doc)]).toEqual([type, true]);
      expect(rows.map(([, name, , text]) => [name, text])).toEqual(
        Object.entries<FieldRow>(fields).map(([name, row]) => [
          row.required === true ? `${name} *` : name,
          row.doc,
        ]),
      );
    }
  });

  test('describe every field', () => {
    for (const { fields } of Object.values(recordTables)) {
      for (const [field, { doc }] of Object.entries(fields)) {
        expect([field, doc]).toEqual([field, expect.stringMatching(/^[A-Za-z].*\.$/u)]);
      }
    }
  });
});
