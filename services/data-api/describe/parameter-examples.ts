/** An example of each parameter: of its row, its resource or its name. */
import { dimensionOf } from '@vcds/venture-model';
import type { Resource } from '../src/resources/index.ts';
import type { Parameter } from '../src/serve/request/parameters.ts';

type Example = string | number | boolean | readonly string[];

/** Filters by resource. */
const FILTERS: Readonly<Record<string, string>> = {
  fund: "InvestmentType eq 'accelerator' and Country eq 'France'",
  startup: "Country eq 'United Kingdom' and LastFundingStage eq 'series-a'",
  fundingRound: "Stage eq 'series-a' and Date ge 2020-01-01 and Amount ge 5000000",
  postValuation: 'Amount ge 1000000000 and Estimated eq false',
  person: "Role eq 'founder' and Name like 'Ada%'",
  startupPerson: "Role eq 'founder'",
  fundPerson: 'Since ge 2020-01-01',
  news: "Title like '%raises%' and Date ge 2024-01-01",
  holding: "Status in ('Exited','Acquired')",
  reference: "Confidence eq 'confirmed'",
};

/** Values of open dimensions, and of other parameters, by name. */
const BY_NAME: Readonly<Record<string, Example>> = {
  snapshot: '20261128T010000Z',
  file: 'startups-0.parquet',
  industry: ['Fintech'],
  country: ['France', 'Germany'],
  region: ['California'],
  city: ['London'],
  founded_year: ['2015'],
  fund_group: ['Impact'],
  round_series: ['Series A'],
  round_year: ['2021'],
  since: '2026-01-01',
  until: '2026-02-01T00:00:00Z',
  occurredSince: '2025-01-01',
  occurredUntil: '2025-12-31',
  subject: ['0b0e7c5e-5b0e-5c7e-9d8e-3f2f6f1c2a10'],
  cursor: 'bm90LWEtcmVhbC1jdXJzb3I',
  website: 'stripe.com',
  id: '0b0e7c5e-5b0e-5c7e-9d8e-3f2f6f1c2a10',
  dimension: 'stage',
  value: 'series-a',
  q: '*tech',
};

export function exampleOf(
  { name, example, ...row }: Parameter,
  resource: Resource | undefined,
): Example | undefined {
  if (example !== undefined) return example;
  const closed = dimensionOf(name)?.closed;
  if (closed !== undefined) return closed.slice(1, 3).map(({ slug }) => slug);
  return (
    (resource && ofResource(name, resource)) ??
    BY_NAME[name] ??
    (row.kind === 'list' ? row.values?.slice(0, 2) : row.default)
  );
}

export function exampleOfPath(name: string): Example | undefined {
  return BY_NAME[name];
}

function ofResource(name: string, { name: of, fields, relations }: Resource): Example | undefined {
  const names = [...fields.values()].filter(({ selectable }) => selectable !== false);
  switch (name) {
    case '$filter':
      return FILTERS[of];
    case '$select':
      return names.slice(0, 3).map((field) => field.name);
    case '$orderby': {
      const sortable = names.filter((field) => field.sortable);
      const key = sortable.find(({ type }) => type === 'date') ?? sortable.at(-1);
      return key && [`${key.name} desc`];
    }
    case '$expand':
      return [...relations.keys()].slice(0, 1);
    default:
      return undefined;
  }
}
