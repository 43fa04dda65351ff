// Tests docs/spec/assistants.md 18.1.
import { describe, expect, test } from '@jest/globals';
import { ArgumentError, acceptedArguments } from '../src/arguments.ts';
import { CATALOGUE, fieldsWith, labelled } from '../src/catalogue.ts';
import { INSTRUCTIONS } from '../src/instructions.ts';
import { withReadableArguments } from '../src/lenient.ts';
import { MAIN_FIELDS } from '../src/page-size.ts';
import type { Schema } from '../src/schemas.ts';
import { TOOLS } from '../src/tools/index.ts';
import { toolOf } from './tool-of.ts';

const ID = '7f1f7d5e-94e3-4c1f-9c54-6d6f2b1d9a01';
const OTHER = '0b0f7d5e-94e3-4c1f-9c54-6d6f2b1d9a02';

/** The call that a tool plans, without parameters that are not sent. */
function planned(name: string, args: Record<string, unknown>) {
  const tool = toolOf(name);
  const { path, parameters } = tool.call?.(acceptedArguments(tool.input, args)) ?? {
    path: '',
    parameters: {},
  };
  return [path, JSON.parse(JSON.stringify(parameters))];
}

describe('the tools', () => {
  test('are few, and small enough for every conversation', () => {
    expect(TOOLS.length).toBeLessThanOrEqual(17);
    const listed = TOOLS.map(({ name, title, description, input, output }) => ({
      ...{ name, title, description, inputSchema: input, outputSchema: output },
    }));
    // About 8,000 tokens: match_companies takes a list of objects, which must say their members.
    expect(JSON.stringify(listed).length).toBeLessThan(31_000);
    expect(INSTRUCTIONS.length).toBeLessThan(2_000);
  });

  test.each(TOOLS)('$name: a closed schema, an example that it accepts, and its price', (tool) => {
    const { input, description } = tool;
    expect(input).toMatchObject({ type: 'object', additionalProperties: false });
    for (const property of Object.values(input.properties ?? {})) {
      expect(property.description).toMatch(/\w/);
    }
    expect(description).toMatch(/credit|free/i);
    const [, example] = /Example: (\{.*\})/.exec(description) ?? [];
    const args = JSON.parse((example ?? '{}').replaceAll('…', ID));
    expect(acceptedArguments(input, args)).toEqual(args);
    expect(() => tool.call?.(args)).not.toThrow();
  });

  test('name the price of relations: a record with five costs 3 credits', () => {
    expect(toolOf('get_record').description).toContain('2 or more with expand');
  });

  test('select fields that the collections have', () => {
    for (const [name, fields] of Object.entries(MAIN_FIELDS)) {
      const collection = CATALOGUE.collections[name];
      if (collection === undefined) throw new Error(`There is no collection ${name}.`);
      expect(fieldsWith(collection, 'show')).toEqual(expect.arrayContaining(fields.split(',')));
    }
  });
});

