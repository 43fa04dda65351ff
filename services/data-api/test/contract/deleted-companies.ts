/** A model of the listings after a deletion. It shares no code with the service. */
import type { TestApi } from '../support/api.ts';

export type Json = Readonly<Record<string, unknown>>;

/** Every record of every collection with its relations, in any order. */
export interface Dump {
  readonly startups: readonly Json[];
  readonly funds: readonly Json[];
  readonly rounds: readonly Json[];
  readonly valuations: readonly Json[];
  readonly news: readonly Json[];
  readonly persons: readonly Json[];
}

const LISTS: Readonly<Record<keyof Dump, readonly [path: string, expand: string]>> = {
  startups: ['/startups', 'Tags,Addresses,Funds,FundingRounds,Persons'],
  funds: ['/funds', 'Groups,Startups,Persons'],
  rounds: ['/startups/fundingrounds', 'Startup,Investors'],
  valuations: ['/startups/postvaluations', 'Startup'],
  news: ['/news', 'Startup,Fund'],
  persons: ['/persons', 'Startups,Funds'],
};

export async function dumpOf(api: TestApi): Promise<Dump> {
  const lists = await Promise.all(
    Object.entries(LISTS).map(async ([name, [path, $expand]]) => {
      const records = await api.list(path, { $top: '5000', $expand, $orderby: 'Id' });
      return [name, records.map((record) => plain(record) as Json)];
    }),
  );
  return Object.fromEntries(lists) as Dump;
}

// Without time stamps, which move, and with names and related records in a fixed order.
function plain(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(plain).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !name.endsWith('TimeStamp'));
  return Object.fromEntries(kept.map(([name, each]) => [name, plain(each)]));
}

/** The listings after the deletion of these companies. */
export function withoutCompanies(all: Dump, gone: ReadonlySet<string>): Dump {
  const isLeft = ({ Id }: Json) => !gone.has(String(Id));
  const left = (value: unknown) => (value as readonly Json[]).filter(isLeft);
  const rounds = all.rounds
    .filter(({ StartupId }) => !gone.has(String(StartupId)))
    .map((round): Json => {
      const Investors = left(round.Investors);
      return {
        ...round,
        Investors,
        InvestorNames: sorted(Investors.map(({ Name }) => Name)),
        Startup: round.Startup,
      };
    });
  const startups = left(all.startups).map((startup): Json => {
    const Funds = left(startup.Funds);
    const own = rounds.filter(({ StartupId }) => StartupId === startup.Id);
    const investors = new Map(
      [...Funds, ...own.flatMap(({ Investors }) => Investors as Json[])].map((each) => [
        each.Id,
        each.Name,
      ]),
    );
    return {
      ...startup,
      Funds,
      Status: sorted([...new Set(Funds.map(({ Status }) => Status))]),
      InvestorNames: sorted([...investors.values()]),
      RoundsCount: own.filter(({ Confirmed }) => Confirmed).length,
    };
  });
  const leftStartups = new Map(startups.map((startup) => [startup.Id, startup]));
  const funds = left(all.funds).map(
    (fund): Json => ({ ...fund, ...aggregatesOf(fund, rounds, gone) }),
  );
  const leftFunds = new Map(funds.map((fund) => [fund.Id, fund]));
  return {
    startups: startups.map((startup) => ({
      ...startup,
      Funds: refreshed(startup.Funds, leftFunds),
    })),
    funds: funds.map((fund) => ({ ...fund, Startups: refreshed(fund.Startups, leftStartups) })),
    rounds: rounds.map((round) => ({
      ...round,
      Startup: refreshedOne(round.Startup, leftStartups),
    })),
    valuations: all.valuations
      .filter(({ StartupId }) => !gone.has(String(StartupId)))
      .map((each) => ({ ...each, Startup: refreshedOne(each.Startup, leftStartups) })),
    news: all.news.flatMap((item) => newsLeft(item, gone, leftStartups, leftFunds)),
    persons: all.persons.map((person) => ({
      ...person,
      Startups: refreshed(person.Startups, leftStartups),
      Funds: refreshed(person.Funds, leftFunds),
    })),
  };
}

