import { withClient } from '@vcds/test-kit/bench';
import type pg from 'pg';
import { dropIndexes, enterBulkMode, leaveBulkMode } from './bulk-mode.ts';
import { FUND_COLUMNS, fundRows, STARTUP_COLUMNS, startupRows } from './companies.ts';
import { copyRows } from './copy-rows.ts';
import {
  HOLDING_COLUMNS,
  INVESTOR_COLUMNS,
  investorRows,
  ROUND_COLUMNS,
  roundRows,
  statedHoldingRows,
  VALUATION_COLUMNS,
  valuationRows,
} from './deals.ts';
import { computeDerived, logAllForFacets, predictStages } from './derive.ts';
import { generateDictionary } from './dictionary.ts';
import {
  founderRows,
  NEWS_COLUMNS,
  newsRows,
  PERSON_COLUMNS,
  POSITION_COLUMNS,
  personRows,
  staffRows,
} from './people.ts';
import { publishAll } from './publish-all.ts';
import type { CorpusSize } from './vocabulary.ts';

export type { CorpusSize } from './vocabulary.ts';

/** How a corpus is written. */
export interface LoadOptions {
  /** Brings the facet index up to date with the records. */
  readonly indexFacets: () => Promise<void>;
  /** Row by row as an import does; else derived columns are computed in one pass. */
  readonly throughTriggers?: boolean;
  /** Called before each step. */
  readonly onStep?: (name: string) => void;
}

/**
 * Fills an empty, migrated database with a corpus: records, derived columns, the feed and the facet
 * index. The same size and seed write the same records; both ways derive the same from them.
 */
export async function writeRecords(
  url: string,
  size: CorpusSize,
  { indexFacets, throughTriggers = false, onStep = () => undefined }: LoadOptions,
): Promise<void> {
  await withClient(url, async (client) => {
    await tuneForLoad(client);
    const indexes = throughTriggers ? [] : await dropIndexes(client);
    if (!throughTriggers) await enterBulkMode(client);
    await copyRecords(client, size, onStep);
    if (!throughTriggers) await computeDerived(client, onStep);
    await predictStages(client, size, onStep);
    if (!throughTriggers) await leaveBulkMode(client, onStep);
    await removeSome(client, size);
    onStep('signals');
    await publishAll(client);
    if (!throughTriggers) await logAllForFacets(client);
    onStep(`${indexes.length} indexes`);
    for (const definition of indexes) await client.query(definition);
    onStep('facet index');
    await client.query('ANALYZE');
    await indexFacets();
    onStep('VACUUM ANALYZE');
    await client.query('VACUUM ANALYZE');
    await client.query('CHECKPOINT');
  });
}

async function tuneForLoad(client: pg.Client): Promise<void> {
  for (const setting of ["maintenance_work_mem = '512MB'", "work_mem = '128MB'", 'jit = off']) {
    await client.query(`SET ${setting}`);
  }
  await client.query('SET synchronous_commit = off');
}

async function copyRecords(
  client: pg.Client,
  size: CorpusSize,
  onStep: (name: string) => void,
): Promise<void> {
  const dictionary = generateDictionary();
  const tables = [
    ['fund', FUND_COLUMNS, fundRows(size, dictionary)],
    ['person', PERSON_COLUMNS, personRows(size, dictionary)],
    ['startup', STARTUP_COLUMNS, startupRows(size, dictionary)],
    ['funding_round', ROUND_COLUMNS, roundRows(size)],
    ['holding', HOLDING_COLUMNS, statedHoldingRows(size)],
    ['round_investor', INVESTOR_COLUMNS, investorRows(size)],
    ['post_valuation', VALUATION_COLUMNS, valuationRows(size)],
    ['startup_person', `startup_id, ${POSITION_COLUMNS}`, founderRows(size)],
    ['fund_person', `fund_id, ${POSITION_COLUMNS}`, staffRows(size)],
    ['news', NEWS_COLUMNS, newsRows(size)],
  ] as const;
  for (const [table, columns, rows] of tables) {
    onStep(`COPY ${table}`);
    await copyRows(client, table, columns, rows);
  }
}

/** Deletes one record in some hundreds, as an import does. */
async function removeSome(client: pg.Client, { startups }: CorpusSize): Promise<void> {
  const shares = { startup: 700, fund: 500 };
  for (const [kind, share] of Object.entries(shares)) {
    await client.query(
      `UPDATE venture.${kind} SET deleted_at = now()
       WHERE id = ANY (ARRAY(
         SELECT md5('${kind} ' || i)::uuid FROM generate_series(13, $1::int, ${share}) AS i))`,
      [startups],
    );
  }
}
