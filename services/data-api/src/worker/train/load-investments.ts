/** Reads the live funds, startups and investments from PostgreSQL for training and evaluation. */
import {
  Growing,
  type InvestmentData,
  type Investments,
  type Investor,
  type Startup,
  UNKNOWN_DAY,
} from '@vcds/matching';
import type pg from 'pg';

const DAY_MS = 86_400_000;
/** An earlier date is a placeholder. */
export const FIRST_DATE = '1900-01-01';
const DAY_MIN = Date.parse(FIRST_DATE) / DAY_MS;
/** Rows that one round trip reads, and so the most that are in memory unconverted. */
const ROWS_PER_FETCH = 10_000;

export interface LoadProgress {
  readonly step: 'funds' | 'startups' | 'investments';
  readonly rows: number;
}

// The order makes a load repeatable: equal records have equal numbers.
const FUNDS = `SELECT id, name, coalesce(investment_types[1], ''), coalesce(countries[1], ''),
    coalesce(regions[1], ''), coalesce(cities[1], ''), investment_stages, tags,
    coalesce(founded, 0)
  FROM venture.fund WHERE deleted_at IS NULL ORDER BY id`;
const STARTUPS = `SELECT id, tags, coalesce(countries[1], ''), coalesce(regions[1], ''),
    coalesce(cities[1], ''), coalesce(founded, 0)
  FROM venture.startup WHERE deleted_at IS NULL ORDER BY id`;
// A participation in an undated round, and a holding that no round implies, count on the market date
// that their source states. The rows of a round follow each other, whatever their market dates.
const INVESTMENTS = `SELECT fund_id, startup_id, round_id, day, stage, amount, lead FROM (
    SELECT p.fund_id, r.startup_id, r.id AS round_id,
      coalesce(r.date, (p.occurred_at AT TIME ZONE 'UTC')::date) - date '1970-01-01' AS day, r.stage,
      r.amount::float8 AS amount, p.lead, r.date
    FROM venture.round_investor p
    JOIN venture.funding_round r ON r.id = p.round_id
    WHERE p.fund_id IS NOT NULL AND p.deleted_at IS NULL
      AND r.deleted_at IS NULL AND NOT r.startup_deleted AND r.confirmed
    UNION ALL
    SELECT h.fund_id, h.startup_id, NULL,
      (h.occurred_at AT TIME ZONE 'UTC')::date - date '1970-01-01', NULL, NULL, false, NULL
    FROM venture.holding h
    WHERE h.deleted_at IS NULL AND h.rounds_count = 0 AND h.occurred_at IS NOT NULL) i
  ORDER BY date, round_id, startup_id, fund_id`;

type FundRow = [
  ...[id: string, name: string, type: string, country: string, region: string, city: string],
  ...[stages: number[], tags: string[], founded: number],
];
type StartupRow = [
  ...[id: string, tags: string[], country: string, region: string, city: string],
  founded: number,
];
type InvestmentRow = [
  ...[fundId: string, startupId: string, roundId: string | null, day: number | null],
  ...[stage: number | null, amountUsd: number | null, isLead: boolean],
];

/**
 * All live funds and startups, and the investments of funds: confirmed rounds, and holdings without
 * a round whose source states a date. A date after today or before 1900 is loaded as unknown, because
 * the model weights all investments by their age at the newest date. Reads in steps of
 * {@link ROWS_PER_FETCH} rows, so that the result is nearly all that it holds in memory.
 *
 * @param client in a transaction that is repeatable read, so that all of it is of one moment.
 */