function aggregatesOf(fund: Json, rounds: readonly Json[], gone: ReadonlySet<string>): Json {
  const own = rounds.filter(({ Investors }) =>
    (Investors as Json[]).some(({ Id }) => Id === fund.Id),
  );
  const amounts = own.filter(({ Confirmed, Amount }) => Confirmed && Amount !== null);
  const dates = own.map(({ Date: date }) => date).filter((date) => date !== null);
  const held = (fund.Startups as Json[]).filter(({ Id }) => !gone.has(String(Id)));
  const sum = amounts.reduce((total, { Amount }) => total + Number(Amount), 0);
  const exits = held.filter(({ HoldingStatus }) => HoldingStatus !== 'Held').length;
  return {
    Startups: held,
    InvestmentsCount: own.length,
    LastInvestmentDate: dates.sort().at(-1) ?? null,
    AverageRoundAmount: amounts.length === 0 ? null : Math.round(sum / amounts.length),
    ExitRate: held.length === 0 ? null : Math.round((exits / held.length) * 10_000) / 10_000,
    // At most ten of them are shown; another test checks which.
    LatestInvestments:
      held.length > 10 ? fund.LatestInvestments : sorted(held.map(({ Name }) => Name)),
  };
}

function newsLeft(
  item: Json,
  gone: ReadonlySet<string>,
  startups: ReadonlyMap<unknown, Json>,
  funds: ReadonlyMap<unknown, Json>,
): Json[] {
  const StartupId = gone.has(String(item.StartupId)) ? null : item.StartupId;
  const FundId = gone.has(String(item.FundId)) ? null : item.FundId;
  const hadCompany = item.StartupId !== null || item.FundId !== null;
  if (hadCompany && StartupId === null && FundId === null) return [];
  const [Startup, Fund] = [refreshedOne(item.Startup, startups), refreshedOne(item.Fund, funds)];
  return [{ ...item, StartupId, FundId, Startup, Fund }];
}

function refreshed(value: unknown, left: ReadonlyMap<unknown, Json>): unknown {
  const records = (value as Json[]).flatMap((each) => refreshedOne(each, left) ?? []);
  return plain(records);
}

/** A related record after the deletion: its fields in the collection, and those of the relation. */
function refreshedOne(value: unknown, left: ReadonlyMap<unknown, Json>): Json | null {
  if (value === null) return null;
  const record = value as Json;
  const now = left.get(record.Id);
  if (now === undefined) return null;
  return Object.fromEntries(
    Object.entries(record).map(([name, each]) => [
      name,
      name in now && !ADDED.has(name) ? now[name] : each,
    ]),
  );
}

/** Names with another meaning in a relation than in the record. */
const ADDED = new Set(['HoldingStatus', 'Title', 'Since']);

/** Counts of every dimension of the entities, by the value. */
export function facetsOf(dump: Dump): Record<string, Record<string, Record<string, number>>> {
  const company = {
    industry: 'Tag',
    country: 'Country',
    region: 'Region',
    city: 'City',
    founded_year: 'Founded',
    team_size: 'MembersCountBucket',
    operating_status: 'OperatingStatus',
  };
  const fields = {
    startups: {
      ...company,
      stage: 'LastFundingStage',
      next_stage: 'NextFundingStage',
      exit_status: 'Status',
    },
    funds: { ...company, investment_stage: 'InvestmentStage', investor_type: 'InvestmentType' },
    rounds: { round_series: 'Series', round_stage: 'Stage', round_year: 'Year' },
  };
  return Object.fromEntries(
    Object.entries(fields).map(([entity, dimensions]) => [
      entity,
      Object.fromEntries(
        Object.entries(dimensions).map(([id, field]) => [
          id,
          countsOf(dump[entity as 'startups' | 'funds' | 'rounds'], field),
        ]),
      ),
    ]),
  );
}

function countsOf(records: readonly Json[], field: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const record of records) {
    for (const value of new Set([record[field]].flat())) {
      if (value !== null) counts[String(value)] = (counts[String(value)] ?? 0) + 1;
    }
  }
  return counts;
}

function sorted(names: readonly unknown[]): unknown[] {
  return plain([...names]) as unknown[];
}
