/** The shapes of docs/spec/resources.md, in the form that openapi-typescript writes. */
export interface Stamped {
  Id: string;
  CreatedTimeStamp: string;
  UpdatedTimeStamp: string;
}

export interface Company extends Stamped {
  Name: string | null;
  Website: string | null;
  Domain: string | null;
  Description: string | null;
  Location: string | null;
  Founded: number | null;
  Tag: string[];
  Country: string[];
  Region: string[];
  City: string[];
  MembersCount: number | null;
  MembersCountBucket: number | null;
  OperatingStatus: string | null;
}

export interface Startup extends Company {
  TotalRaised: number | null;
  LastFundingStage: number | null;
  NextFundingStage: number | null;
  LastFundingDate: string | null;
  PrimarySource: string | null;
  Status: string[];
  RoundsCount: number;
  LatestPostValuation: number | null;
  AverageRoundAmount: number | null;
  FundingPerMember: number | null;
  InvestorNames: string | null;
}

export interface Fund extends Company {
  InvestmentStage: number[];
  InvestmentType: string[];
  InvestmentsCount: number;
  LastInvestmentDate: string | null;
  AverageRoundAmount: number | null;
  ExitRate: number | null;
  LatestInvestments: string | null;
}

export interface FundingRound extends Stamped {
  StartupId: string;
  Date: string | null;
  Year: number | null;
  Series: string | null;
  Stage: number | null;
  Amount: number | null;
  OriginalAmount: number | null;
  OriginalCurrency: string | null;
  Confirmed: boolean;
  InvestorNames: string | null;
}

export interface PostValuation extends Stamped {
  StartupId: string;
  FundingRoundId: string | null;
  Date: string | null;
  Year: number | null;
  Amount: number;
  Estimated: boolean;
}

export interface Person extends Stamped {
  Name: string | null;
  FirstName: string | null;
  LastName: string | null;
  Role: string | null;
  Title: string | null;
  Location: string | null;
  Country: string[];
}

export interface CompanyPerson extends Person {
  Since: string | null;
}

export interface NewsItem extends Stamped {
  Title: string | null;
  Url: string | null;
  Publisher: string | null;
  Date: string | null;
  StartupId: string | null;
  FundId: string | null;
}

export interface Holding {
  Startup: { Id: string; Name: string | null; Website: string | null };
  Status: string;
  FirstInvestmentDate: string | null;
  LastInvestmentDate: string | null;
  RoundsCount: number;
}

export interface Reference {
  Field: string;
  RecordId: string | null;
  Source: string | null;
  Url: string | null;
  RetrievedAt: string;
  Confidence: string;
}

export interface CompanyMatch {
  Id: string;
  Type: 'startup' | 'fund';
  Name?: string | null;
  Website?: string | null;
  Domain?: string | null;
  Location?: string | null;
  Country?: string[];
  Description?: string | null;
  Tags?: string[];
  LogoUrl?: string | null;
  Score?: number;
  MatchedOn?: 'name' | 'website' | 'both';
}

export interface CategoryValue {
  value: string | number;
  label: string;
  slug?: string;
  name?: string;
  count?: number;
}

export interface Dimension {
  id: string;
  title: string;
  description: string;
  kind: 'open' | 'closed' | 'bucketed';
  entities: string[];
  filterField: string;
  values?: CategoryValue[];
}

export interface SignalParty {
  type: string;
  id: string;
  name?: string | null;
  domain?: string | null;
}

export interface Signal {
  id: string;
  type: string;
  detectedAt: string;
  occurredAt: string;
  subject: SignalParty;
  object?: SignalParty;
  amount?: number | null;
  label?: string | null;
}

export interface SignalPage {
  signals: Signal[];
  nextCursor: string;
  hasMore: boolean;
  order: 'asc' | 'desc';
}

export interface SignalTypes {
  clock: { orderedBy: string; note: string };
  types: {
    type: string;
    subject: string | null;
    object: string | null;
    carriesAmount: boolean;
    description: string;
  }[];
}

export interface RateCard {
  version: string;
  unit: string;
  formula: string;
  errors: number;
  plans: Record<string, unknown>[];
  classes: Record<string, unknown>[];
  endpoints: Record<string, unknown>[];
  checks: Record<string, unknown>[];
}

