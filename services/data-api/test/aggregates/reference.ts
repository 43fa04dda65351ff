/** Aggregates computed from the tables by plain lists, without the model's SQL. */
import type pg from 'pg';

type Value = string | number;

export interface ReferenceRecord {
  readonly dimensions: Readonly<Record<string, readonly Value[]>>;
  /** Numbers as they are, dates in days. */
  readonly numbers: Readonly<Record<string, number | null>>;
  readonly ids: Readonly<Record<string, readonly string[]>>;
}

export type ReferenceData = Readonly<Record<string, readonly ReferenceRecord[]>>;

type Row = Readonly<Record<string, unknown>>;

const DAY_MS = 86_400_000;

/** Reads the live records of every entity. */
export async function readReference(sql: pg.Pool): Promise<ReferenceData> {
  const rowsOf = async (text: string): Promise<readonly Row[]> => {
    const { rows } = await sql.query<{ row: Row }>(`SELECT to_json(t) AS row FROM (${text}) AS t`);
    return rows.map(({ row }) => row);
  };
  const startups = await rowsOf('SELECT * FROM venture.startup WHERE deleted_at IS NULL');
  const funds = await rowsOf('SELECT * FROM venture.fund WHERE deleted_at IS NULL');
  const live = new Set([...startups, ...funds].map(({ id }) => id));
  const isLive = (id: unknown) => live.has(id);
  const ofStartups = (rows: readonly Row[]) => rows.filter((each) => isLive(each.startup_id));
  const rounds = ofStartups(
    await rowsOf('SELECT * FROM venture.funding_round WHERE deleted_at IS NULL'),
  );
  const valuations = ofStartups(
    await rowsOf('SELECT * FROM venture.post_valuation WHERE deleted_at IS NULL'),
  );
  const holdings = ofStartups(
    await rowsOf('SELECT * FROM venture.holding WHERE deleted_at IS NULL'),
  ).filter((each) => isLive(each.fund_id));
  const investors = (
    await rowsOf('SELECT * FROM venture.round_investor WHERE deleted_at IS NULL')
  ).filter((each) => isLive(each.fund_id));
  const byId = new Map([...startups, ...funds, ...rounds].map((each) => [each.id, each]));
  const of = (rows: readonly Row[], key: string, id: unknown, to: string): readonly Row[] =>
    rows.flatMap((each): Row[] => {
      const found = each[key] === id ? byId.get(each[to]) : undefined;
      return found === undefined ? [] : [found];
    });

  const leadersOf = ({ id }: Row) =>
    of(
      investors.filter(({ lead }) => lead === true),
      'round_id',
      id,
      'fund_id',
    );

  const ofRound = (own: readonly Row[]) => ({
    ...ofRounds(own),
    investor: idsOf(own.flatMap(({ id }) => of(investors, 'round_id', id, 'fund_id'))),
    lead_investor: idsOf(own.flatMap(leadersOf)),
  });
  const startupOf = (row: Row): ReferenceRecord => {
    const heldBy = of(holdings, 'startup_id', row.id, 'fund_id');
    const own = rounds.filter((each) => each.startup_id === row.id);
    return {
      dimensions: {
        ...ofFunds(heldBy),
        ...ofRounds(own),
        ...ofStartup([row]),
        investor: idsOf(heldBy),
        lead_investor: idsOf(own.flatMap(leadersOf)),
      },
      numbers: {
        Founded: number(row.founded),
        TotalRaised: number(row.total_raised),
        LastFundingDate: days(row.last_funding_date),
        MembersCount: number(row.members_count),
        RoundsCount: number(row.rounds_count),
        LatestPostValuation: number(row.latest_post_valuation),
        AverageRoundAmount: number(row.average_round_amount),
      },
      ids: { Investor: idsOf(heldBy) },
    };
  };
  return {
    startups: startups.map(startupOf),
    funds: funds.map((row) => {
      const held = of(holdings, 'fund_id', row.id, 'startup_id');
      const statuses = holdings.flatMap((each) => (each.fund_id === row.id ? [each.status] : []));
      return {
        dimensions: {
          ...ofRounds(of(investors, 'fund_id', row.id, 'round_id')),
          ...ofStartup(held),
          exit_status: values(statuses),
          ...ofFunds([row]),
          ...ofBoth([row]),
          investor: [String(row.id)],
          lead_investor: idsOf(of(investors, 'fund_id', row.id, 'round_id').flatMap(leadersOf)),
        },
        numbers: {
          Founded: number(row.founded),
          MembersCount: number(row.members_count),
          InvestmentsCount: number(row.investments_count),
          FirstInvestmentDate: days(row.first_investment_date),
          LastInvestmentDate: days(row.last_investment_date),
          AverageRoundAmount: number(row.average_round_amount),
        },
        ids: {},
      };
    }),
    rounds: rounds.map((row) => {
      const by = of(investors, 'round_id', row.id, 'fund_id');
      return {
        dimensions: {
          ...ofFunds(by),
          ...ofStartup([byId.get(row.startup_id) ?? {}]),
          ...ofRounds([row]),
          investor: idsOf(by),
          lead_investor: idsOf(leadersOf(row)),
        },
        numbers: { Date: days(row.date), Year: number(row.year), Amount: number(row.amount) },
        ids: {
          StartupId: [String(row.startup_id)],
          Investor: idsOf(by),
          LeadInvestor: idsOf(leadersOf(row)),
        },
      };
    }),
    valuations: valuations.map((row) => ({
      dimensions: {
        ...startupOf(byId.get(row.startup_id) ?? {}).dimensions,
        ...ofRound(rounds.filter(({ id }) => id === row.round_id)),
        ...{ round_stage: values([row.round_stage]), round_year: values([row.year]) },
      },
      numbers: { Date: days(row.date), Year: number(row.year), Amount: number(row.amount) },
      ids: { StartupId: [String(row.startup_id)] },
    })),
  };
}

