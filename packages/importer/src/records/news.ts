import { recordTable } from './kinds.ts';

export const newsRecord = recordTable({
  type: 'news',
  table: 'news',
  doc: 'An article tied to a company, a fund or both.',
  fields: {
    Title: { kind: 'text', required: true, max: 2000, column: 'title', doc: 'The headline.' },
    Url: { kind: 'url', max: 2000, column: 'url', doc: 'The article.' },
    Publisher: { kind: 'text', max: 500, column: 'publisher', doc: 'The publisher.' },
    Date: { kind: 'date', column: 'date', doc: 'The day it was published.' },
    Startup: { kind: 'ref', to: 'startup', column: 'startup_id', doc: 'The company mentioned.' },
    Fund: { kind: 'ref', to: 'fund', column: 'fund_id', doc: 'The fund mentioned.' },
  },
});
