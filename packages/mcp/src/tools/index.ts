import { checkBalance, priceOfCall } from './account.ts';
import { recentActivity } from './activity.ts';
import { aggregateRecords } from './aggregates.ts';
import { countByCategory } from './categories.ts';
import { followChanges } from './changes.ts';
import { findCompany } from './companies.ts';
import { describeData } from './describe.ts';
import { fetchDocument, search } from './documents.ts';
import { matchCompanies } from './lists.ts';
import { findMatches } from './matches.ts';
import { countRecords, getRecord, listRecords } from './records.ts';
import { findSimilar } from './similar.ts';
import { readSite } from './sites.ts';
import type { Tool } from './tool.ts';

const METERED = [
  ...[findCompany, getRecord, listRecords, countRecords, countByCategory, aggregateRecords],
  ...[followChanges, recentActivity, readSite, findMatches, findSimilar, matchCompanies],
  ...[search, fetchDocument],
];

/** Every tool, in the order in which they are listed. */
export const TOOLS: readonly Tool[] = [
  ...METERED,
  describeData,
  priceOfCall(METERED),
  checkBalance,
];
