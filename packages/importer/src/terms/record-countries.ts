/**
 * Facts of records that patches leave as they are: the country of a patch that gives a place without
 * it, and the places of a patch that gives their country alone. Only spellings in one country are
 * compared.
 */
import { inSequence, storedRecord } from '../checks/sql.ts';
import type { Kind, RecordType } from '../records/kinds.ts';
import {
  COUNTRY_END,
  type Layout,
  layout,
  OP_CODES,
  type Part,
  TERM_LETTERS,
} from '../staging/layout.ts';
import type { StageTables } from '../staging/stage-tables.ts';

export const SEPARATOR = `E'\\x${COUNTRY_END.charCodeAt(0).toString(16)}'`;

/** The country of a row that has only one. */
export const onlyCountry = (row: string): string =>
  `CASE WHEN cardinality(${row}.countries) = 1 THEN ${row}.countries[1] END`;

/** A fact that some patches lack. */
interface Lacking {
  /** Whether a patch lacks it and needs it. */
  readonly lacks: string;
  /** Whether a line gives it, or gives that there is none. */
  readonly gives: string;
  /** The staged columns that these conditions read. */
  readonly columns: readonly string[];
  /** Its value in a staged line or a stored record. */
  readonly value: (row: string) => string;
}

/** A place that patches of its country lack. */
interface LackingPlace extends Lacking {
  readonly letter: string;
  /** The country of a staged line. */
  readonly country: string;
  /** The assignments that state the place `p.value` in a staged line. */
  readonly state: string;
}

/**
 * Creates the table `country_{type}` of patches that give a place without its country: n and the
 * country that earlier lines of the import and the stored record result in, if any (`value`).
 *
 * @returns whether there are such patches; otherwise there is no table.
 */
export async function findCountries(tables: StageTables, type: RecordType): Promise<boolean> {
  const country = countryOf(layout(type));
  return country !== undefined && (await findLacking(tables, type, `country_${type}`, country));
}

/**
 * States the places of the record, as earlier lines of the import and the stored record result in,
 * in patches that give only their country: each is then spelled as in this country.
 */
export async function completePlaces(tables: StageTables, type: RecordType): Promise<void> {
  for (const place of placesOf(layout(type))) {
    const { letter, country, state } = place;
    const table = `place_${letter}_${type}`;
    if (!(await findLacking(tables, type, table, place))) continue;
    await tables.client.query(
      `UPDATE ${tables.name(type)} l SET ${state},
         spellings = l.spellings || ('${letter}'
           || replace(coalesce(${country}, ''), ${SEPARATOR}, '') || ${SEPARATOR} || p.value)
       FROM ${tables.name(table)} p WHERE l.n = p.n AND p.value IS NOT NULL`,
    );
  }
}

async function findLacking(
  tables: StageTables,
  type: RecordType,
  name: string,
  { lacks, gives, columns, value }: Lacking,
): Promise<boolean> {
  const table = tables.name(type);
  const repeated = tables.name(`repeated_${type}`);
  const isPatch = `l.op = ${OP_CODES.patch} AND ${lacks}`;
  const patches = `${table} l WHERE ${isPatch} AND l.outcome IS NULL`;
  if (!(await tables.any(patches))) return false;
  const ids = `SELECT l.id FROM ${patches} AND l.id IN (SELECT id FROM ${repeated})`;
  const lines = inSequence(tables, type, ids, [...columns, `${value('t')} AS stored`]);
  await tables.createAs(
    name,
    `SELECT l.n, ${value('t')} AS value
     FROM ${table} l JOIN ${storedRecord(tables, type)}
     WHERE ${isPatch} AND l.outcome IS NULL AND l.id NOT IN (SELECT id FROM ${repeated})
     UNION ALL
     SELECT l.n, CASE WHEN g.n IS NULL THEN l.stored ELSE ${value('g')} END
     FROM (
       SELECT *, max(n) FILTER (WHERE ${gives} AND op <> ${OP_CODES.delete} AND NOT stale)
         OVER earlier AS given_n
       FROM (${lines}) l
       WINDOW earlier AS (
         PARTITION BY id ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
     ) l LEFT JOIN ${table} g ON g.n = l.given_n
     WHERE ${isPatch}`,
  );
  await tables.client.query(`CREATE UNIQUE INDEX ON ${tables.name(name)} (n)`);
  return true;
}

const partOf = ({ parts }: Layout, kind: Kind): Part | undefined =>
  parts.find(({ row }) => row.kind === kind);
const given = ({ bit }: Part): string => `l.given & ${bit} <> 0`;
const has = (member: string): string => `l.addresses -> 0 ? '${member}'`;
const ADDRESS_COLUMNS = ['l.given', 'l.in_part', 'l.addresses'];

/** A member of the first address, which some patches give without the others. */
const member = (addresses: Part, name: string, needed: string): Lacking => ({
  lacks: `l.in_part AND NOT ${has(name)}${needed}`,
  gives: `${given(addresses)} AND (l.in_part AND NOT ${has(name)}) IS NOT TRUE`,
  columns: ADDRESS_COLUMNS,
  value: (row) => `${row}.addresses -> 0 ->> '${name}'`,
});

/** That of the first address, or the only country of a person. */
function countryOf(shape: Layout): Lacking | undefined {
  const addresses = partOf(shape, 'addresses');
  if (addresses !== undefined) return member(addresses, 'Country', '');
  const [place, countries] = [partOf(shape, 'place'), partOf(shape, 'places')];
  if (place === undefined || countries === undefined) return undefined;
  return {
    lacks: `${given(place)} AND NOT ${given(countries)}`,
    gives: given(countries),
    columns: ['l.given'],
    value: onlyCountry,
  };
}

/** Those of the first address, or the location of a person. */
function placesOf(shape: Layout): readonly LackingPlace[] {
  const addresses = partOf(shape, 'addresses');
  if (addresses !== undefined) {
    return (['City', 'Region'] as const).map((name) => ({
      ...member(addresses, name, ` AND ${has('Country')}`),
      letter: TERM_LETTERS[name === 'City' ? 'city' : 'region'],
      country: `l.addresses -> 0 ->> 'Country'`,
      state: `addresses = jsonb_build_array((l.addresses -> 0) || jsonb_build_object('${name}', p.value))`,
    }));
  }
  const [place, countries] = [partOf(shape, 'place'), partOf(shape, 'places')];
  const column = place?.columns[0];
  if (place === undefined || countries === undefined || column === undefined) return [];
  return [
    {
      lacks: `${given(countries)} AND NOT ${given(place)}`,
      gives: given(place),
      columns: ['l.given'],
      value: (row) => `${row}.${column}`,
      letter: TERM_LETTERS.city,
      country: onlyCountry('l'),
      state: `${column} = p.value, given = l.given | ${place.bit}`,
    },
  ];
}
