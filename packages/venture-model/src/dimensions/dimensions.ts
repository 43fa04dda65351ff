/** The dimensions (docs/spec/categories.md 8.2), one row each. */

import { isUuidForm } from '@vcds/odata-query';
import { countryName } from '../countries/countries.ts';
import { countryMeant } from '../countries/country-meant.ts';
import {
  confirmations,
  exitStatuses,
  investorTypes,
  memberBuckets,
  operatingStatuses,
  stages,
} from './closed-values.ts';
import {
  array,
  column,
  type Dimension,
  type DimensionId,
  dimension,
  flag,
  ids,
  type Reading,
} from './dimension.ts';
import { type EntityId, PORTFOLIO } from './entity.ts';

/** In the order in which they are listed. */
export const DIMENSIONS: readonly Dimension[] = Object.freeze([
  dimension({
    id: 'industry',
    number: 1,
    title: 'Industry',
    description: 'Sector tags. A company or fund usually carries several.',
    kind: 'open',
    filterField: 'Tag',
    own: { startups: array('tags'), funds: array('tags') },
  }),
  dimension({
    id: 'country',
    number: 2,
    title: 'Country',
    description:
      'Country of a registered address. With offices in two countries it appears under both.',
    kind: 'open',
    filterField: 'Country',
    canonical: countryName,
    meant: (text) => {
      const found = countryMeant(text);
      return found && { value: found.country, isName: found.isName };
    },
    own: { startups: array('countries'), funds: array('countries') },
  }),
  dimension({
    id: 'region',
    number: 3,
    title: 'Region',
    description: 'State, province or region of a registered address.',
    kind: 'open',
    filterField: 'Region',
    own: { startups: array('regions'), funds: array('regions') },
  }),
  dimension({
    id: 'city',
    number: 4,
    title: 'City',
    description: 'City of a registered address.',
    kind: 'open',
    filterField: 'City',
    own: { startups: array('cities'), funds: array('cities') },
  }),
  dimension({
    id: 'stage',
    number: 5,
    title: 'Stage',
    description: 'Series of the latest confirmed round.',
    kind: 'closed',
    closed: stages,
    filterField: 'LastFundingStage',
    own: { startups: column('last_funding_stage') },
  }),
  dimension({
    id: 'next_stage',
    number: 6,
    title: 'Next stage',
    description: 'Series expected next. It is a prediction.',
    kind: 'closed',
    closed: stages,
    filterField: 'NextFundingStage',
    own: { startups: column('next_funding_stage') },
  }),
  dimension({
    id: 'investment_stage',
    number: 7,
    title: 'Investment stage',
    description: 'Stages at which the fund says it invests.',
    kind: 'closed',
    closed: stages,
    filterField: 'InvestmentStage',
    own: { funds: array('investment_stages') },
  }),
  dimension({
    id: 'investor_type',
    number: 8,
    title: 'Investor type',
    description: 'Venture fund, accelerator, private equity, fund of funds and others.',
    kind: 'closed',
    closed: investorTypes,
    filterField: 'InvestmentType',
    own: { funds: array('investment_types') },
  }),
  dimension({
    id: 'team_size',
    number: 9,
    title: 'Team size',
    description: 'Headcount bucket, in people.',
    kind: 'closed',
    closed: memberBuckets,
    filterField: 'MembersCountBucket',
    own: { startups: column('members_bucket'), funds: column('members_bucket') },
  }),
  dimension({
    id: 'operating_status',
    number: 10,
    title: 'Operating status',
    description: 'Active, probably closed, or closed.',
    kind: 'closed',
    closed: operatingStatuses,
    filterField: 'OperatingStatus',
    own: { startups: column('operating_status'), funds: column('operating_status') },
  }),
  dimension({
    id: 'exit_status',
    number: 11,
    title: 'Exit status',
    description:
      'Held, exited or acquired. Recorded per investor, so a company can appear under several.',
    kind: 'closed',
    closed: exitStatuses,
    filterField: 'Status',
    own: { startups: array('exit_statuses') },
    // A fund's own holding counts, not what other investors did with theirs.
    reached: { funds: { through: PORTFOLIO, sql: () => 'link.status', many: false } },
  }),
  dimension({
    id: 'founded_year',
    number: 12,
    title: 'Year founded',
    description: 'Year founded.',
    kind: 'bucketed',
    filterField: 'Founded',
    own: { startups: column('founded'), funds: column('founded') },
  }),
  dimension({
    id: 'fund_group',
    number: 13,
    title: 'Fund group',
    description: 'Editorial groupings of funds.',
    kind: 'open',
    filterField: 'Group.Name',
    own: { funds: array('groups') },
  }),
  dimension({
    id: 'round_series',
    number: 14,
    title: 'Round series',
    description:
      'Series as written in the source, in any spelling. Use round_stage to count or narrow by stage.',
    kind: 'open',
    filterField: 'Series',
    own: { rounds: column('series') },
  }),
  dimension({
    id: 'round_stage',
    number: 16,
    title: 'Round stage',
    description:
      'Stage of the round, from a fixed list. Use it to count or narrow by stage; round_series has ' +
      'the text of the source.',
    kind: 'closed',
    closed: stages,
    filterField: 'Stage',
    own: { rounds: column('stage') },
  }),
  dimension({
    id: 'round_year',
    number: 15,
    title: 'Round year',
    description: 'Year the round was announced.',
    kind: 'bucketed',
    filterField: 'Year',
    own: { rounds: column('year') },
  }),
  dimension({
    id: 'confirmed',
    number: 32,
    title: 'Confirmed',
    description:
      'Whether the source confirms the round. Counts of rounds include unconfirmed ones unless this ' +
      'dimension narrows them.',
    kind: 'closed',
    closed: confirmations,
    filterField: 'Confirmed',
    own: { rounds: flag('confirmed', 'Confirmed', 'Unconfirmed') },
  }),
  dimension({
    id: 'investor',
    number: 33,
    title: 'Investor',
    description:
      'Funds that hold the company, or that took part in the round, by id or name. A fund has itself.',
    kind: 'open',
    filterField: 'Investor',
    names: 'funds',
    canonical: canonicalId,
    own: { startups: holders(), rounds: participants('') },
    reached: { funds: column('id') },
  }),
  dimension({
    id: 'lead_investor',
    number: 34,
    title: 'Lead investor',
    description: 'Funds that led the round, by id or name. A round may have several, or none.',
    kind: 'open',
    filterField: 'LeadInvestor',
    names: 'funds',
    canonical: canonicalId,
    own: { rounds: participants(' AND part.lead') },
  }),
]);

