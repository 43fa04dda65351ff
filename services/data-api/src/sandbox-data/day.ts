/** The scripted day of the sandbox (docs/spec/sandbox.md 29.4): what each step imports. */
import type { ImportLine } from '@vcds/importer';

/** A step of the day. */
export interface SandboxStep {
  readonly name: string;
  readonly description: string;
  readonly lines: readonly ImportLine[];
}

const SOURCE = 'demonstration';
const DAY = '2026-01-01';
/** The records before the first step: the demonstration data of this size that ends on the day. */
export const SANDBOX_DATA = { startups: 300, seed: 1, today: DAY } as const;

const LARKMOOR = 'sandbox-startup-1';
const ROUND = 'sandbox-round-1';
const NEWS = 'sandbox-news-1';
/** A company with three rounds and two valuations, which leave and return with it. */
const DELETED = 'startup-100';
/** More than a page of records that change in one transaction: they have one UpdatedTimeStamp. */
const BULK = Array.from({ length: 60 }, (_, index) => index + 30);

const at = (hour: number) => ({ source: SOURCE, occurredAt: `${DAY}T${hour}:30:00Z` }) as const;
const description = (text: string): string => `${text} An invented company, for demonstration.`;

const larkmoor: ImportLine = {
  ...{ op: 'upsert', type: 'startup', key: LARKMOOR, ...at(10) },
  ...{ Name: 'Larkmoor Robotics', Website: 'https://larkmoor-robotics.example/', Founded: 2024 },
  Description: description('Larkmoor Robotics makes robots that sort parcels.'),
  ...{ Tags: ['Robotics', 'Logistics'], MembersCount: 11, OperatingStatus: 'Active' },
  ...{ Addresses: [{ City: 'Leeds', Region: 'England', Country: 'United Kingdom' }] },
  ...{ OperatingStatusSource: 'owner', PrimarySource: 'Organic' },
};

const fenerlune: ImportLine = {
  ...{ op: 'upsert', type: 'startup', key: DELETED, ...at(15) },
  ...{ Name: 'Fenerlune Flow', Website: 'https://fenerlune-flow.example/', Founded: 2018 },
  Description: description('Fenerlune Flow is back.'),
  ...{ Tags: ['Enterprise Software', 'Sustainability'], MembersCount: 7 },
  ...{ Addresses: [{ City: 'Jakarta', Region: 'Jakarta', Country: 'Indonesia' }] },
  ...{ OperatingStatus: 'Active', OperatingStatusSource: 'inferred', PrimarySource: 'Organic' },
};

export const SANDBOX_DAY: readonly SandboxStep[] = [
  {
    name: 'additions',
    description: 'A company, its founder, a round without investors and a news item are added.',
    lines: [
      larkmoor,
      {
        ...{ op: 'upsert', type: 'person', key: 'sandbox-person-1', ...at(10) },
        ...{ Name: 'Ada Larkmoor', FirstName: 'Ada', LastName: 'Larkmoor', Role: 'founder' },
      },
      {
        ...{ op: 'upsert', type: 'startup_person', ...at(10), Title: 'Founder' },
        ...{ Startup: { key: LARKMOOR }, Person: { key: 'sandbox-person-1' } },
      },
      {
        ...{ op: 'upsert', type: 'round', key: ROUND, ...at(10), Startup: { key: LARKMOOR } },
        ...{ Date: DAY, Series: 'Seed', Amount: 2_000_000, Currency: 'USD', Confirmed: true },
      },
      {
        ...{ op: 'upsert', type: 'news', key: NEWS, ...at(10), Startup: { key: LARKMOOR } },
        ...{ Title: 'Larkmoor Robotics raises $2m', Publisher: 'Ledger & Lantern', Date: DAY },
        Url: `https://ledger-lantern.example/${DAY}/larkmoor-robotics-raises-2m`,
      },
    ],
  },
  {
    name: 'investors',
    description: 'The lead investor of the round and its valuation become known.',
    lines: [
      {
        ...{ op: 'upsert', type: 'investor', ...at(11), Lead: true },
        ...{ Round: { key: ROUND }, Investor: { type: 'fund', key: 'fund-5' } },
      },
      {
        ...{ op: 'upsert', type: 'valuation', key: 'sandbox-valuation-1', ...at(11) },
        ...{ Startup: { key: LARKMOOR }, Round: { key: ROUND }, Date: DAY, Amount: 10_000_000 },
      },
    ],
  },
  {
    name: 'corrections',
    description: 'The amount of the round, and the name and city of the company, are corrected.',
    lines: [
      {
        ...{ op: 'patch', type: 'round', key: ROUND, ...at(12) },
        ...{ Amount: 2_400_000, Currency: 'USD' },
      },
      {
        ...{ op: 'patch', type: 'startup', key: LARKMOOR, ...at(12), Name: 'Larkmoor Robots' },
        ...{ Addresses: [{ City: 'York', Region: 'England', Country: 'United Kingdom' }] },
      },
    ],
  },
  {
    name: 'bulk',
    description: 'The headcounts of 60 companies change at the same instant.',
    lines: BULK.map((index) => ({
      ...{ op: 'patch', type: 'startup', key: `startup-${index}`, ...at(13) },
      MembersCount: 1_000 + index,
    })),
  },
  {
    name: 'deletions',
    description: 'A company leaves with its rounds and valuations, and a news item is deleted.',
    lines: [
      { op: 'delete', type: 'startup', key: DELETED, ...at(14) },
      { op: 'delete', type: 'news', key: NEWS, ...at(14) },
    ],
  },
  {
    name: 'restoration',
    description: 'The company is in the data again, with its rounds and valuations.',
    lines: [fenerlune],
  },
];

/** The number of the last step; the state before the first one is step 0. */
export const LAST_STEP = SANDBOX_DAY.length;

/** When a step has happened, of the clock of the sandbox: an hour after the one before. */
export function instantOfStep(step: number): Date {
  return new Date(Date.parse(`${DAY}T09:00:00Z`) + step * 3_600_000);
}