describe('the texts of the tools', () => {
  const texts: (readonly [string, string])[] = TOOLS.flatMap(({ name, description, input }) => {
    const found: [string, string][] = [[name, description]];
    const collect = (path: string, schema: Schema): void => {
      if (schema.description !== undefined) found.push([path, schema.description]);
      for (const [each, inner] of Object.entries(schema.properties ?? {})) {
        collect(`${path}.${each}`, inner);
      }
    };
    collect(name, input);
    return found;
  });

  test('have at most 1,024 characters, which is the limit of some clients', () => {
    expect(texts.filter(([, text]) => text.length > 1_024)).toEqual([]);
  });

  test('and their inputs have one type each, without references', () => {
    const inputs = JSON.stringify(TOOLS.map(({ input }) => input));
    expect(inputs).not.toMatch(/"(oneOf|anyOf|allOf|not|[$]ref|const)":|"type":\[/);
  });
});

describe('arguments as assistants write them', () => {
  const company = { name: 'Acme' };
  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['find_company', { name: 'Acme', website: null, top: null }, company],
    ['find_company', { name: 'Acme', website: '', type: ' ', other: null }, company],
    [
      'find_company',
      { name: 42, type: 'Startup', top: '5' },
      { name: '42', type: 'startup', top: 5 },
    ],
    ['list_records', { collection: 'FUNDS', top: '5.0' }, { collection: 'funds', top: 5 }],
    [
      'list_records',
      { collection: 'funds', select: ['Id', 'Name'], expand: ['Tags'], orderby: ['Name desc'] },
      { collection: 'funds', select: 'Id,Name', expand: 'Tags', orderby: 'Name desc' },
    ],
    [
      'list_records',
      {
        collection: 'startups',
        narrow: { founded_year: 2015, country: null, city: ['A', 'B, C'] },
      },
      { collection: 'startups', narrow: { founded_year: '2015', city: 'A,"B, C"' } },
    ],
    [
      'list_records',
      { collection: 'startups', narrow: '{"country":["France"]}' },
      { collection: 'startups', narrow: { country: 'France' } },
    ],
    ['get_record', { collection: 'funds', id: ` ${ID}\n` }, { collection: 'funds', id: ID }],
    ...['["country"]', "['country']", '[country]', 'country', ' "country" ', 'Country,country'].map(
      (dimensions): [string, Record<string, unknown>, Record<string, unknown>] => [
        'count_by_category',
        { entity: 'funds', dimensions },
        { entity: 'funds', dimensions: ['country'] },
      ],
    ),
    ['find_matches', { tags: 'AI,"Food, Drink"' }, { tags: ['AI', 'Food, Drink'] }],
    ['find_matches', { tags: [], amount: '5e6', stage: 'Seed' }, { amount: 5e6, stage: 'Seed' }],
    ['follow_changes', { names: 'True', subject_ids: ID }, { names: true, subject_ids: [ID] }],
    ['check_balance', { any: null }, {}],
  ])('%s %j are accepted where their meaning is certain', (name, given, read) => {
    expect(acceptedArguments(toolOf(name).input, given)).toEqual(read);
  });

  test.each<[string, unknown, unknown]>([
    ['null', null, {}],
    ['the JSON text of an object', '{"name":"Acme"}', { name: 'Acme' }],
    ['an object', company, company],
  ])('may as a whole be %s', (_, given, read) => {
    const message = (args: unknown) => ({ method: 'tools/call', params: { arguments: args } });
    expect(withReadableArguments(message(given))).toEqual(message(read));
    expect(withReadableArguments([message(given)])).toEqual([message(read)]);
  });

  test.each(['Acme', '["a"]', ['a'], 5, true])('that are %j as a whole are an error', (given) => {
    const message = { method: 'tools/call', params: { arguments: given } };
    const { arguments: args } = withReadableArguments(message).params;
    expect(() => acceptedArguments(toolOf('find_company').input, args)).toThrow(
      /^The arguments must be one JSON object with: name, website/,
    );
  });

  test('whose meaning is not certain are named all at once, with what is accepted', () => {
    const { input } = toolOf('list_records');
    const given = { collection: 'company', top: '5.000', country: 'France', filter: ['a', 'b'] };
    let thrown: unknown;
    try {
      acceptedArguments(input, given);
    } catch (error) {
      thrown = error;
    }
    const { faults, message } = thrown as ArgumentError;
    expect(new Set(faults.map(({ argument }) => argument))).toEqual(new Set(Object.keys(given)));
    expect(message).toContain('Put it into narrow: {"country": …}.');
    expect(message).toContain('top must be a whole number from 1 to 100.');
    expect(message).toMatch(/collection must be one of: startups, funds/);
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`a${i}`, 1]));
    expect(() => acceptedArguments(input, many)).toThrow(/^.{1,9000}$/s);
  });
});

