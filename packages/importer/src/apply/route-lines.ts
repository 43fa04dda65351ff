/**
 * Lines about merged companies change the statements of their source, in schema `stated`; the records are
 * derived from these (docs/spec/one-company.md 25.8).
 */
import type pg from 'pg';
import type { RecordType } from '../records/kinds.ts';
import type { StageTables } from '../staging/stage-tables.ts';
import { IN_CHUNK } from './statements.ts';

const isMember = (entity: 1 | 2, id: string): string =>
  `EXISTS (SELECT FROM venture.company_member m WHERE m.entity = ${entity} AND m.member_id = ${id})`;
const isStated = (table: string, id: string): string =>
  `EXISTS (SELECT FROM stated.${table} s WHERE s.id = ${id})`;
const OF_STARTUP = isMember(1, 'l.startup_id');
const OF_FUND = isMember(2, 'l.fund_id');

interface Route {
  /** Whether a line `l` is about a merged company, or about a record that was. */
  readonly merged: (tables: StageTables) => string;
  /** Makes the stored records of such lines statements; `ids` selects them. */
  readonly adopt?: { readonly call: (ids: string) => string; readonly ids: string };
}

const always =
  (condition: string): Route['merged'] =>
  () =>
    condition;
const adoptOne = (table: string): NonNullable<Route['adopt']> => ({
  call: (ids) => `venture.adopt_statements('${table}', 't.id = ANY ($1)', ${ids})`,
  ids: 'l.id',
});
const adoptRounds = (ids: string): NonNullable<Route['adopt']> => ({
  call: (rounds) => `venture.adopt_rounds(${rounds})`,
  ids,
});

const ROUTES: Readonly<Partial<Record<RecordType, Route>>> = {
  startup: { merged: always(isMember(1, 'l.id')) },
  fund: { merged: always(isMember(2, 'l.id')) },
  round: {
    merged: (tables) =>
      `${isStated('funding_round', 'l.id')} OR ${OF_STARTUP} OR EXISTS (
         SELECT FROM ${tables.name('listed')} i WHERE i.n = l.n AND ${isMember(2, 'i.fund_id')})`,
    adopt: adoptRounds('l.id'),
  },
  investor: {
    merged: always(`${isStated('funding_round', 'l.round_id')} OR ${OF_FUND}`),
    adopt: adoptRounds('l.round_id'),
  },
  holding: { merged: always(`${OF_STARTUP} OR ${OF_FUND}`) },
  valuation: {
    merged: always(
      `${isStated('post_valuation', 'l.id')} OR ${OF_STARTUP} OR ${isStated('funding_round', 'l.round_id')}`,
    ),
    adopt: adoptOne('post_valuation'),
  },
  news: {
    merged: always(`${isStated('news', 'l.id')} OR ${OF_STARTUP} OR ${OF_FUND}`),
    adopt: adoptOne('news'),
  },
  startup_person: { merged: always(OF_STARTUP) },
  fund_person: { merged: always(OF_FUND) },
  reference: {
    merged: always(`${isStated('reference', 'l.id')} OR ${OF_STARTUP}`),
    adopt: adoptOne('reference'),
  },
};

/**
 * Marks the lines of a chunk that are about merged companies, after the lines of the types that they
 * refer to are applied.
 *
 * @returns whether there are any.
 */
export async function routeLines(
  client: pg.ClientBase,
  tables: StageTables,
  type: RecordType,
  range: readonly unknown[],
): Promise<boolean> {
  const route = ROUTES[type];
  if (route === undefined) return false;
  const line = `${tables.name(type)} l`;
  const isRouted = `${IN_CHUNK} AND (${route.merged(tables)})`;
  if (route.adopt !== undefined) {
    const { call, ids } = route.adopt;
    const selected = `ARRAY(SELECT DISTINCT ${ids} FROM ${line} WHERE ${isRouted})`;
    await client.query(`SELECT ${call(selected)}`, [...range]);
  }
  // Of a round that has just become a statement all lines in the chunk.
  const { rowCount } = await client.query(`UPDATE ${line} SET routed = true WHERE ${isRouted}`, [
    ...range,
  ]);
  return (rowCount ?? 0) > 0;
}
