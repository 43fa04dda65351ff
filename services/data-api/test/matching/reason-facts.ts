/** Recomputes the numbers in the text of a reason with plain SQL over the records. */
import { stages } from '@vcds/venture-model';
import type pg from 'pg';

/** The dated investments: of funds in confirmed rounds, and holdings without a round. */
const INVESTMENTS = `CREATE TABLE public.investment AS
  SELECT p.fund_id AS fund, r.startup_id AS startup, r.id AS round,
    coalesce(r.date, (p.occurred_at AT TIME ZONE 'UTC')::date) AS day, r.stage, r.amount, p.lead
  FROM venture.round_investor p JOIN venture.funding_round r ON r.id = p.round_id
  JOIN venture.startup s ON s.id = r.startup_id JOIN venture.fund f ON f.id = p.fund_id
  WHERE p.deleted_at IS NULL AND r.deleted_at IS NULL AND r.confirmed
    AND coalesce(r.date, (p.occurred_at AT TIME ZONE 'UTC')::date) IS NOT NULL
    AND s.deleted_at IS NULL AND f.deleted_at IS NULL
  UNION ALL
  SELECT h.fund_id, h.startup_id, NULL, (h.occurred_at AT TIME ZONE 'UTC')::date, NULL, NULL, false
  FROM venture.holding h
  JOIN venture.startup s ON s.id = h.startup_id JOIN venture.fund f ON f.id = h.fund_id
  WHERE h.deleted_at IS NULL AND h.rounds_count = 0 AND h.occurred_at IS NOT NULL
    AND s.deleted_at IS NULL AND f.deleted_at IS NULL`;

interface Claim {
  readonly pattern: RegExp;
  /** SQL of the claimed value from `i` (investments of the fund) and `s` (their startups). */
  readonly sql: (groups: Groups) => string;
  /** The values that the text states. */
  readonly stated: (groups: Groups) => readonly unknown[];
}

type Groups = Readonly<Record<string, string | undefined>>;

const literal = (text = '') => `'${text.replace(/^the /, '').replaceAll("'", "''")}'`;
const count = (text = '0') => Number(text.replaceAll(',', ''));
const stageNumber = (label = '') => String(stages.find((each) => each.label === label)?.value);
const since = ({ since: year }: Groups) => `i.day >= date '${year}-01-01'`;
const similar = ({ tag, place }: Groups) =>
  [
    'true',
    ...(tag ? [`${literal(tag)} = ANY (s.tags)`] : []),
    ...(place ? [`${literal(place)} IN (s.countries[1], s.regions[1], s.cities[1])`] : []),
  ].join(' AND ');

const ROUND_COUNTS = `SELECT count(DISTINCT i.round)::int AS a,
  (count(DISTINCT i.round) FILTER (WHERE i.lead))::int AS b FROM i JOIN s ON s.id = i.startup`;

const ROUNDS =
  '(?<count>[\\d,]+) (?<stage>.+?) rounds?(?: of (?<tag>.+?) companies(?: in (?<place>.+?))?| of companies in (?<place2>.+?))? since (?<since>\\d{4})';

