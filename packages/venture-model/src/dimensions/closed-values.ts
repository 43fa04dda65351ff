/**
 * The fixed lists of docs/spec/categories.md 8.4: one row per value. Records return `value`;
 * filters accept it, the label, the slug and the member name.
 */
import type { ClosedValue } from '@vcds/odata-query';
import { CLOSED_VALUE_SYNONYMS } from '../synonyms/value-synonyms.ts';

/** Stages that do not state the maturity of a company. */
const OUTSIDE_THE_ORDER: ReadonlySet<string> = new Set([
  'Venture',
  'Debt',
  'Convertible',
  'Grant',
  'Crowdfunding',
  'Secondary',
  'Corporate',
  'Other',
]);

const numbered = (rows: readonly (readonly [name: string, slug: string, label: string])[]) =>
  rows.map(
    ([name, slug, label], index): ClosedValue =>
      Object.freeze({
        value: index + 1,
        name,
        slug,
        label,
        synonyms: synonymsOf(label),
        unordered: OUTSIDE_THE_ORDER.has(name),
      }),
  );

const named = (rows: readonly (readonly [name: string, slug: string, label: string])[]) =>
  rows.map(
    ([name, slug, label]): ClosedValue =>
      Object.freeze({ value: name, name, slug, label, synonyms: synonymsOf(label) }),
  );

const synonymsOf = (label: string) =>
  CLOSED_VALUE_SYNONYMS[label as keyof typeof CLOSED_VALUE_SYNONYMS];

/** Funding stages, numbered upward in order of maturity. */
export const stages: readonly ClosedValue[] = numbered([
  ['PreSeed', 'pre-seed', 'Pre-Seed'],
  ['Angel', 'angel', 'Angel'],
  ['Seed', 'seed', 'Seed'],
  ['SeriesA', 'series-a', 'Series A'],
  ['SeriesB', 'series-b', 'Series B'],
  ['SeriesC', 'series-c', 'Series C'],
  ['SeriesD', 'series-d', 'Series D'],
  ['SeriesE', 'series-e', 'Series E'],
  ['SeriesF', 'series-f', 'Series F'],
  ['SeriesG', 'series-g', 'Series G'],
  ['SeriesH', 'series-h', 'Series H'],
  ['Venture', 'venture', 'Venture (series unknown)'],
  ['Growth', 'growth', 'Growth'],
  ['PrivateEquity', 'private-equity', 'Private Equity'],
  ['Debt', 'debt', 'Debt'],
  ['Convertible', 'convertible', 'Convertible'],
  ['Grant', 'grant', 'Grant'],
  ['Crowdfunding', 'crowdfunding', 'Crowdfunding'],
  ['Secondary', 'secondary', 'Secondary'],
  ['Corporate', 'corporate', 'Corporate'],
  ['PostIpo', 'post-ipo', 'Post-IPO'],
  ['Other', 'other', 'Other'],
]);

/** Headcount buckets; the bounds are those of the database function `members_bucket`. */
export const memberBuckets: readonly ClosedValue[] = numbered([
  ['From1To10', '1-10', '1–10'],
  ['From11To50', '11-50', '11–50'],
  ['From51To100', '51-100', '51–100'],
  ['From101To250', '101-250', '101–250'],
  ['From251To500', '251-500', '251–500'],
  ['From501To1000', '501-1000', '501–1,000'],
  ['From1001To5000', '1001-5000', '1,001–5,000'],
  ['From5001To10000', '5001-10000', '5,001–10,000'],
  ['From10001', '10001-plus', '10,001+'],
]);

/** The kinds of investors. */
export const investorTypes: readonly ClosedValue[] = named([
  ['VentureFund', 'venture-fund', 'Venture Fund'],
  ['Accelerator', 'accelerator', 'Accelerator'],
  ['PrivateEquity', 'private-equity', 'Private Equity'],
  ['FundOfFunds', 'fund-of-funds', 'Fund of Funds'],
  ['Corporate', 'corporate', 'Corporate'],
  ['AngelGroup', 'angel-group', 'Angel Group'],
  ['FamilyOffice', 'family-office', 'Family Office'],
  ['Studio', 'studio', 'Studio'],
  ['Public', 'public', 'Public'],
  ['Other', 'other', 'Other'],
]);

/** See docs/spec/resources.md 4.14. */
export const operatingStatuses: readonly ClosedValue[] = named([
  ['Active', 'active', 'Active'],
  ['ProbablyClosed', 'probably-closed', 'Probably closed'],
  ['Closed', 'closed', 'Closed'],
]);

/** docs/spec/resources.md 4.15: the status of one investor's holding. */
export const exitStatuses: readonly ClosedValue[] = named([
  ['Held', 'held', 'Held'],
  ['Exited', 'exited', 'Exited'],
  ['Acquired', 'acquired', 'Acquired'],
]);

/** Whether the source of a round confirms it. */
export const confirmations: readonly ClosedValue[] = named([
  ['Confirmed', 'confirmed', 'Confirmed'],
  ['Unconfirmed', 'unconfirmed', 'Unconfirmed'],
]);

/** How a company first reached the database. */
export const primarySources: readonly ClosedValue[] = named([
  ['Organic', 'organic', 'Organic'],
  ['FundWebsite', 'fund-website', 'Fund website'],
  ['Media', 'media', 'Media'],
]);

/** The roles of people towards companies. */
export const personRoles: readonly ClosedValue[] = named([
  ['founder', 'founder', 'Founder'],
  ['investor', 'investor', 'Investor'],
  ['both', 'both', 'Founder and investor'],
]);
