/** The contents of the database, and their age (docs/spec/addresses.md 1.12). */
import { DATA_BASE_PATH, type Route, readParameters, sendJson } from '@vcds/service-kit';
import { withoutCredential } from '../authenticate/without-credential.ts';
import type { Database } from '../postgres/database.ts';
import { CHANGE_COLLECTIONS, collectionCoded, rowsOf } from '../replica/collections.ts';
import type { EndpointText } from '../serve/endpoint.ts';
import { assertAccepted } from '../serve/request/parameter-reader.ts';

export const COVERAGE_PATH = `${DATA_BASE_PATH}/coverage`;

export const COVERAGE_TEXT: EndpointText = {
  ...{ id: 'getCoverage', tag: 'service', summary: 'What the data has, and how new it is' },
  description:
    'The records of each collection, the newest change and the date of the newest round, at most ten minutes old. Needs no key.',
  body: 'Coverage',
};

export interface Coverage {
  readonly collections: readonly {
    readonly name: string;
    readonly records: number;
    /** Null: there are no records. */
    readonly updatedAt: string | null;
  }[];
  readonly newestRound: string | null;
  readonly countedAt: string;
}

/** The code of the collection of rounds. */
const ROUNDS = 3;
/** A count reads whole tables: one in an interval, for all callers. */
const AGE_MS_MAX = 10 * 60_000;

/** `GET /coverage`: free and without a key. */
export function coverageRoute(database: Pick<Database, 'rows'>): Route {
  const { read } = createCoverage(database);
  return {
    method: 'GET',
    path: COVERAGE_PATH,
    handler: async (request, response) => {
      assertAccepted(withoutCredential(readParameters(request)), []);
      sendJson(response, 200, await read());
    },
  };
}

/** Calls wait for a count that runs, and share it; one that failed is not kept. */
export function createCoverage(database: Pick<Database, 'rows'>, now = Date.now) {
  let known: { readonly atMs: number; readonly body: Promise<string> } | undefined;
  const read = async (): Promise<string> => {
    const atMs = now();
    if (known === undefined || atMs - known.atMs >= AGE_MS_MAX) {
      known = { atMs, body: readCoverage(database, atMs).then(JSON.stringify) };
    }
    const current = known;
    try {
      return await current.body;
    } catch (error) {
      if (known === current) known = undefined;
      throw error;
    }
  };
  return { read };
}

/** One statement for each collection, so that none reads for long. */
async function readCoverage(database: Pick<Database, 'rows'>, nowMs: number): Promise<Coverage> {
  const collections: Coverage['collections'][number][] = [];
  for (const collection of CHANGE_COLLECTIONS) {
    const rows = `FROM ${rowsOf(collection)}`;
    const [row] = await database.rows<{ records: string; at: Date | null }>({
      text: `SELECT (SELECT count(*) ${rows}) AS records, (SELECT max(r.updated_at) ${rows}) AS at`,
      ...{ values: [], plan: 'generic', scans: true },
    });
    const at = row?.at?.toISOString() ?? null;
    collections.push({ name: collection.name, records: Number(row?.records ?? 0), updatedAt: at });
  }
  const [newest] = await database.rows<{ date: string | null }>({
    text: `SELECT max(r.date)::text AS date FROM ${rowsOf(collectionCoded(ROUNDS))}`,
    ...{ values: [], plan: 'generic', scans: true },
  });
  return {
    collections,
    ...{ newestRound: newest?.date ?? null, countedAt: new Date(nowMs).toISOString() },
  };
}
