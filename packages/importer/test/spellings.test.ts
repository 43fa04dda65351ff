// Tests docs/spec/import.md 14.6.
import { expect, test } from '@jest/globals';
import { openedPerTest } from '@vcds/test-kit';
import { runChoice } from '../src/run/run-import.ts';
import type { ChosenSpelling } from '../src/terms/choose-spelling.ts';
import { fund, openImportFixture, person, startup } from './support.ts';

const fixture = openedPerTest(openImportFixture);

const tagged = (key: string, ...Tags: string[]) => startup(key, { Tags });
const tags = () =>
  fixture.rows('SELECT source_key AS key, tags FROM venture.startup ORDER BY source_key');
const spellings = async () =>
  (
    await fixture.rows('SELECT spelling FROM venture.term_spelling ORDER BY spelling COLLATE "C"')
  ).map(({ spelling }) => spelling);
const labels = (kind: string) =>
  fixture.rows('SELECT label FROM venture.term WHERE kind = $1 ORDER BY label', [kind]);

test('spellings that differ in case, accents or spacing become the most common one', async () => {
  const report = await fixture.importLines([
    tagged('1', 'FinTech', 'AI'),
    tagged('2', 'Fintech'),
    tagged('3', 'fin tech', 'Fintech', 'Café'),
    tagged('4', 'CAFE', 'E-Commerce'),
    tagged('5', 'ecommerce'),
  ]);
  expect(report.notes).toEqual([
    { type: 'startup', field: 'terms', kind: 'respelled', done: 'replaced by the label', lines: 3 },
  ]);
  expect(await tags()).toEqual([
    { key: '1', tags: ['Fintech', 'AI'] },
    { key: '2', tags: ['Fintech'] },
    { key: '3', tags: ['Fintech', 'Café'] },
    { key: '4', tags: ['Café', 'E-Commerce'] },
    { key: '5', tags: ['ecommerce'] },
  ]);
});

const choose = (kind: ChosenSpelling['kind'], spelling: string, country?: string) =>
  runChoice(
    fixture.urlOf('vcds_importer'),
    { kind, spelling, country },
    new AbortController().signal,
  );

test('a spelling in use stays, however often other files write another', async () => {
  await fixture.importLines([tagged('1', 'FinTech')]);
  const others = ['2', '3', '4'].map((key) => tagged(key, 'Fintech'));
  for (const lines of [others, [tagged('5', 'FINTECH')], others]) {
    expect((await fixture.importLines(lines)).relabelled).toEqual([]);
  }
  expect(await fixture.totals([tagged('1', 'fin tech')])).toBe('read 1, unchanged 1');
  expect((await tags()).map((row) => row.tags)).toEqual(Array(5).fill(['FinTech']));
  const signals = `SELECT DISTINCT revision::int FROM venture.startup`;
  expect(await fixture.rows(signals)).toEqual([{ revision: 1 }]);
  expect(await spellings()).toEqual(['FINTECH', 'Fintech', 'fin tech']);
});

test('an operator chooses a spelling, which rewrites the records once and is journaled', async () => {
  await fixture.importLines([tagged('1', 'FinTech', 'AI'), tagged('2', 'Fintech')]);
  expect(await choose('tag', 'Fin Tech')).toEqual([
    { kind: 'tag', from: 'FinTech', to: 'Fin Tech', records: 2 },
  ]);
  expect(await choose('tag', 'Fin Tech')).toEqual([]);
  expect(await tags()).toMatchObject([{ tags: ['Fin Tech', 'AI'] }, { tags: ['Fin Tech'] }]);
  expect(await fixture.totals([tagged('2', 'FinTech')])).toBe('read 1, unchanged 1');
  expect(await spellings()).toContain('FinTech');
  expect(await fixture.rows('SELECT kind, former, chosen FROM venture.spelling_choice')).toEqual([
    { kind: 'tag', former: 'FinTech', chosen: 'Fin Tech' },
  ]);
  await expect(choose('tag', 'Foo')).rejects.toThrow(
    'No record has the tag "Foo" in any spelling. Nothing was applied.',
  );
  await fixture.importLines([startup('3', { City: 'Parana', Country: 'Argentina' })]);
  await expect(choose('city', 'Paraná', 'Brazil')).rejects.toThrow(
    'No record has the city "Paraná" in any spelling in Brazil. It is known in: argentina;',
  );
});