const CLAIMS: readonly Claim[] = [
  {
    pattern: /^Invested in (?<count>[\d,]+) compan(?:y|ies) together with (?<name>.+)$/,
    sql: ({ name }) => `SELECT count(DISTINCT o.startup)::int AS a, 1 AS b FROM i
      JOIN public.investment o ON o.startup = i.startup
      JOIN venture.fund f ON f.id = o.fund WHERE f.name = ${literal(name)} AND i.startup <> $2`,
    stated: ({ count: n }) => [count(n), 1],
  },
  {
    pattern:
      /^Invested in (?<count>[\d,]+) (?:(?<tag>.+) )?compan(?:y|ies)(?: in (?<place>.+))? since (?<since>\d{4})$/,
    sql: (groups) => `SELECT count(DISTINCT i.startup)::int AS a, 1 AS b FROM i
      JOIN s ON s.id = i.startup WHERE ${since(groups)} AND ${similar(groups)}`,
    stated: ({ count: n }) => [count(n), 1],
  },
  {
    pattern: new RegExp(`^Led ${ROUNDS}$`),
    sql: (groups) =>
      `${ROUND_COUNTS} WHERE ${since(groups)} AND ${similar({
        ...groups,
        place: groups.place ?? groups.place2,
      })} AND i.stage = ${stageNumber(groups.stage)}`,
    stated: ({ count: n }) => [count(n), count(n)],
  },
  {
    pattern: new RegExp(`^Took part in ${ROUNDS}(?: and led (?<led>[\\d,]+) of them)?$`),
    sql: (groups) =>
      `${ROUND_COUNTS} WHERE ${since(groups)} AND ${similar({
        ...groups,
        place: groups.place ?? groups.place2,
      })} AND i.stage = ${stageNumber(groups.stage)}`,
    stated: ({ count: n, led }) => [count(n), count(led)],
  },
  {
    pattern:
      /^Took part in (?<count>[\d,]+) rounds? of \$(?<from>[\d,]+) to \$(?<to>[\d,]+) since (?<since>\d{4})$/,
    sql: (groups) => `SELECT count(DISTINCT i.round)::int AS a, 1 AS b FROM i
      WHERE ${since(groups)} AND i.amount BETWEEN ${count(groups.from)} AND ${count(groups.to)}`,
    stated: ({ count: n }) => [count(n), 1],
  },
  {
    pattern: /^Invested last on (?<day>\d{4}-\d\d-\d\d)$/,
    sql: () => 'SELECT max(i.day)::text AS a, 1 AS b FROM i',
    stated: ({ day }) => [day, 1],
  },
  {
    pattern: /^Has invested since (?<year>\d{4})$/,
    sql: () => 'SELECT extract(year FROM min(i.day))::int AS a, 1 AS b FROM i',
    stated: ({ year }) => [Number(year), 1],
  },
  {
    pattern: /^Is based in (?:(?<city>.+), )?(?<country>[^,]+)$/,
    sql: ({ city, country }) => `SELECT f.countries[1] = ${literal(country)}
      AND (${literal(city)} IN ('', f.cities[1])) AS a, 1 AS b FROM f`,
    stated: () => [true, 1],
  },
  {
    pattern: /^States (?<stage>.+) as a stage of its investments$/,
    sql: ({ stage }) =>
      `SELECT ${stageNumber(stage)} = ANY (f.investment_stages) AS a, 1 AS b FROM f`,
    stated: () => [true, 1],
  },
  {
    pattern: /^States (?<tags>.+) as an industry of its investments$/,
    sql: ({ tags = '' }) =>
      `SELECT f.tags @> ARRAY[${tags
        .split(', ')
        .map(literal)
        .join(',')}]::text[] AS a, 1 AS b FROM f`,
    stated: () => [true, 1],
  },
];

/** Copies the investments as they are now; {@link recomputed} reads the copy. */
export async function copyInvestments(sql: pg.Pool): Promise<void> {
  await sql.query(INVESTMENTS);
  await sql.query('CREATE INDEX ON public.investment (fund)');
  await sql.query('ANALYZE public.investment');
}

/**
 * The kind of a reason, the values that it states, and those values computed from the records.
 *
 * @param startupId the company of the hit or of the call, if it is a record.
 * @throws RangeError for a text of no known form.
 */
export async function recomputed(
  sql: pg.Pool,
  text: string,
  { fundId, startupId }: { readonly fundId: string; readonly startupId: string | null },
) {
  const sentence = text.replace(/^The fund (.)/, (_, first: string) => first.toUpperCase());
  for (const [kind, claim] of CLAIMS.entries()) {
    const groups = claim.pattern.exec(sentence)?.groups;
    if (groups === undefined) continue;
    const { rows } = await sql.query<{ a: unknown; b: unknown }>(
      `WITH i AS (SELECT * FROM public.investment WHERE fund = $1),
         s AS (SELECT * FROM venture.startup), f AS (SELECT * FROM venture.fund WHERE id = $1),
         parameters AS (SELECT $2::uuid)
       ${claim.sql(groups)}`,
      [fundId, startupId],
    );
    return { kind, stated: claim.stated(groups), found: [rows[0]?.a, rows[0]?.b] };
  }
  throw new RangeError(`No claim has the form of: ${text}`);
}
