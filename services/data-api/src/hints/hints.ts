/** Hints: sentences about literals of a filter that occur nowhere (docs/spec/query-language.md 5.5). */
import { type BoundFilter, type BoundValue, echo } from '@vcds/odata-query';
import { dimensionById } from '@vcds/venture-model';
import { spelledValues } from '../narrowing/former-spellings.ts';
import { plusAdvice } from '../narrowing/plan.ts';
import type { AbsentValue, ValueResolver } from '../narrowing/resolve.ts';
import type { Database } from '../postgres/database.ts';
import { SqlValues } from '../postgres/sql-values.ts';
import type { ResourceField } from '../resources/index.ts';

type Filter = BoundFilter<ResourceField>;
type Rows = Pick<Database, 'rows'>;

/** The most hints of a call. */
export const HINTS_MAX = 5;
/** Publishers that are compared with a text. */
const COMPARED_MAX = 2_000;

/** Open fields without a dimension of their own: whether a value occurs, and the nearest one. */
interface OpenField {
  /** SQL of a condition on the text of this placeholder. */
  readonly occurs: (text: string) => string;
  readonly nearest: (
    text: string,
    values: ValueResolver,
    database: Rows,
  ) => Promise<string | undefined>;
}

const identified = (table: string): OpenField => ({
  occurs: (text) =>
    `EXISTS (SELECT FROM ${table} c WHERE c.identifiers @> ARRAY[${text}] AND c.deleted_at IS NULL)`,
  nearest: async () => undefined,
});

/** By the name of the field, or by name and table where resources differ. */
const OPEN_FIELDS: ReadonlyMap<string, OpenField> = new Map<string, OpenField>([
  [
    'Publisher',
    {
      occurs: (text) =>
        `EXISTS (SELECT FROM venture.news n WHERE n.publisher = ${text} AND n.deleted_at IS NULL)`,
      nearest: nearestPublisher,
    },
  ],
  [
    'Country',
    {
      occurs: (text) => `EXISTS (SELECT FROM venture.person p
        WHERE p.countries @> ARRAY[${text}] AND p.deleted_at IS NULL)`,
      nearest: (text, values) => values.nearest(dimensionById('country'), text),
    },
  ],
  ['Identifier venture.startup', identified('venture.startup')],
  ['Identifier venture.fund', identified('venture.fund')],
]);

/**
 * A sentence for each literal of an open field, also in lists and under `not`, that occurs nowhere, with the
 * nearest value that does; at most {@link HINTS_MAX}. Values that the resolver has found cost no
 * statement.
 */
export async function hintsOf(
  filter: Filter | undefined,
  values: ValueResolver,
  database: Rows,
): Promise<readonly string[]> {
  if (filter === undefined) return [];
  const absent = [...(await values.absent(distinctOf(spelledValues(filter)), HINTS_MAX))];
  const others = distinctOf(otherLiterals(filter));
  if (absent.length < HINTS_MAX && others.length > 0) {
    absent.push(...(await absentOthers(others, HINTS_MAX - absent.length, values, database)));
  }
  return absent.map(sentenceOf);
}

function sentenceOf({ field, value, nearest }: AbsentValue): string {
  // In the header a percent sign is encoded itself.
  const advice = plusAdvice(value) && ' (a + in a URL is a blank: percent-encode it)';
  const stated = `${field} '${echo(value)}' occurs nowhere${advice}`;
  return nearest === undefined ? `${stated}.` : `${stated}; did you mean '${echo(nearest)}'?`;
}

interface Literal {
  readonly field: string;
  readonly value: string;
}

/** A literal with its row of {@link OPEN_FIELDS}. */
interface OtherLiteral extends Literal {
  readonly open: string;
}

function distinctOf<T extends Literal>(literals: readonly T[]): readonly T[] {
  return [...new Map(literals.map((each) => [`${each.field} ${each.value}`, each])).values()];
}

/** The literals of open fields without a dimension. */
export function otherLiterals(filter: Filter): readonly OtherLiteral[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.operands.flatMap(otherLiterals);
    case 'not':
      return otherLiterals(filter.operand);
    case 'compare':
      return literalsOf(filter.field, [filter.value]);
    case 'in':
      return literalsOf(filter.field, filter.values);
    default:
      return [];
  }
}

function literalsOf(
  { name, match, openIn }: ResourceField,
  values: readonly (BoundValue | null)[],
): readonly OtherLiteral[] {
  const isListed = (match?.kind === 'column' || match?.kind === 'array') && match.listed;
  const open = openIn === undefined ? name : `${name} ${openIn}`;
  if (isListed || !OPEN_FIELDS.has(open)) return [];
  return values.flatMap((value) => (typeof value === 'string' ? { field: name, value, open } : []));
}

async function absentOthers(
  literals: readonly OtherLiteral[],
  max: number,
  values: ValueResolver,
  database: Rows,
): Promise<readonly AbsentValue[]> {
  const sql = new SqlValues();
  const column = (of: keyof OtherLiteral) =>
    sql.add(
      literals.map((each) => each[of]),
      'text[]',
    );
  const cases = [...OPEN_FIELDS].map(
    ([name, { occurs }]) => `WHEN '${name}' THEN ${occurs('w.value')}`,
  );
  const rows = await database.rows<{ known: boolean }>({
    text: `SELECT CASE w.open ${cases.join(' ')} END AS known
      FROM unnest(${column('open')}, ${column('value')}) WITH ORDINALITY AS w(open, value, n)
      ORDER BY w.n`,
    values: sql.values,
    plan: 'generic',
  });
  const absent = literals.filter((_, index) => rows[index]?.known === false).slice(0, max);
  return Promise.all(
    absent.map(async ({ field, value, open }) => {
      const nearest = await OPEN_FIELDS.get(open)?.nearest(value, values, database);
      return { field, value, nearest };
    }),
  );
}

async function nearestPublisher(
  text: string,
  _values: ValueResolver,
  database: Rows,
): Promise<string | undefined> {
  const sql = new SqlValues();
  const folded = `venture.fold(${sql.add(text, 'text')})`;
  const [row] = await database.rows<{ publisher: string }>({
    text: `SELECT publisher FROM (
        SELECT publisher FROM venture.news n
        WHERE venture.fold(publisher) OPERATOR(venture.%) ${folded} AND deleted_at IS NULL
        LIMIT ${COMPARED_MAX}) n
      ORDER BY venture.similarity(venture.fold(publisher), ${folded}) DESC, publisher LIMIT 1`,
    values: sql.values,
    plan: 'custom',
  });
  return row?.publisher;
}