export type DimensionId =
  | ('industry' | 'country' | 'region' | 'city' | 'stage' | 'next_stage' | 'investment_stage')
  | ('investor_type' | 'team_size' | 'operating_status' | 'exit_status' | 'founded_year')
  | ('fund_group' | 'round_series' | 'round_year');
export type Narrowing = { [Dimension in DimensionId]?: string };

export interface RecordQuery {
  $select?: string;
  $expand?: string;
}

export interface CollectionQuery extends RecordQuery {
  $top?: number;
  $skip?: number;
  $filter?: string;
  $orderby?: string;
  $count?: boolean;
}

export interface SearchQuery {
  q?: string;
  website?: string;
  top?: number;
}

export interface SignalsQuery extends Narrowing {
  types?: string;
  since?: string;
  until?: string;
  occurredSince?: string;
  occurredUntil?: string;
  subject?: string;
  minAmount?: number;
  cursor?: string;
  order?: 'asc' | 'desc';
  limit?: number;
  expand?: string;
}

export interface Get<Data, Query = Record<never, never>, Path = Record<never, never>> {
  path: Path;
  query: Query;
  result: Data;
}

export interface ById {
  id: string;
}

export interface ByDimension {
  dimension: string;
}

export interface ByValue extends ByDimension {
  value: string;
}

type EntityQuery = CollectionQuery & Narrowing;

export interface Calls {
  '/funds': Get<Fund[], CollectionQuery>;
  '/funds/search': Get<CompanyMatch[], SearchQuery>;
  '/funds/{id}': Get<Fund, RecordQuery, ById>;
  '/funds/{id}/portfolio': Get<Holding[], CollectionQuery, ById>;
  '/funds/{id}/persons': Get<CompanyPerson[], CollectionQuery, ById>;
  '/startups': Get<Startup[], CollectionQuery>;
  '/startups/search': Get<CompanyMatch[], SearchQuery>;
  '/startups/tags/search': Get<CategoryValue[], { q: string; top?: number }>;
  '/startups/fundingrounds': Get<FundingRound[], CollectionQuery>;
  '/startups/postvaluations': Get<PostValuation[], CollectionQuery>;
  '/startups/{id}': Get<Startup, RecordQuery, ById>;
  '/startups/{id}/fundingrounds': Get<FundingRound[], CollectionQuery, ById>;
  '/startups/{id}/postvaluations': Get<PostValuation[], CollectionQuery, ById>;
  '/startups/{id}/persons': Get<CompanyPerson[], CollectionQuery, ById>;
  '/startups/{id}/references': Get<Reference[], CollectionQuery, ById>;
  '/persons': Get<Person[], CollectionQuery>;
  '/persons/{id}': Get<Person, RecordQuery, ById>;
  '/news': Get<NewsItem[], CollectionQuery>;
  '/companies/search': Get<CompanyMatch[], SearchQuery & { fields?: string }>;
  '/categories': Get<{ entities: string[]; dimensions: Dimension[] }, { entity?: string }>;
  '/categories/facets': Get<
    {
      entity: string;
      narrowedBy: Record<string, string[]>;
      facets: Record<string, CategoryValue[]>;
    },
    Narrowing & { entity?: string; dimensions?: string; top?: number }
  >;
  '/categories/{dimension}': Get<
    {
      dimension: string;
      entity: string;
      narrowedBy: Record<string, string[]>;
      values: CategoryValue[];
    },
    Narrowing & { entity?: string; q?: string; top?: number; skip?: number; counts?: boolean },
    ByDimension
  >;
  '/categories/{dimension}/{value}/startups': Get<Startup[], EntityQuery, ByValue>;
  '/categories/{dimension}/{value}/funds': Get<Fund[], EntityQuery, ByValue>;
  '/categories/{dimension}/{value}/rounds': Get<FundingRound[], EntityQuery, ByValue>;
  '/signals': Get<SignalPage, SignalsQuery>;
  '/signals/types': Get<SignalTypes>;
  '/pricing': Get<RateCard>;
}
