/** Records that tie two others together: the pair is their identity, a key is not needed. */
import { exitStatuses } from '@vcds/venture-model';
import { type FieldRow, recordTable } from './kinds.ts';

const STARTUP = {
  kind: 'ref',
  to: 'startup',
  identity: true,
  required: true,
  column: 'startup_id',
  doc: 'The company.',
} as const satisfies FieldRow;

const FUND = {
  kind: 'ref',
  to: 'fund',
  identity: true,
  required: true,
  column: 'fund_id',
  doc: 'The fund.',
} as const satisfies FieldRow;

const PERSON = {
  kind: 'ref',
  to: 'person',
  identity: true,
  required: true,
  column: 'person_id',
  doc: 'The person.',
} as const satisfies FieldRow;

const POST = {
  Title: { kind: 'text', max: 500, column: 'title', doc: 'The position.' },
  Since: { kind: 'date', column: 'since', doc: 'The first day.' },
} as const satisfies Readonly<Record<string, FieldRow>>;

export const investorRecord = recordTable({
  type: 'investor',
  table: 'round_investor',
  doc: 'A participant of a round.',
  fields: {
    Round: {
      kind: 'ref',
      to: 'round',
      identity: true,
      required: true,
      column: 'round_id',
      doc: 'The round.',
    },
    Investor: { kind: 'investor', identity: true, required: true, doc: 'The fund or person.' },
    Lead: {
      kind: 'boolean',
      column: 'lead',
      absent: false,
      doc: 'Whether it led the round. Default: false.',
    },
  },
});

export const holdingRecord = recordTable({
  type: 'holding',
  table: 'holding',
  doc: 'A company in the portfolio of a fund. A round with the fund implies one.',
  fields: {
    Fund: FUND,
    Startup: STARTUP,
    Status: {
      kind: 'closed',
      closed: exitStatuses,
      column: 'status',
      absent: 'Held',
      doc: 'Default: Held.',
    },
  },
});

export const startupPersonRecord = recordTable({
  type: 'startup_person',
  table: 'startup_person',
  doc: 'A person at a company.',
  fields: { Startup: STARTUP, Person: PERSON, ...POST },
});

export const fundPersonRecord = recordTable({
  type: 'fund_person',
  table: 'fund_person',
  doc: 'A person on the team of a fund.',
  fields: { Fund: FUND, Person: PERSON, ...POST },
});
