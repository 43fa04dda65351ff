import { answered, recordFields, stored } from './field.ts';
import { resource } from './resource.ts';

/** An article tied to a company (spec §2.1). */
export const news = resource({
  name: 'news',
  title: 'News item',
  table: 'venture.news',
  fields: recordFields([
    stored('Title', 'text', 'title', { operators: ['like'], folded: 'title_folded' }),
    answered('Url', 'text', 'url'),
    stored('Publisher', 'text', 'publisher'),
    stored('Date', 'date', 'date', { sortable: true }),
    stored('StartupId', 'uuid', 'startup_id'),
    stored('FundId', 'uuid', 'fund_id'),
  ]),
  relations: [
    {
      name: 'Startup',
      description: 'The company the article is about.',
      kind: 'records',
      target: 'startup',
      many: false,
      from: (row) =>
        `FROM venture.startup t WHERE t.id = ${row}.startup_id AND t.deleted_at IS NULL`,
    },
    {
      name: 'Fund',
      description: 'The investor the article is about.',
      kind: 'records',
      target: 'fund',
      many: false,
      from: (row) => `FROM venture.fund t WHERE t.id = ${row}.fund_id AND t.deleted_at IS NULL`,
    },
  ],
});
