import { type ClosedValue, type FieldSpec, fieldTable } from '@vcds/odata-query';

const closedValue = (value: number | string, name: string, slug: string, label: string) =>
  ({ value, name, slug, label }) satisfies ClosedValue;

export const STAGES: readonly ClosedValue[] = [
  closedValue(1, 'PreSeed', 'pre-seed', 'Pre-seed'),
  closedValue(3, 'Seed', 'seed', 'Seed'),
  closedValue(4, 'SeriesA', 'series-a', 'Series A'),
  closedValue(5, 'SeriesB', 'series-b', 'Series B'),
];

const SOURCES: readonly ClosedValue[] = [
  closedValue('Organic', 'Organic', 'organic', 'Organic'),
  closedValue('FundWebsite', 'FundWebsite', 'fund-website', 'Fund website'),
  closedValue('Media', 'Media', 'media', 'Media'),
];

const BOTH = { filterable: true, sortable: true } as const;
const FILTER = { filterable: true, sortable: false } as const;
const NEITHER = { filterable: false, sortable: false } as const;

export const FIELDS: readonly FieldSpec[] = [
  { name: 'Id', type: 'uuid', ...BOTH },
  { name: 'Name', type: 'text', ...BOTH },
  { name: 'Title', type: 'text', ...FILTER, operators: ['like'] },
  { name: 'Description', type: 'text', ...NEITHER },
  { name: 'Founded', type: 'year', ...BOTH },
  { name: 'MembersCount', type: 'integer', ...BOTH },
  { name: 'TotalRaised', type: 'usd', ...BOTH },
  { name: 'Share', type: 'number', ...BOTH },
  { name: 'Date', type: 'date', ...BOTH },
  { name: 'UpdatedTimeStamp', type: 'instant', ...BOTH },
  { name: 'Confirmed', type: 'boolean', ...FILTER },
  { name: 'Tag', type: 'text', many: true, ...FILTER, see: '/categories/industry' },
  { name: 'Quarter', type: 'integer', many: true, ...FILTER },
  { name: 'LastFundingStage', type: 'closed', closed: STAGES, ...BOTH, see: '/categories/stage' },
  { name: 'PrimarySource', type: 'closed', closed: SOURCES, ...FILTER },
  { name: 'InvestmentStage', type: 'closed', many: true, closed: STAGES, ...FILTER },
  { name: 'Investor', type: 'uuid', many: true, ...FILTER, selectable: false },
  { name: 'Group.Name', type: 'text', many: true, ...FILTER, selectable: false },
  { name: 'Keywords', type: 'keywords', ...FILTER, selectable: false },
  { name: 'AverageRoundAmount', type: 'usd', ...NEITHER, computed: true },
];

/** One field of every type, multi-valued ones, and one for every error. */
export const TABLE = fieldTable(FIELDS);
