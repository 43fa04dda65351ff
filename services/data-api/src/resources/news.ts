import { column, readOnly, recordFields } from './field.ts';
import { companyRelation } from './relations.ts';
import { resource } from './resource.ts';

/** An article tied to a company (docs/spec/resources.md 4.8). */
export const news = resource({
  name: 'news',
  scope: 'news',
  title: 'News item',
  table: 'venture.news',
  // An item about two companies remains listed for the other if one of them is deleted.
  live: (row) => `${row}.deleted_at IS NULL AND NOT ${row}.companies_deleted`,
  fields: recordFields([
    column('Title', 'text', 'title', {
      notNull: true,
      operators: ['like'],
      folded: 'title_folded',
    }),
    readOnly('Url', 'text', 'url'),
    column('Publisher', 'text', 'publisher'),
    column('Date', 'date', 'date', { sortable: true }),
    column('StartupId', 'uuid', 'live_startup_id'),
    column('FundId', 'uuid', 'live_fund_id'),
  ]),
  relations: [
    companyRelation('startup', 'live_startup_id', 'The company the article is about.'),
    companyRelation('fund', 'live_fund_id', 'The investor the article is about.'),
  ],
});