function holders(): Reading {
  return ids(
    (row) => `FROM venture.holding AS part
      JOIN venture.fund AS investor ON investor.id = part.fund_id AND investor.deleted_at IS NULL
      WHERE part.startup_id = ${row}.id AND part.deleted_at IS NULL`,
    'part.fund_id',
  );
}

// By the column that has an index; it may also be the id of a person.
function participants(condition: string): Reading {
  return ids(
    (row) => `FROM venture.round_investor AS part
      JOIN venture.fund AS investor ON investor.id = part.investor_id
        AND part.fund_id IS NOT NULL AND investor.deleted_at IS NULL
      WHERE part.round_id = ${row}.id AND part.deleted_at IS NULL${condition}`,
    'part.investor_id',
  );
}

/** Ids as they are stored; other text is a name. */
function canonicalId(text: string): string {
  return isUuidForm(text) ? text.toLowerCase() : text;
}

const BY_ID: ReadonlyMap<string, Dimension> = new Map(DIMENSIONS.map((each) => [each.id, each]));

/** In the order in which they are listed. */
export const DIMENSION_IDS: readonly DimensionId[] = Object.freeze(DIMENSIONS.map(({ id }) => id));

/** The dimension with a name, or undefined. */
export function dimensionOf(name: string): Dimension | undefined {
  return BY_ID.get(name);
}

/** The dimension of an id. */
export function dimensionById(id: DimensionId): Dimension {
  const found = BY_ID.get(id);
  if (found === undefined) throw new RangeError(`There is no dimension ${id}.`);
  return found;
}

/** The dimensions by which an entity can be counted: its own properties. */
export function dimensionsOf(entity: EntityId): readonly Dimension[] {
  return DIMENSIONS.filter(({ entities }) => entities.includes(entity));
}