describe('a call', () => {
  const $select = MAIN_FIELDS.rounds;
  const $top = 10;
  test.each<[string, string, Record<string, unknown>, [string, object]]>([
    [
      'of a page: the main fields, and few records',
      'list_records',
      { collection: 'rounds' },
      ['/startups/fundingrounds', { $select, $top }],
    ],
    [
      'of the records of a company, on its path',
      'list_records',
      {
        collection: 'rounds',
        startup_id: ID,
        filter: 'Year eq 2020 or Year eq 2021',
        cursor: '5~',
      },
      [
        '/startups/{id}/fundingrounds',
        { id: ID, $filter: 'Year eq 2020 or Year eq 2021', $select, $top, $skip: 5 },
      ],
    ],
    [
      'of the rounds of a startup with a fund',
      'list_records',
      { collection: 'rounds', startup_id: ID, fund_id: OTHER, filter: 'Year eq 2020' },
      [
        '/startups/{id}/fundingrounds',
        { id: ID, $filter: `(Investor eq ${OTHER}) and (Year eq 2020)`, $select, $top },
      ],
    ],
    [
      'narrowed by dimensions: the first in the path',
      'list_records',
      { collection: 'rounds', startup_id: ID, narrow: { country: 'France', industry: 'AI' } },
      [
        '/categories/{dimension}/{value}/rounds',
        {
          ...{ dimension: 'country', value: 'France', industry: 'AI' },
          ...{ $filter: `StartupId eq ${ID}`, $select, $top },
        },
      ],
    ],
    [
      'of a count',
      'count_records',
      { collection: 'news', fund_id: ID },
      ['/news', { $filter: `FundId eq ${ID}`, $count: true }],
    ],
    [
      'of the counts of one dimension',
      'count_by_category',
      { entity: 'startups', dimensions: ['city'], search: 'par', narrow: { country: 'France' } },
      [
        '/categories/{dimension}',
        { dimension: 'city', entity: 'startups', q: 'par', country: 'France', top: 26 },
      ],
    ],
    [
      'of the counts of several dimensions',
      'count_by_category',
      { entity: 'funds', dimensions: ['city', 'country'], top: 3 },
      ['/categories/facets', { dimensions: ['city', 'country'], entity: 'funds', top: 4 }],
    ],
    [
      'of figures of groups',
      'aggregate_records',
      {
        ...{ entity: 'rounds', measures: ['count', 'sum(Amount)'], by: ['quarter(Date)'] },
        ...{ narrow: { country: 'France' }, filter: 'Amount gt 5', orderby: 'count desc', top: 9 },
      },
      [
        '/aggregates',
        {
          ...{ entity: 'rounds', measures: ['count', 'sum(Amount)'], by: ['quarter(Date)'] },
          ...{ country: 'France', $filter: 'Amount gt 5', orderby: 'count desc', top: 9 },
        },
      ],
    ],
    [
      'of the change feed: with names',
      'follow_changes',
      { since: '2026-01-01', subject_ids: [ID], min_amount: 5, cursor: 'c', order: 'asc' },
      [
        '/signals',
        {
          ...{ since: '2026-01-01', subject: [ID], minAmount: 5, cursor: 'c', order: 'asc' },
          ...{ limit: 20, expand: 'subject,object' },
        },
      ],
    ],
    [
      'of the activity feed',
      'recent_activity',
      {
        types: ['round.recorded'],
        subject_ids: [ID],
        narrow: { country: 'France' },
        cursor: '20~',
      },
      [
        '/activityfeed',
        { types: ['round.recorded'], subject: [ID], country: 'France', $skip: 20, $top: 20 },
      ],
    ],
    [
      'of the investors for criteria',
      'find_matches',
      { tags: ['Fintech', 'AI'], country: 'Germany', stage: 'Seed', amount: 5 },
      [
        '/venturematching',
        { tags: ['Fintech', 'AI'], country: 'Germany', stage: 'Seed', amount: 5, top: 10 },
      ],
    ],
    [
      'of the startups for a fund',
      'find_matches',
      { fund_id: ID, top: 3 },
      ['/venturematching', { fund: ID, top: 3 }],
    ],
    [
      'of a quote: that of the other tool',
      'price_of_call',
      { tool: 'get_record', arguments: { collection: 'funds', id: ID } },
      ['/funds/{id}', { id: ID, quote: true }],
    ],
  ])('%s', (_, name, args, call) => {
    expect(planned(name, args)).toEqual(call);
  });

  test.each<[string, Record<string, unknown>, RegExp]>([
    ['list_records', { collection: 'portfolio' }, /portfolio needs fund_id/],
    ['find_matches', { top: 3 }, /startup_id, fund_id or criteria/],
    ['list_records', { collection: 'people', startup_id: ID, fund_id: ID }, /not both/],
    [
      'list_records',
      { collection: 'funds', fund_id: ID },
      /does not apply to funds, but to rounds/,
    ],
    ['list_records', { collection: 'people', narrow: { city: 'Paris' } }, /narrow applies to/],
    ['list_records', { collection: 'funds', narrow: { city: '..' } }, /narrow.city needs a value/],
    ['list_records', { collection: 'funds', narrow: { town: 'x' } }, /narrow.town.*country/],
    [
      'list_records',
      { collection: 'funds', top: 101 },
      /^top must be a whole number from 1 to 100\.$/,
    ],
    ['list_records', { collection: 'rounds', startup_id: "x' or" }, /startup_id must be an Id/],
    ['list_records', {}, /Missing argument collection/],
    ['list_records', { collection: 'funds', filter: "Name ne '\ud800'" }, /^filter has half/],
    ['list_records', { collection: 'funds', narrow: { city: '\udc00' } }, /^narrow.city has half/],
    ['find_matches', { tags: ['AI', '\ud800'] }, /^tags.1 has half/],
    ['find_company', { ['x'.repeat(60_000)]: '\ud800' }, /^x{100} has half/],
    ['find_company', { '\ud800': 1 }, /^The name of an argument has half/],
    ['find_company', { type: 'fund' }, /name, a website or both/],
    ['count_by_category', { entity: 'funds', dimensions: ['city', 'tag'] }, /must be one of.*city/],
    [
      'count_by_category',
      { entity: 'funds', dimensions: ['city', 'country'], search: 'x' },
      /exactly one dimension/,
    ],
    ['price_of_call', { tool: 'get_record', arguments: { id: ID } }, /Missing argument collection/],
    ['match_companies', { companies: [{ ref: '2' }, {}] }, /companies\.1\.ref: all have a ref/],
  ])('of %s %j is not made', (name, args, message) => {
    expect(() => planned(name, args)).toThrow(ArgumentError);
    expect(() => planned(name, args)).toThrow(message);
  });
});

test('stages and headcount buckets are labels, also in related records', () => {
  const record = {
    Name: 'A',
    LastFundingStage: 4,
    InvestmentStage: [3, 4],
    Rounds: [{ Stage: 3 }],
  };
  expect(labelled({ ...record, MembersCountBucket: null })).toEqual({
    ...{ Name: 'A', LastFundingStage: 'Series A', InvestmentStage: ['Seed', 'Series A'] },
    ...{ Rounds: [{ Stage: 'Seed' }], MembersCountBucket: null },
  });
});