test('a choice of a spelling that broke off is completed by the next import', async () => {
  const Tags = ['Fintech'];
  await fixture.importLines([startup('1', { Tags }), fund('2', { Tags })]);
  await fixture.rows(
    `ALTER TABLE venture.fund ADD CONSTRAINT no_caps CHECK (NOT tags @> '{FINTECH}')`,
  );
  await expect(choose('tag', 'FINTECH')).rejects.toThrow(/no_caps/u);
  await fixture.rows('ALTER TABLE venture.fund DROP CONSTRAINT no_caps');
  const next = await fixture.importLines([tagged('6', 'fintech')]);
  expect(next.relabelled).toMatchObject([{ kind: 'tag', from: 'Fintech', to: 'FINTECH' }]);
  expect(await labels('tag')).toEqual([{ label: 'FINTECH' }]);
  expect((await tags()).map((row) => row.tags)).toEqual(Array(2).fill(['FINTECH']));
  expect(await fixture.rows('SELECT tags FROM venture.fund')).toEqual([{ tags: ['FINTECH'] }]);
});

const office = (City: string, Region: string, Country: string) => ({ City, Region, Country });

test('places are settled in every address, within one country', async () => {
  await fixture.importLines([
    startup('1', {
      Addresses: [office('São Paulo', 'SP', 'Brazil'), office('Rio', 'RJ', 'BRAZIL')],
    }),
    startup('2', { Addresses: [office('Sao Paulo', 'SP', 'BR')] }),
    fund('3', { City: 'SÃO PAULO', Region: 'Sp', Country: 'bra', Groups: ['Top 10', 'top10'] }),
    startup('4', { Addresses: [office('Sao Paulo', 'sp', 'Portugal')] }),
    {
      type: 'person',
      source: 'test',
      key: '4',
      Name: 'P',
      Location: 'São Paulo',
      Countries: ['BRAZIL', 'Brazil'],
    },
  ]);
  expect(await fixture.rows('SELECT addresses FROM venture.startup ORDER BY source_key')).toEqual([
    { addresses: [office('São Paulo', 'SP', 'Brazil'), office('Rio', 'RJ', 'Brazil')] },
    { addresses: [office('São Paulo', 'SP', 'Brazil')] },
    { addresses: [office('Sao Paulo', 'sp', 'Portugal')] },
  ]);
  expect(await fixture.rows('SELECT addresses, groups FROM venture.fund')).toEqual([
    { addresses: [office('São Paulo', 'SP', 'Brazil')], groups: ['Top 10'] },
  ]);
  expect(await fixture.rows('SELECT location, countries FROM venture.person')).toEqual([
    { location: 'São Paulo', countries: ['Brazil'] },
  ]);
  expect(await choose('city', 'Sao Paulo', 'BR')).toEqual([
    { kind: 'city', from: 'São Paulo', to: 'Sao Paulo', records: 4 },
  ]);
  expect(await fixture.rows('SELECT location, countries FROM venture.person')).toEqual([
    { location: 'Sao Paulo', countries: ['Brazil'] },
  ]);
  expect(
    await fixture.rows(`SELECT cities, countries FROM venture.startup WHERE source_key = '1'`),
  ).toEqual([{ cities: ['Sao Paulo', 'Rio'], countries: ['Brazil'] }]);
});

test('a rewriting leaves places of the same spelling in other countries', async () => {
  await fixture.importLines([startup('1', { Addresses: [office('Córdoba', 'x', 'Spain')] })]);
  await fixture.importLines([startup('2', { Addresses: [office('Córdoba', 'x', 'Argentina')] })]);
  expect(await choose('city', 'Cordoba', 'Argentina')).toEqual([
    { kind: 'city', from: 'Córdoba', to: 'Cordoba', records: 1 },
  ]);
  expect(
    await fixture.rows(
      'SELECT countries[1] AS country, array_agg(DISTINCT cities[1]) AS cities ' +
        'FROM venture.startup GROUP BY 1 ORDER BY 1',
    ),
  ).toEqual([
    { country: 'Argentina', cities: ['Cordoba'] },
    { country: 'Spain', cities: ['Córdoba'] },
  ]);
});

