/** The entities of the explorer: their figures, keys and columns, one row each. */

export interface Price {
  readonly base: number;
  /** Credits for each record. */
  readonly perRecord: number;
}

export interface CatalogueDimension {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Whether `/categories/facets` counts the entity by it; `/aggregates` counts by all of them. */
  readonly isCounted: boolean;
  /** Whether its values have an order of their own. */
  readonly isOrdinal: boolean;
  /** The labels of a closed list. */
  readonly values: readonly string[];
}

/** The dimensions of each entity, and the prices of calls by path as the rate card writes it. */
export interface Catalogue {
  readonly dimensions: Readonly<Record<EntityName, readonly CatalogueDimension[]>>;
  readonly prices: Readonly<Record<string, Price>>;
}

export type Unit = 'usd' | 'number';

/** A figure of a group, as `/aggregates` names it. */
export interface Figure {
  readonly name: string;
  readonly title: string;
  readonly unit: Unit;
}

/** A column of the list of records. */
export interface Column {
  readonly title: string;
  /** The field, and the path in it: `Startup.Name`. */
  readonly field: string;
  readonly unit?: Unit | 'stage';
}

export interface ExploreEntity {
  readonly title: string;
  /** One record, and several, in a sentence. */
  readonly one: string;
  readonly many: string;
  readonly figures: readonly Figure[];
  /** Keys of time with their titles. */
  readonly times: Readonly<Record<string, string>>;
  /** The condition of a first year, before the year. */
  readonly since: { readonly title: string; readonly of: (year: number) => string };
  readonly path: string;
  readonly expand?: string;
  readonly orderby: string;
  readonly columns: readonly Column[];
}

const COUNT = (title: string): Figure => ({ name: 'count', title, unit: 'number' });
const usd = (name: string, title: string): Figure => ({ name, title, unit: 'usd' });
const TIMES = {
  'quarter(Date)': 'Quarter',
  'year(Date)': 'Year',
  'month(Date)': 'Month',
};
const since = (year: number) => `Date ge ${year}-01-01`;
const founded = { title: 'Founded since', of: (year: number) => `Founded ge ${year}` };

const TABLE = {
  rounds: {
    title: 'Funding rounds',
    one: 'round',
    many: 'rounds',
    figures: [
      usd('sum(Amount)', 'Volume'),
      COUNT('Number of rounds'),
      usd('median(Amount)', 'Median round'),
      usd('average(Amount)', 'Average round'),
    ],
    times: TIMES,
    since: { title: 'Since', of: since },
    path: '/startups/fundingrounds',
    expand: 'Startup',
    orderby: 'Date desc',
    columns: [
      { title: 'Date', field: 'Date' },
      { title: 'Company', field: 'Startup.Name' },
      { title: 'Stage', field: 'Stage', unit: 'stage' },
      { title: 'Amount', field: 'Amount', unit: 'usd' },
    ],
  },
  startups: {
    title: 'Startups',
    one: 'startup',
    many: 'startups',
    figures: [
      COUNT('Number of startups'),
      usd('sum(TotalRaised)', 'Total raised'),
      usd('median(TotalRaised)', 'Median raised'),
      { name: 'median(MembersCount)', title: 'Median team', unit: 'number' },
    ],
    times: { 'quarter(LastFundingDate)': 'Quarter of the last round' },
    since: founded,
    path: '/startups',
    orderby: 'TotalRaised desc',
    columns: [
      { title: 'Name', field: 'Name' },
      { title: 'Country', field: 'Country' },
      { title: 'Founded', field: 'Founded' },
      { title: 'Last round', field: 'LastFundingStage', unit: 'stage' },
      { title: 'Raised', field: 'TotalRaised', unit: 'usd' },
    ],
  },
  funds: {
    title: 'Funds',
    one: 'fund',
    many: 'funds',
    figures: [
      COUNT('Number of funds'),
      { name: 'sum(InvestmentsCount)', title: 'Investments', unit: 'number' },
      { name: 'median(InvestmentsCount)', title: 'Median portfolio', unit: 'number' },
      usd('median(AverageRoundAmount)', 'Median of average rounds'),
    ],
    times: { 'quarter(LastInvestmentDate)': 'Quarter of the last investment' },
    since: founded,
    path: '/funds',
    orderby: 'InvestmentsCount desc',
    columns: [
      { title: 'Name', field: 'Name' },
      { title: 'Country', field: 'Country' },
      { title: 'Founded', field: 'Founded' },
      { title: 'Investments', field: 'InvestmentsCount', unit: 'number' },
      { title: 'Last investment', field: 'LastInvestmentDate' },
    ],
  },
  valuations: {
    title: 'Valuations',
    one: 'valuation',
    many: 'valuations',
    figures: [
      usd('median(Amount)', 'Median valuation'),
      COUNT('Number of valuations'),
      usd('p25(Amount)', 'Lower quartile'),
      usd('p75(Amount)', 'Upper quartile'),
    ],
    times: TIMES,
    since: { title: 'Since', of: since },
    path: '/startups/postvaluations',
    expand: 'Startup',
    orderby: 'Date desc',
    columns: [
      { title: 'Date', field: 'Date' },
      { title: 'Company', field: 'Startup.Name' },
      { title: 'Valuation', field: 'Amount', unit: 'usd' },
    ],
  },
} satisfies Readonly<Record<string, ExploreEntity>>;

export type EntityName = keyof typeof TABLE;

/** In the order in which they are offered. */
export const ENTITIES: Readonly<Record<EntityName, ExploreEntity>> = TABLE;
export const ENTITY_NAMES = Object.keys(TABLE) as EntityName[];
