import { fundRecord } from './fund.ts';
import type { RecordType } from './kinds.ts';
import { newsRecord } from './news.ts';
import { observationRecord } from './observation.ts';
import { personRecord } from './person.ts';
import { referenceRecord } from './reference.ts';
import {
  fundPersonRecord,
  holdingRecord,
  investorRecord,
  startupPersonRecord,
} from './relations.ts';
import { roundRecord } from './round.ts';
import { startupRecord } from './startup.ts';
import { valuationRecord } from './valuation.ts';

/** Every record type, in the order in which records depend on each other. */
export const recordTables = {
  startup: startupRecord,
  fund: fundRecord,
  person: personRecord,
  holding: holdingRecord,
  round: roundRecord,
  investor: investorRecord,
  valuation: valuationRecord,
  news: newsRecord,
  startup_person: startupPersonRecord,
  fund_person: fundPersonRecord,
  reference: referenceRecord,
  observation: observationRecord,
} as const satisfies Readonly<Record<RecordType, { readonly type: RecordType }>>;

export type RecordTables = typeof recordTables;