const patch = (type: string, key: string, fields: Readonly<Record<string, unknown>>) => ({
  op: 'patch',
  type,
  source: 'test',
  key,
  ...fields,
});
/** Keys of enough records that their spelling stays the label. */
const used = Array.from({ length: 9 }, (_, n) => `used ${n}`);
const cities = async (table: string, column: string) =>
  (
    await fixture.rows(
      `SELECT source_key || ' ' || coalesce(${column}, '') AS city FROM venture.${table}
       WHERE source_key NOT LIKE 'used%' ORDER BY source_key`,
    )
  ).map(({ city }) => city);

test('a patch of a city is in the country that earlier lines of its record state', async () => {
  const at = (key: string, City: string, Country: string) => startup(key, { City, Country });
  await fixture.importLines([
    ...used.map((key) => at(`${key} de`, 'Berlin', 'Germany')),
    ...used.map((key) => at(`${key} us`, 'berlin', 'United States')),
    at('moved', 'Austin', 'United States'),
  ]);
  await fixture.importLines([
    ...['1', '2', '3'].map((key) => at(key, 'Köln', 'Germany')),
    ...['1', '2', '3'].map((key) => patch('startup', key, { City: 'BERLIN' })),
    at('4', 'Köln', 'Germany'),
    patch('startup', '4', { Country: 'United States' }),
    patch('startup', '4', { Tags: ['x'] }),
    patch('startup', '4', { City: 'BERLIN' }),
    { ...at('5', 'Köln', 'Germany'), occurredAt: '2020-01-02' },
    { ...at('5', 'Köln', 'United States'), occurredAt: '2020-01-01' },
    patch('startup', '5', { City: 'BERLIN' }),
    at('6', 'Köln', 'Germany'),
    patch('startup', '6', { Addresses: null }),
    patch('startup', '6', { City: 'BERLIN' }),
    patch('startup', 'moved', { City: 'BERLIN' }),
  ]);
  expect(await cities('startup', 'cities[1]')).toEqual([
    '1 Berlin',
    '2 Berlin',
    '3 Berlin',
    '4 berlin',
    '5 Berlin',
    '6 BERLIN',
    'moved berlin',
  ]);
});

test("a patch of a person's city is in the only country of the person", async () => {
  const lives = (key: string, Location: string | null, ...Countries: string[]) => ({
    ...person(key),
    Location,
    Countries,
  });
  const moves = (key: string, fields: Readonly<Record<string, unknown>> = {}) =>
    patch('person', key, { Location: 'BERLIN', ...fields });
  await fixture.importLines([
    ...used.map((key) => lives(key, 'Berlin', 'Germany')),
    lives('stored', null, 'Germany'),
    lives('two', null, 'Germany', 'France'),
  ]);
  await fixture.importLines([
    moves('stored'),
    moves('two'),
    lives('new', null, 'Germany'),
    moves('new'),
    lives('other', null, 'Germany'),
    patch('person', 'other', { Countries: ['France'] }),
    moves('other'),
    lives('own', null, 'France'),
    moves('own', { Countries: ['Germany'] }),
  ]);
  expect(await cities('person', 'location')).toEqual([
    'new Berlin',
    'other BERLIN',
    'own Berlin',
    'stored Berlin',
    'two BERLIN',
  ]);
});

