/**
 * The cost of parsing and binding a filter, as a multiple of JSON.parse on a document of the same
 * length with a like content, measured in the same run.
 *
 * Run with `npm run bench -- parse`.
 */
import { bindFilter, type FieldSpec, fieldTable, parseFilter } from '@vcds/odata-query';

const ROUNDS = 10;
const ROUND_NS = 30_000_000;
const LENGTH_MAX = 32_000;

const BOTH = { filterable: true, sortable: true } as const;
const FIELDS: readonly FieldSpec[] = [
  { name: 'Id', type: 'uuid', ...BOTH },
  { name: 'Name', type: 'text', ...BOTH },
  { name: 'City', type: 'text', many: true, ...BOTH },
  { name: 'Tag', type: 'text', many: true, ...BOTH },
  { name: 'Founded', type: 'year', ...BOTH },
  { name: 'TotalRaised', type: 'usd', ...BOTH },
  { name: 'UpdatedTimeStamp', type: 'instant', ...BOTH },
  {
    name: 'LastFundingStage',
    type: 'closed',
    closed: 'abcdefgh'.split('').map((letter, index) => ({
      value: index + 1,
      name: `Series${letter.toUpperCase()}`,
      slug: `series-${letter}`,
      label: `Series ${letter.toUpperCase()}`,
    })),
    ...BOTH,
  },
];
const TABLE = fieldTable(FIELDS);

const uuid = (index: number): string =>
  `5f0c4f0e-6c1b-5d8a-9d3e-${String(index).padStart(12, '0')}`;

const many = (count: number, by: string, one: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => one(index)).join(by);

const FILTERS: readonly (readonly [name: string, text: string])[] = [
  ['one comparison', "City eq 'San Francisco'"],
  ['two comparisons', "City eq 'San Francisco' and Founded ge 2010"],
  [
    'a working filter',
    "(Tag in ('fintech','insurtech','payments') or Name like '%bank%') and " +
      "LastFundingStage in ('Series A','series-b') and TotalRaised ge 5000000 and " +
      'not (Founded lt 2015) and UpdatedTimeStamp ge 2024-01-01T00:00:00Z',
  ],
  ['20 levels deep', `${'('.repeat(20)}Founded eq 2010${')'.repeat(20)}`],
  ['a list of 500 numbers', `Founded in (${many(500, ',', (index) => String(1900 + index))})`],
  ['a list of 500 ids', `Id in (${many(500, ',', uuid)})`],
  ['200 comparisons', many(200, ' or ', (index) => `Founded eq ${1900 + index}`)],
  ['text of 32,000 characters', `Name eq '${'x'.repeat(LENGTH_MAX - 10)}'`],
  [
    '32,000 characters of everything',
    many(4, ' and ', (block) => {
      const texts = many(480, ',', (index) => `'value ${block} ${index}'`);
      return `Tag in (${texts})`;
    }),
  ],
];

/** A document of exactly `length` characters, more than 4, that says what such a filter might. */
function jsonOfLength(length: number): string {
  const entry = '{"field":"Founded","operator":"eq","value":2010},';
  const count = Math.floor((length - 4) / entry.length);
  const filling = 'x'.repeat(length - 4 - count * entry.length);
  return `[${entry.repeat(count)}"${filling}"]`;
}

/** Processor time of `calls` calls, in nanoseconds per call. */
function measure(action: () => unknown, calls: number): number {
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call++) action();
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1_000) / calls;
}

/**
 * Nanoseconds of processor time per call of each action. The actions take turns, so that they
 * meet the same conditions, and the best of the rounds counts: the rest is other programs.
 */
function nanoseconds(actions: readonly (() => unknown)[]): number[] {
  const calls = actions.map((action) => {
    measure(action, 50);
    return Math.max(10, Math.round(ROUND_NS / measure(action, 50)));
  });
  const best = actions.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round++) {
    actions.forEach((action, index) => {
      const spent = measure(action, calls[index] ?? 1);
      best[index] = Math.min(best[index] ?? spent, spent);
    });
  }
  return best;
}

const results = FILTERS.map(([name, text]) => {
  const json = jsonOfLength(text.length);
  const [parse = 0, both = 0, reference = 0] = nanoseconds([
    () => parseFilter(text),
    () => bindFilter(parseFilter(text), TABLE),
    () => JSON.parse(json),
  ]);
  return {
    filter: name,
    characters: text.length,
    'parse ns': Math.round(parse),
    'parse+bind ns': Math.round(both),
    'ns per character': Number((both / text.length).toFixed(1)),
    'JSON.parse ns': Math.round(reference),
    'times JSON.parse': Number((both / reference).toFixed(2)),
  };
});
console.table(results);
