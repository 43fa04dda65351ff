import { Random } from '@vcds/demo-data/random';
import { withClient } from '@vcds/test-kit/bench';
import { type DimensionId, dimensionById, dimensionsOf, ENTITIES } from '@vcds/venture-model';
import { rank } from '../corpus/dictionary.ts';
import type { Captured } from './capture.ts';
import type { Line, LineRequest, Lines } from './lines.ts';

const VALUES = 200;
/** Counting in PostgreSQL takes seconds for some kinds. */
const FLOOR_VALUES = 8;
const TOP = 25;
/** A value of this rank or a later one is rare. */
const RARE_RANK = 200;
const { facetTable: TABLE, number: ENTITY } = ENTITIES.startups;
const OWN = dimensionsOf('startups');

interface Value {
  readonly code: number;
  readonly value: string;
}

/** The values of each dimension that a startup has, the most frequent first. */
export type Occurring = Readonly<Record<DimensionId, readonly Value[]>>;

/** Values of one dimension by which a request narrows. */
type Narrowing = readonly [id: DimensionId, ...values: readonly Value[]];

/** Kinds of requests, and how one is drawn. Narrowing values are as frequent as among startups. */
const KINDS: readonly (readonly [title: string, (of: Occurring, random: Random) => LineRequest])[] =
  [
    [
      'un-narrowed closed dimensions',
      () => facets(OWN.filter(({ kind }) => kind === 'closed').map(({ id }) => id)),
    ],
    [
      'country + two industries, ten dimensions',
      (of, random) => {
        const industries = new Set([0, 1].map(() => ranked(random, of.industry)));
        const country: Narrowing = ['country', ranked(random, of.country, 2)];
        return facets(all(), country, ['industry', ...industries]);
      },
    ],
    [
      'rare city + rare industry, ten dimensions',
      (of, random) =>
        facets(all(), ['city', rare(random, of.city)], ['industry', rare(random, of.industry)]),
    ],
    [
      'city prefix within a country',
      (of, random) => {
        const q = random.pick(of.city).value.slice(0, 2).toLowerCase();
        return values('city', ['country', ranked(random, of.country, 2)], q);
      },
    ],
    ['industry by stage', (of, random) => values('industry', ['stage', ranked(random, of.stage)])],
  ];

/** Requests for facets of each kind, with the statement that counts the same. */
export async function readFacetLines(url: string): Promise<Lines> {
  const occurring = await readOccurring(url);
  const lines = KINDS.map(([title, draw], number): [string, Line] => {
    const random = new Random('facets', title);
    const requests = Array.from({ length: VALUES }, () => draw(occurring, random));
    return [`facets-${number + 1}`, { title, requests, floorRequests: FLOOR_VALUES }];
  });
  return Object.fromEntries(lines);
}

export async function readOccurring(url: string): Promise<Occurring> {
  const { rows } = await withClient(url, (client) =>
    client.query<Value & { dimension: number }>(
      `SELECT d.dimension, d.value, d.code FROM venture.dimension_value AS d
       JOIN venture.facet_count AS c USING (code) WHERE c.entity = $1 AND c.count > 0
       ORDER BY c.count DESC, d.code`,
      [ENTITY],
    ),
  );
  const entries = OWN.map(({ id, number }) => [
    id,
    rows.filter(({ dimension }) => dimension === number),
  ]);
  return Object.fromEntries(entries);
}

const all = (): readonly DimensionId[] => OWN.map(({ id }) => id);

function facets(ids: readonly DimensionId[], ...narrowings: readonly Narrowing[]): LineRequest {
  const parameters = new URLSearchParams({ dimensions: ids.join() });
  for (const [id, ...texts] of narrowings) {
    parameters.set(id, texts.map(({ value }) => value).join());
  }
  return { path: `/categories/facets?${parameters}`, statements: [counting(ids, narrowings)] };
}

function values(id: DimensionId, narrowed: Narrowing, q?: string): LineRequest {
  const [by, ...texts] = narrowed;
  const parameters = new URLSearchParams({ top: String(TOP) });
  parameters.set(by, texts.map(({ value }) => value).join());
  if (q !== undefined) parameters.set('q', q);
  return { path: `/categories/${id}?${parameters}`, statements: [counting([id], [narrowed], q)] };
}

/** Counts the values of dimensions in one pass; without a narrowing it reads the stored counts. */
function counting(
  ids: readonly DimensionId[],
  narrowings: readonly Narrowing[],
  prefix = '',
): Captured {
  const numbers = ids.map((id) => dimensionById(id).number);
  const codes = narrowings.map(([, ...texts]) => texts.map(({ code }) => code));
  const clauses = codes.map((_, index) => ` AND r.codes && $${index + 3}::int[]`).join('');
  const counted =
    codes.length === 0
      ? `SELECT code, count FROM venture.facet_count WHERE entity = ${ENTITY} AND count > 0`
      : `SELECT c.code, count(*) FROM ${TABLE} AS r CROSS JOIN unnest(r.codes) AS c(code)
         WHERE NOT r.deleted${clauses} GROUP BY c.code`;
  const text = `SELECT dimension, value, count FROM (
      SELECT d.dimension, d.value, n.count,
        row_number() OVER (PARTITION BY d.dimension ORDER BY n.count DESC, d.value) AS place
      FROM (${counted}) AS n JOIN venture.dimension_value AS d USING (code)
      WHERE d.dimension = ANY ($1::int[]) AND starts_with(d.folded, $2)) AS ranked
    WHERE place <= ${TOP}`;
  return { text, values: [numbers, prefix, ...codes] };
}

export function ranked(random: Random, from: readonly Value[], skew = 1): Value {
  return nth(from, rank(random, from.length, skew));
}

function rare(random: Random, from: readonly Value[]): Value {
  const first = Math.min(RARE_RANK, from.length - 1);
  return nth(from, first + random.below(from.length - first));
}

function nth(from: readonly Value[], index: number): Value {
  const value = from[index];
  if (value === undefined) throw new Error('The dimension has no values.');
  return value;
}
