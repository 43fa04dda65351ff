/** Records that tie two others together: the pair is their identity, a key is not needed. */
import { exitStatuses } from '@vcds/venture-model';
import { type FieldRow, type RecordType, recordTable } from './kinds.ts';

const member = (to: RecordType, doc: string) =>
  ({ kind: 'ref', to, identity: true, required: true, column: `${to}_id`, doc }) as const;

const STARTUP = member('startup', 'The company.');
const FUND = member('fund', 'The fund.');
const PERSON = member('person', 'The person.');

const POST = {
  Title: { kind: 'text', max: 500, column: 'title', doc: 'The position.' },
  Since: { kind: 'date', column: 'since', doc: 'The first day.' },
} as const satisfies Readonly<Record<string, FieldRow>>;

export const investorRecord = recordTable({
  type: 'investor',
  table: 'round_investor',
  doc: 'A participant of a round.',
  fields: {
    Round: member('round', 'The round.'),
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
    ExitDate: {
      kind: 'date',
      column: 'exit_date',
      doc: 'The day of the exit. Only with a Status of Exited or Acquired on the same line.',
    },
    Acquirer: {
      kind: 'text',
      max: 500,
      column: 'acquirer',
      doc: 'The name of the acquirer; as ExitDate.',
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
