/** `POST /companies/match`: the records of the companies in a list (docs/spec/match.md 26). */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Compiled } from '@vcds/resolution';
import type { Answer } from '../postgres/database.ts';
import { compileMatches } from '../search/match-statement.ts';
import type { SearchAnswer, SearchDatabase } from '../search/search-request.ts';
import { type Candidate, candidatesOf, statementOf, verdictOf } from './decide.ts';
import { CANDIDATES_MAX, RECORD_FIELDS, recordOf, resultOf } from './json.ts';
import { compileFind, type FoundRow, keyOf, probesOf, typoProbesOf } from './lookup.ts';
import type { AskedItem } from './query.ts';

/** Items that are compared in one turn of the event loop. */
const ITEMS_PER_TURN = 5;

/**
 * Finds the record of each item: at most three statements, whatever the number of items. The result
 * of an item does not depend on the others.
 *
 * @throws ApiError `unavailable` if the database is unreachable or too slow.
 */
export async function matchCompanies(
  items: readonly AskedItem[],
  database: SearchDatabase,
): Promise<Answer> {
  const found = await compare(items, probesOf, database);
  const unknown = items.filter((item) => found.get(item)?.length === 0);
  const similar = await compare(unknown, typoProbesOf, database);
  for (const [item, candidates] of similar) found.set(item, candidates);
  const shown = [...found.values()].flatMap((list) => list.slice(0, CANDIDATES_MAX + 1));
  const records = await recordsOf(shown, database);
  let matches = 0;
  const results = items.map((item) => {
    // Without those deleted since they were found.
    const left = (found.get(item) ?? []).filter(({ row }) => records.has(row.id));
    const decided = verdictOf(item, left);
    if (decided.verdict === 'match') matches += 1;
    const listed = left.slice(0, CANDIDATES_MAX).map((each) => {
      return recordOf(records.get(each.row.id) ?? {}, item, each);
    });
    return resultOf(item, decided, listed);
  });
  return { body: JSON.stringify(results), records: matches, more: false };
}

async function compare(
  items: readonly AskedItem[],
  probesFor: typeof probesOf,
  database: SearchDatabase,
): Promise<Map<AskedItem, readonly Candidate[]>> {
  const probes = items.map((item) => [item, probesFor(item)] as const);
  const all = probes.flatMap(([, each]) => each);
  const rows = all.length === 0 ? [] : await database.rows<FoundRow>(compileFind(all));
  const byKey = new Map<string, FoundRow[]>();
  for (const row of rows) {
    const listed = byKey.get(row.key);
    if (listed === undefined) byKey.set(row.key, [row]);
    else listed.push(row);
  }
  const compiled = new Map<string, Compiled>();
  const statement = (row: FoundRow): Compiled => {
    const known = compiled.get(row.id) ?? statementOf(row);
    compiled.set(row.id, known);
    return known;
  };
  const found = new Map<AskedItem, readonly Candidate[]>();
  for (const [index, [item, own]] of probes.entries()) {
    if (index % ITEMS_PER_TURN === ITEMS_PER_TURN - 1) await nextTurn();
    const mine = own.flatMap((probe) => byKey.get(keyOf(probe)) ?? []);
    const distinct = [...new Map(mine.map((row) => [row.id, row])).values()];
    found.set(item, candidatesOf(item, distinct, statement));
  }
  return found;
}

/** The fields of records by id, in one statement. */
async function recordsOf(
  candidates: readonly Candidate[],
  database: SearchDatabase,
): Promise<ReadonlyMap<string, object>> {
  const rows = new Map(candidates.map(({ row }) => [row.id, row]));
  if (rows.size === 0) return new Map();
  // Those of an item are not the same: recordOf has them.
  const unscored = [...rows.values()].map((row) => ({ candidate: row, score: 0, matchedOn: '' }));
  const [answer] = await database.rows<SearchAnswer>(compileMatches(unscored, RECORD_FIELDS));
  const stored = JSON.parse(answer?.body ?? '[]') as readonly { readonly Id: string }[];
  return new Map(stored.map((record) => [record.Id, record]));
}