/** The dimensions that startups and funds have. */
function ofBoth(rows: readonly Row[]) {
  return {
    industry: values(rows.flatMap(({ tags }) => tags)),
    country: values(rows.flatMap(({ countries }) => countries)),
    region: values(rows.flatMap(({ regions }) => regions)),
    city: values(rows.flatMap(({ cities }) => cities)),
    team_size: values(rows.map(({ members_bucket: bucket }) => bucket)),
    operating_status: values(rows.map(({ operating_status: status }) => status)),
    founded_year: values(rows.map(({ founded }) => founded)),
  };
}

function ofStartup(rows: readonly Row[]) {
  return {
    ...ofBoth(rows),
    stage: values(rows.map(({ last_funding_stage: stage }) => stage)),
    next_stage: values(rows.map(({ next_funding_stage: stage }) => stage)),
    exit_status: values(rows.flatMap(({ exit_statuses: statuses }) => statuses)),
  };
}

function ofFunds(rows: readonly Row[]) {
  return {
    investment_stage: values(rows.flatMap(({ investment_stages: stages }) => stages)),
    investor_type: values(rows.flatMap(({ investment_types: types }) => types)),
    fund_group: values(rows.flatMap(({ groups }) => groups)),
  };
}

function ofRounds(rows: readonly Row[]) {
  return {
    round_series: values(rows.map(({ series }) => series)),
    round_stage: values(rows.map(({ stage }) => stage)),
    round_year: values(rows.map(({ year }) => year)),
    confirmed: values(rows.map(({ confirmed }) => (confirmed ? 'Confirmed' : 'Unconfirmed'))),
  };
}

function idsOf(rows: readonly Row[]): readonly string[] {
  return [...new Set(rows.map(({ id }) => String(id)))];
}

function values(list: readonly unknown[]): readonly Value[] {
  return [...new Set(list)].filter((each): each is Value => each !== null && each !== undefined);
}

function number(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value);
}

function days(value: unknown): number | null {
  return typeof value === 'string' ? Date.parse(value) / DAY_MS : null;
}

export interface ReferenceQuery {
  readonly measures: readonly { readonly of: string; readonly field: string }[];
  readonly by: readonly { readonly of: string; readonly unit?: string }[];
  readonly narrowing: Readonly<Record<string, readonly Value[]>>;
  readonly accepts: (record: ReferenceRecord) => boolean;
}

type Key = Value | null;

/** The groups by the JSON of their keys, and the numbers of all records under `total`. */
export function groupReference(records: readonly ReferenceRecord[], query: ReferenceQuery) {
  const found = records.filter(
    (record) =>
      query.accepts(record) &&
      Object.entries(query.narrowing).every(([id, wanted]) =>
        record.dimensions[id]?.some((value) => wanted.includes(value)),
      ),
  );
  const groups = new Map<string, ReferenceRecord[]>();
  if (query.by.length === 0) groups.set('[]', []);
  for (const record of found) {
    const lists = query.by.map((key) => keysOf(record, key));
    for (const keys of product(lists)) {
      const text = JSON.stringify(keys);
      groups.set(text, [...(groups.get(text) ?? []), record]);
    }
  }
  const numbers = (of: readonly ReferenceRecord[]) =>
    query.measures.map((measure) => measured(of, measure));
  return {
    total: numbers(found),
    groups: new Map([...groups].map(([key, of]) => [key, numbers(of)])),
  };
}

function keysOf(
  { dimensions, numbers }: ReferenceRecord,
  { of, unit }: { readonly of: string; readonly unit?: string },
): readonly Key[] {
  if (unit === undefined) {
    const list = dimensions[of] ?? [];
    return list.length === 0 ? [null] : list;
  }
  const day = numbers[of] ?? null;
  if (day === null) return [null];
  const [year = '', month = ''] = new Date(day * DAY_MS).toISOString().split('-');
  if (unit === 'year') return [year];
  return [unit === 'month' ? `${year}-${month}` : `${year}-Q${Math.ceil(Number(month) / 3)}`];
}

function product(lists: readonly (readonly Key[])[]): readonly (readonly Key[])[] {
  return lists.reduce<readonly (readonly Key[])[]>(
    (all, list) => all.flatMap((keys) => list.map((key) => [...keys, key])),
    [[]],
  );
}

const SHARES: Readonly<Record<string, number>> = { median: 0.5, p25: 0.25, p75: 0.75, p90: 0.9 };

function measured(
  records: readonly ReferenceRecord[],
  { of, field }: { readonly of: string; readonly field: string },
): number | null {
  if (of === 'count') return records.length;
  if (of === 'countdistinct') {
    const ids = records.flatMap(
      (each): readonly Value[] => each.ids[field] ?? [each.numbers[field] ?? []].flat(),
    );
    return new Set(ids).size;
  }
  const numbers = records.flatMap((each) => each.numbers[field] ?? []).sort((a, b) => a - b);
  const sum = numbers.reduce((all, each) => all + each, 0);
  if (numbers.length === 0) return null;
  if (of === 'sum') return sum;
  if (of === 'average') return sum / numbers.length;
  if (of === 'min') return numbers[0] as number;
  if (of === 'max') return numbers.at(-1) as number;
  const position = (SHARES[of] ?? 0) * (numbers.length - 1);
  const lower = numbers[Math.floor(position)] as number;
  return lower + ((numbers[Math.ceil(position)] as number) - lower) * (position % 1);
}
