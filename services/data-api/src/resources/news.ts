import { column, readOnly, recordFields } from './field.ts';
import { resource } from './resource.ts';

/** An article tied to a company (docs/spec/resources.md 4.8). */
export const news = resource({
  name: 'news',
  scope: 'news',
  title: 'News item',
  table: 'venture.news',
  // An item about two companies is listed as one about the other when one of them is deleted.
  live: (row) => `${row}.deleted_at IS NULL AND NOT ${row}.companies_deleted`,
  fields: recordFields([
    column('Title', 'text', 'title', { operators: ['like'], folded: 'title_folded' }),
    readOnly('Url', 'text', 'url'),
    column('Publisher', 'text', 'publisher'),
    column('Date', 'date', 'date', { sortable: true }),
    column('StartupId', 'uuid', 'live_startup_id'),
    column('FundId', 'uuid', 'live_fund_id'),
  ]),
  relations: [
    {
      name: 'Startup',
      description: 'The company the article is about.',
      kind: 'records',
      target: 'startup',
      many: false,
      from: (row) =>
        `FROM venture.startup t WHERE t.id = ${row}.live_startup_id AND t.deleted_at IS NULL`,
    },
    {
      name: 'Fund',
      description: 'The investor the article is about.',
      kind: 'records',
      target: 'fund',
      many: false,
      from: (row) =>
        `FROM venture.fund t WHERE t.id = ${row}.live_fund_id AND t.deleted_at IS NULL`,
    },
  ],
});
