/**
 * Compiles a bound filter to an SQL condition. The logic is two-valued (docs/spec/query-language.md 5.3): null
 * satisfies `ne` and `notin`, but no order operator and no `like`; `not` inverts.
 */
import {
  type BoundFilter,
  type BoundValue,
  isShortPattern,
  type LikePattern,
} from '@vcds/odata-query';
import type { SqlValues } from '../postgres/sql-values.ts';
import type { Listed, Match, ResourceField } from '../resources/index.ts';
import type { ListedLike, ListedValues } from './listed-values.ts';

type Filter = BoundFilter<ResourceField>;
type Of<K extends Filter['kind']> = Extract<Filter, { kind: K }>;
type MatchOf<K extends Match['kind']> = Extract<Match, { kind: K }>;
type Condition = (row: string, values: SqlValues) => string;

const ORDER_SQL = { gt: '>', ge: '>=', lt: '<', le: '<=' } as const;

/** The condition on the row under the alias `row`; values are added to `values`. */
export function compileFilter(filter: Filter, row: string, values: SqlValues): string {
  switch (filter.kind) {
    case 'and':
      return joined(filter.operands, ' AND ', row, values);
    case 'or':
      return joined(filter.operands, ' OR ', row, values);
    case 'not':
      return `(${compileFilter(filter.operand, row, values)}) IS NOT TRUE`;
    case 'compare':
      return compareCondition(filter)(row, values);
    case 'in':
      return membership(filter)(row, values);
    case 'like':
      return likeCondition(filter)(row, values);
    case 'keywords':
      return keywordsCondition(filter)(row, values);
  }
}

/** Whether a filter has a pattern that is too short for an index. */
export function hasShortPattern(filter: Filter): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.operands.some(hasShortPattern);
    case 'not':
      return hasShortPattern(filter.operand);
    case 'like':
      return isShortPattern(filter.pattern);
    case 'compare':
    case 'in':
    case 'keywords':
      return false;
  }
}

function joined(operands: readonly Filter[], word: string, row: string, values: SqlValues): string {
  return `(${operands.map((operand) => compileFilter(operand, row, values)).join(word)})`;
}

function compareCondition({ field, operator, value }: Of<'compare'>): Condition {
  const match = matchOf(field);
  if (operator === 'eq' || operator === 'ne') {
    const equal = value === null ? isNull(match) : anyOf(match, [value]);
    return operator === 'eq' ? equal : negated(equal, match.kind === 'column' && value !== null);
  }
  if (match.kind !== 'column' || value === null) throw unmatchable(field);
  return (row, values) =>
    `${match.sql(row)} ${ORDER_SQL[operator]} ${values.add(value, match.sqlType)}`;
}

function membership(filter: Of<'in'>): Condition {
  const match = matchOf(filter.field);
  const any = anyOf(match, filter.values);
  return filter.negated ? negated(any, match.kind === 'column') : any;
}

function anyOf(match: Match, wanted: readonly BoundValue[]): Condition {
  switch (match.kind) {
    case 'column':
      return (row, values) => {
        const any =
          wanted.length === 1
            ? values.add(wanted[0], match.sqlType)
            : `ANY (${values.add(wanted, `${match.sqlType}[]`)})`;
        const equal = `${match.sql(row)} = ${any}`;
        return match.ordered === undefined
          ? equal
          : `(${match.ordered(row)} = ${any} AND ${equal})`;
      };
    case 'array':
      return (row, values) => `${match.sql(row)} && ${values.add(wanted, `${match.sqlType}[]`)}`;
    case 'related':
      return (row, values) =>
        `EXISTS (SELECT ${match.from(row)}
          AND ${match.value} = ANY (${values.add(wanted, `${match.sqlType}[]`)}))`;
    case 'keywords':
      throw new TypeError('A full-text field cannot be compared.');
  }
}

