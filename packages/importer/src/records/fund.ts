import { investorTypes, stages } from '@vcds/venture-model';
import { recordTable } from './kinds.ts';
import { profileFields } from './profile.ts';

export const fundRecord = recordTable({
  type: 'fund',
  table: 'fund',
  doc: 'An investor that is an organisation.',
  fields: {
    ...profileFields,
    InvestmentStages: {
      kind: 'closedList',
      closed: stages,
      column: 'investment_stages',
      doc: 'Stages at which the fund says it invests.',
    },
    InvestmentTypes: {
      kind: 'closedList',
      closed: investorTypes,
      column: 'investment_types',
      doc: 'What kind of investor it is.',
    },
    Groups: {
      kind: 'terms',
      term: 'group',
      column: 'groups',
      doc: 'Editorial groups it belongs to.',
    },
  },
});