export async function loadInvestments(
  client: pg.ClientBase,
  nowMs: number,
  onProgress: (progress: LoadProgress) => void = () => undefined,
): Promise<InvestmentData> {
  const shared = sharedTexts();
  const investors: Investor[] = [];
  await readRows<FundRow>(client, FUNDS, (rows) => {
    for (const row of rows) investors.push(investorOf(row, shared));
    onProgress({ step: 'funds', rows: investors.length });
  });
  const startups: Startup[] = [];
  await readRows<StartupRow>(client, STARTUPS, (rows) => {
    for (const row of rows) startups.push(startupOf(row, shared));
    onProgress({ step: 'startups', rows: startups.length });
  });
  const columns = investmentColumns(
    indexOf(investors),
    indexOf(startups),
    Math.floor(nowMs / DAY_MS),
  );
  let count = 0;
  await readRows<InvestmentRow>(client, INVESTMENTS, (rows) => {
    for (const row of rows) columns.add(row);
    count += rows.length;
    onProgress({ step: 'investments', rows: count });
  });
  return { investors, startups, investments: columns.done() };
}

async function readRows<Row extends unknown[]>(
  client: pg.ClientBase,
  sql: string,
  onRows: (rows: readonly Row[]) => void,
): Promise<void> {
  await client.query(`DECLARE load_rows NO SCROLL CURSOR FOR ${sql}`);
  for (;;) {
    const text = `FETCH ${ROWS_PER_FETCH} FROM load_rows`;
    const { rows } = await client.query<Row>({ text, rowMode: 'array' });
    onRows(rows);
    if (rows.length < ROWS_PER_FETCH) break;
  }
  await client.query('CLOSE load_rows');
}

function investorOf(row: FundRow, shared: (text: string) => string): Investor {
  const [id, name, type, country, region, city, stages, tags, founded] = row;
  return {
    ...{ id, name, type: shared(type), country: shared(country), region: shared(region) },
    ...{ city: shared(city), stages, tags: tags.map(shared), founded },
  };
}

function startupOf(
  [id, tags, country, region, city, founded]: StartupRow,
  shared: (text: string) => string,
): Startup {
  return {
    ...{ id, tags: tags.map(shared), country: shared(country), region: shared(region) },
    ...{ city: shared(city), founded },
  };
}

function investmentColumns(
  investorOfId: ReadonlyMap<string, number>,
  startupOfId: ReadonlyMap<string, number>,
  today: number,
) {
  const columns = {
    investor: new Growing(Uint32Array),
    startup: new Growing(Uint32Array),
    round: new Growing(Uint32Array),
    day: new Growing(Int32Array),
    stage: new Growing(Uint8Array),
    amountUsd: new Growing(Float64Array),
    isLead: new Growing(Uint8Array),
  };
  let round = -1;
  let lastRoundId: string | null = null;
  return {
    add([fundId, startupId, roundId, day, stage, amountUsd, isLead]: InvestmentRow): void {
      const investor = investorOfId.get(fundId);
      const startup = startupOfId.get(startupId);
      // A deleted fund or startup.
      if (investor === undefined || startup === undefined) return;
      if (roundId === null || roundId !== lastRoundId) round += 1;
      lastRoundId = roundId;
      columns.investor.push(investor);
      columns.startup.push(startup);
      columns.round.push(round);
      columns.day.push(day === null || day < DAY_MIN || day > today ? UNKNOWN_DAY : day);
      columns.stage.push(stage ?? 0);
      columns.amountUsd.push(amountUsd ?? Number.NaN);
      columns.isLead.push(isLead ? 1 : 0);
    },
    done: (): Investments => ({
      investor: columns.investor.done(),
      startup: columns.startup.done(),
      round: columns.round.done(),
      day: columns.day.done(),
      stage: columns.stage.done(),
      amountUsd: columns.amountUsd.done(),
      isLead: columns.isLead.done(),
    }),
  };
}

function indexOf(records: readonly { readonly id: string }[]): ReadonlyMap<string, number> {
  return new Map(records.map(({ id }, index) => [id, index]));
}

/** Equal texts become one text in memory. */
function sharedTexts(): (text: string) => string {
  const texts = new Map<string, string>();
  return (text) => {
    const shared = texts.get(text);
    if (shared !== undefined) return shared;
    texts.set(text, text);
    return text;
  };
}