function isNull(match: Match): Condition {
  switch (match.kind) {
    case 'column':
      return (row) => `${match.sql(row)} IS NULL`;
    case 'array':
      return (row) => `${match.sql(row)} = '{}'`;
    case 'related':
      return (row) => `NOT EXISTS (SELECT ${match.from(row)})`;
    case 'keywords':
      throw new TypeError('A full-text field is never null.');
  }
}

function likeCondition({ field, pattern, found }: ListedLike): Condition {
  const match = matchOf(field);
  if (match.kind !== 'column' && match.kind !== 'array') throw unmatchable(field);
  const matches = textLike(match, pattern);
  const { listed } = match;
  if (listed === undefined || found === undefined) return matches;
  return (row, values) =>
    `(${mayMatch(match, listed, found)(row, values)} AND ${matches(row, values)})`;
}

// A condition with an index: records with a matching value, and those that may have got another one since the
// values were read. A change is in the log until the batch that applies it, which has a later version.
function mayMatch(
  match: MatchOf<'column'> | MatchOf<'array'>,
  { entity, facetTable }: Listed,
  { values: found, version, position }: ListedValues,
): Condition {
  return (row, values) => {
    const any = values.add(found, 'text[]');
    const has = match.kind === 'array' ? `&& ${any}` : `= ANY (${any})`;
    return `(${match.sql(row)} ${has} OR ${row}.id = ANY (ARRAY(
      SELECT c.id FROM venture.facet_change c
        WHERE c.entity = ${entity} AND c.position > ${values.add(position, 'bigint')}
      UNION ALL
      SELECT f.id FROM ${facetTable} f WHERE f.version > ${values.add(version, 'bigint')})))`;
  };
}

function textLike(match: MatchOf<'column'> | MatchOf<'array'>, pattern: LikePattern): Condition {
  const { joined } = match;
  const one: Condition =
    match.kind === 'column'
      ? (row, values) => `${match.folded(row)} LIKE ${patternSql(pattern, values)}`
      : (row, values) =>
          `EXISTS (SELECT FROM unnest(${match.sql(row)}) AS e(value)
      WHERE venture.fold(e.value) LIKE ${patternSql(pattern, values)})`;
  if (joined === undefined) return one;
  // A match in one value is a match in the joined values, which have an index. The planner has
  // statistics of the joined values only; for coalesce it estimates that half of the rows match.
  const anywhere = { parts: [ANY_RUN, ...pattern.parts, ANY_RUN] };
  return (row, values) =>
    `(${joined(row)} LIKE ${patternSql(anywhere, values)}
      AND coalesce(${one(row, values)}, false))`;
}

const ANY_RUN = { kind: 'anyRun' } as const;

/** SQL of a pattern for `LIKE` with folded text. */
export function patternSql(pattern: LikePattern, values: SqlValues): string {
  const parts = pattern.parts.map((part) => {
    if (part.kind === 'literal') return `=${part.text}`;
    return part.kind === 'anyRun' ? '%' : '_';
  });
  return `venture.like_pattern(${values.add(parts, 'text[]')})`;
}

function keywordsCondition({ field, text }: Of<'keywords'>): Condition {
  const match: MatchOf<'keywords'> | Match = matchOf(field);
  if (match.kind !== 'keywords') throw unmatchable(field);
  return (row, values) => `${match.sql(row)} @@ venture.keyword_query(${values.add(text, 'text')})`;
}

// Conditions on arrays and EXISTS are never null; those on a column may be.
function negated(condition: Condition, mayBeNull: boolean): Condition {
  return mayBeNull
    ? (row, values) => `(${condition(row, values)}) IS NOT TRUE`
    : (row, values) => `NOT (${condition(row, values)})`;
}

function matchOf(field: ResourceField): Match {
  if (field.match === undefined) throw unmatchable(field);
  return field.match;
}

function unmatchable(field: ResourceField): TypeError {
  return new TypeError(`The field ${field.name} cannot be compared that way.`);
}