test('a patch of a country alone spells the places of the record as that country does', async () => {
  await fixture.importLines([
    ...used.map((key) => startup(key, office('München', 'Bayern', 'Germany'))),
    ...used.map((key) => ({ ...person(key), Location: 'Köln', Countries: ['Germany'] })),
    ...['1', '2', '3', '4'].map((key) => startup(key, office('MUNCHEN', 'BAYERN', 'Austria'))),
    startup('5', { Addresses: ['BAYERN', 'x'].map((name) => office('MUNCHEN', name, 'Austria')) }),
    { ...person('1'), Location: 'KOLN' },
    { ...person('2'), Location: 'KOLN', Countries: ['France'] },
  ]);
  const Country = 'Germany';
  const lines = [
    patch('startup', '1', { Country }),
    patch('startup', '2', { Country, City: 'MÜNCHEN' }),
    patch('startup', '3', { Tags: ['x'] }),
    patch('startup', '3', { City: 'Munchen' }),
    patch('startup', '3', { Country: 'France' }),
    patch('startup', '3', { Country }),
    patch('startup', '4', { City: null }),
    patch('startup', '4', { Country }),
    patch('startup', '5', { Country }),
    startup('6', office('munchen', 'bayern', 'Austria')),
    patch('startup', '6', { Country }),
    startup('7', { Region: 'bayern' }),
    patch('startup', '7', { Country: null }),
    patch('person', '1', { Countries: ['Germany'] }),
    patch('person', '2', { Countries: ['Germany', 'France'] }),
    person('3'),
    patch('person', '3', { Location: 'köln' }),
    patch('person', '3', { Countries: ['Germany'] }),
    person('4'),
    patch('person', '4', { Countries: ['Germany'] }),
  ];
  await fixture.importLines(lines);
  const munich = office('München', 'Bayern', Country);
  const startups = await fixture.rows(
    `SELECT addresses FROM venture.startup WHERE source_key NOT LIKE 'used%' ORDER BY source_key`,
  );
  expect(startups.map(({ addresses }) => addresses)).toEqual([
    [munich],
    [munich],
    [munich],
    [{ Region: 'Bayern', Country }],
    [munich, office('MUNCHEN', 'x', 'Austria')],
    [munich],
    [{ Region: 'bayern' }],
  ]);
  expect(await cities('person', 'location')).toEqual(['1 Köln', '2 KOLN', '3 Köln', '4 ']);
  expect(await fixture.totals(lines)).toBe(`read ${lines.length}, unchanged ${lines.length}`);
});

test('two places that differ in blanks or marks stay two', async () => {
  await fixture.importLines([
    startup('1', { City: 'New Castle', Country: 'US' }),
    startup('2', { City: 'Newcastle', Country: 'US' }),
    startup('3', { City: 'New  Castle', Country: 'US' }),
    startup('4', { City: 'new-castle', Country: 'US' }),
    startup('5', { City: 'NEWCASTLE', Country: 'GB' }),
  ]);
  const found = (await labels('city')).map(({ label }) => label).sort();
  expect(found).toEqual(['NEWCASTLE', 'New Castle', 'Newcastle', 'new-castle']);
});

test('every respelling is listed with how many lines bear it, and the first of them', async () => {
  await fixture.importLines([
    startup('1', { City: 'Malmö', Country: 'Sweden', Tags: ['AI'] }),
    startup('2', { City: 'MALMO', Country: 'SWE', Tags: ['ai', 'A I'] }),
    startup('3', { City: 'Malmö', Country: 'SWE', Tags: ['AI', 'ai'] }),
    startup('4', { City: 'Malmö', Country: 'Narnia', Tags: ['AI'] }),
    { type: 'person', source: 'test', key: '5', Name: 'P', Countries: ['Holland', 'Atlantis'] },
  ]);
  const listed = await fixture.sideFile('lines.repaired.ndjson');
  const by = (a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
  expect([...listed].sort(by)).toEqual(
    [
      {
        line: 2,
        lines: 2,
        type: 'startup',
        field: 'Addresses.Country',
        done: 'written as Sweden',
        was: 'SWE',
      },
      {
        line: 5,
        lines: 1,
        type: 'person',
        field: 'Countries',
        done: 'written as Netherlands',
        was: 'Holland',
      },
      { line: 2, lines: 1, type: 'startup', field: 'City', done: 'written as Malmö', was: 'MALMO' },
      { line: 2, lines: 2, type: 'startup', field: 'Tags', done: 'written as AI', was: 'ai' },
      { line: 2, lines: 1, type: 'startup', field: 'Tags', done: 'written as AI', was: 'A I' },
    ].sort(by),
  );
});

test('a rejected import changes no terms', async () => {
  const report = await fixture.importLines([tagged('1', 'Fintech'), { type: 'startup' }]);
  expect(report.state).toBe('rejected');
  expect(await labels('tag')).toEqual([]);
});
