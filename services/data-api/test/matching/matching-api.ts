import { expect } from '@jest/globals';
import { fillDatabase } from '@vcds/demo-data';
import { createLogger } from '@vcds/service-kit';
import { closedAfterAll, createTestDatabase, eventually } from '@vcds/test-kit';
import { catchUpFacets } from '../../src/worker/index-facets/catch-up.ts';
import { trainMatching } from '../../src/worker/train/train.ts';
import { openApi, type Query } from '../support/api.ts';

interface Company {
  readonly Id: string;
  readonly Name: string;
  readonly Website: string | null;
  readonly Country: readonly string[];
}
export interface Hit {
  readonly Fund?: Company;
  readonly Startup?: Company;
  readonly Score: number;
  readonly Reasons: readonly { Factor: string; Weight: number; Text: string }[];
}

const NOW_MS = Date.UTC(2026, 5, 1);
const PATH = '/venturematching';

/** Startups with an investor, and funds with several investments. */
export const STARTUPS = `SELECT s.id FROM venture.startup s WHERE s.deleted_at IS NULL
  AND EXISTS (SELECT FROM venture.holding h WHERE h.startup_id = s.id AND h.deleted_at IS NULL)
  ORDER BY s.id`;
export const FUNDS = `SELECT f.id FROM venture.fund f WHERE f.deleted_at IS NULL
  AND f.investments_count > 2 ORDER BY f.id`;

/** A service with an empty database and without a model, closed after the tests of the file. */
export async function openMatchingApi() {
  const database = await closedAfterAll(
    createTestDatabase().then((created) => ({ ...created, close: () => created.drop() })),
  );
  const api = await closedAfterAll(
    openApi({ url: database.url, seed: 'SELECT 1', matchingPollMs: 20 }),
  );
  const logger = createLogger({ service: 'test', level: 'silent' });
  return {
    api,
    database,
    async fill(): Promise<void> {
      const dataset = { today: '2026-06-01', startups: 120 };
      await fillDatabase({ connectionString: database.url, dataset });
      await catchUpFacets({ connectionString: database.url, logger });
    },
    train: () => trainMatching({ pool: api.sql, nowMs: NOW_MS, hasBackTest: false }),
    /** Waits until a version serves. */
    async serves(version: string | undefined): Promise<void> {
      await eventually(async () => {
        const { headers } = await api.get(PATH, { country: 'Germany' });
        expect(headers['x-model-version']).toBe(version);
      });
    },
    async match(query: Query): Promise<readonly Hit[]> {
      const reply = await api.get(PATH, query);
      const { status } = reply;
      const text = status === 200 ? '' : reply.text;
      expect({ status, text }).toEqual({ status: 200, text: '' });
      return reply.body as Hit[];
    },
    async ids(sql: string): Promise<readonly string[]> {
      const { rows } = await api.sql.query<{ id: string }>(sql);
      return rows.map(({ id }) => id);
    },
  };
}
