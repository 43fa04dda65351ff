/**
 * The countries of the records of patches that give a place without its country. Only spellings in
 * one country are compared.
 */
import { inSequence, recordTable } from '../checks/sql.ts';
import type { Kind, RecordType } from '../records/kinds.ts';
import { type Layout, layout, OP_CODES, type Part } from '../staging/layout.ts';
import type { StageTables } from '../staging/stage-tables.ts';

/** The country of a row that has only one. */
export const onlyCountry = (row: string): string =>
  `CASE WHEN cardinality(${row}.countries) = 1 THEN ${row}.countries[1] END`;

/** Where lines and records of a type have the country of their places. */
interface Places {
  /** Whether a line gives a place and not its country. */
  readonly lacks: string;
  /** Whether a line gives the country, or gives that there is none. */
  readonly gives: string;
  /** The staged columns that these conditions read. */
  readonly columns: readonly string[];
  /** The country of a staged line or a stored record. */
  readonly country: (row: string) => string;
}

/**
 * Creates the table `country_{type}` of these patches: n and the country that earlier lines of the
 * import and the stored record result in, if any.
 *
 * @returns whether there are such patches; otherwise there is no table.
 */
export async function findCountries(tables: StageTables, type: RecordType): Promise<boolean> {
  const places = placesOf(layout(type));
  if (places === undefined) return false;
  const { lacks, gives, columns, country } = places;
  const table = tables.name(type);
  const repeated = tables.name(`repeated_${type}`);
  const isPatch = `l.op = ${OP_CODES.patch} AND ${lacks}`;
  const patches = `${table} l WHERE ${isPatch} AND l.outcome IS NULL`;
  if (!(await tables.any(patches))) return false;
  const ids = `SELECT l.id FROM ${patches} AND l.id IN (SELECT id FROM ${repeated})`;
  const lines = inSequence(tables, type, ids, [...columns, `${country('t')} AS stored`]);
  await tables.createAs(
    `country_${type}`,
    `SELECT l.n, ${country('t')} AS country
     FROM ${table} l JOIN ${recordTable(type)} t ON t.id = l.id
     WHERE ${isPatch} AND l.outcome IS NULL AND l.id NOT IN (SELECT id FROM ${repeated})
     UNION ALL
     SELECT l.n, CASE WHEN g.n IS NULL THEN l.stored ELSE ${country('g')} END
     FROM (
       SELECT *, max(n) FILTER (WHERE ${gives} AND op <> ${OP_CODES.delete} AND NOT stale)
         OVER earlier AS given_n
       FROM (${lines}) l
       WINDOW earlier AS (
         PARTITION BY id ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
     ) l LEFT JOIN ${table} g ON g.n = l.given_n
     WHERE ${isPatch}`,
  );
  await tables.client.query(`CREATE UNIQUE INDEX ON ${tables.name(`country_${type}`)} (n)`);
  return true;
}

/** That of the first address, or the only country of a person. */
function placesOf({ parts }: Layout): Places | undefined {
  const part = (kind: Kind) => parts.find(({ row }) => row.kind === kind);
  const given = ({ bit }: Part) => `l.given & ${bit} <> 0`;
  const addresses = part('addresses');
  if (addresses !== undefined) {
    const lacks = `l.in_part AND NOT l.addresses -> 0 ? 'Country'`;
    return {
      lacks,
      gives: `${given(addresses)} AND (${lacks}) IS NOT TRUE`,
      columns: ['l.given', 'l.in_part', 'l.addresses'],
      country: (row) => `${row}.addresses -> 0 ->> 'Country'`,
    };
  }
  const [place, countries] = [part('place'), part('places')];
  if (place === undefined || countries === undefined) return undefined;
  return {
    lacks: `${given(place)} AND NOT ${given(countries)}`,
    gives: given(countries),
    columns: ['l.given'],
    country: onlyCountry,
  };
}
