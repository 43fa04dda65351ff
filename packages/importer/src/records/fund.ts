import { investorTypes, stages } from '@vcds/venture-model';
import { recordTable } from './kinds.ts';
import { profileFields } from './profile.ts';

export const fundRecord = recordTable({
  type: 'fund',
  table: 'fund',
  doc: 'An investor that is an organization.',
  fields: {
    ...profileFields,
    InvestmentStages: {
      kind: 'closedList',
      closed: stages,
      column: 'investment_stages',
      doc: 'Stages of the stated mandate.',
    },
    InvestmentTypes: {
      kind: 'closedList',
      closed: investorTypes,
      column: 'investment_types',
      doc: 'Kinds of investor.',
    },
    Groups: {
      kind: 'terms',
      term: 'group',
      column: 'groups',
      doc: 'Editorial groups it belongs to.',
    },
  },
});
