import { createHash } from 'node:crypto';
import { atLength, eventually } from '@vcds/test-kit';
import type pg from 'pg';
import type { Database } from '../../src/postgres/database.ts';
import {
  type Resource,
  type ResourceField,
  type ResourceName,
  resources,
} from '../../src/resources/index.ts';

/** A collection of the API with the resource it lists. */
export interface Collection {
  readonly path: string;
  readonly resource: Resource;
}

/** Vacuums a table until all its pages are marked as visible: a statement in another session, such as that of autovacuum, prevents it. */
export async function makeVisible(sql: pg.Pool, table: string): Promise<void> {
  await eventually(async () => {
    await sql.query(`VACUUM ANALYZE ${table}`);
    const { rows } = await sql.query(
      'SELECT relallvisible = relpages AS visible FROM pg_class WHERE oid = $1::regclass',
      [table],
    );
    return rows[0].visible;
  });
}

/** The same database, with statistics as of tables with so many rows. */
export function withTableRows(database: Database, rows: number): Database {
  const { of } = database.statistics;
  const statistics = {
    of: (table: string, column: string) => {
      const found = of(table, column);
      return found && { ...found, rows };
    },
  };
  return new Proxy(database, {
    get: (target, key) => {
      if (key === 'statistics') return statistics;
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

const at = (path: string, name: ResourceName): Collection => ({ path, resource: resources[name] });
/** Every endpoint with the collection parameters; `pathOf` replaces `{startup}` and `{fund}`. */
export const COLLECTIONS: readonly Collection[] = [
  at('/funds', 'fund'),
  at('/startups', 'startup'),
  at('/startups/fundingrounds', 'fundingRound'),
  at('/startups/postvaluations', 'postValuation'),
  at('/persons', 'person'),
  at('/news', 'news'),
  at('/funds/{fund}/portfolio', 'holding'),
  at('/funds/{fund}/persons', 'fundPerson'),
  at('/startups/{startup}/persons', 'startupPerson'),
  at('/startups/{startup}/fundingrounds', 'fundingRound'),
  at('/startups/{startup}/postvaluations', 'postValuation'),
  at('/startups/{startup}/references', 'reference'),
];

/** Of a resource that an earlier collection lists, `npm test` tries every fourth field. */
export function fieldsToTry(collection: Collection): readonly ResourceField[] {
  const { resource } = collection;
  const fields = [...resource.fields.values()];
  const isFirst = COLLECTIONS.find((each) => each.resource === resource) === collection;
  return isFirst ? fields : fields.filter((_, index) => index % atLength(4, 1) === 0);
}

/** The largest `$top` with all relations; no collection of the seed with relations to many is larger. */
export function topOf({ relations }: Resource): string {
  const lists = [...relations.values()].filter((each) => each.kind === 'records' && each.many);
  return String(Math.min(5_000, Math.floor(500 / lists.length)));
}

const FILLED: ReadonlyMap<string, string> = new Map([
  ['{startup}', seedId('startup2')],
  ['{fund}', seedId('fund2')],
]);

/** The path with the ids of records of the seed that have related records of every kind. */
export function pathOf({ path }: Collection): string {
  return path.replace(/\{\w+\}/, (part) => FILLED.get(part) ?? part);
}

/** The id of a record of the seed: the MD5 of its name as a UUID. */
export function seedId(name: string): string {
  const hex = createHash('md5').update(name).digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
