/** Noon of a day. */
export const at = (day: string) => `${day}T12:00:00Z`;

/** A round and the other events of two companies. */
export const LINES = [
  { type: 'startup', key: 'moss', Name: 'Lichenbench', Website: 'https://moss.example' },
  { type: 'fund', key: 'acme', Name: 'Acme Ventures', occurredAt: at('2031-01-02') },
  { type: 'fund', key: 'beta', Name: 'Beta Capital' },
  { type: 'person', key: 'ada', Name: '李小龍' },
  {
    ...{ type: 'round', key: 'seed', Startup: { key: 'moss' }, occurredAt: at('2031-02-09') },
    ...{ Date: '2031-02-01', Stage: 'Seed', Amount: 3_900_000, Currency: 'USD' },
    SourceUrl: 'https://source.example/seed',
    Investors: [
      { type: 'fund', key: 'acme' },
      { type: 'fund', key: 'beta' },
      { type: 'person', key: 'ada' },
    ],
  },
  {
    ...{ type: 'valuation', key: 'v', Startup: { key: 'moss' }, occurredAt: at('2031-03-01') },
    ...{ Amount: 40_000_000, Currency: 'USD', Estimated: true },
  },
  {
    ...{ type: 'fund_person', Fund: { key: 'acme' }, Person: { key: 'ada' } },
    ...{ Title: 'Partner', Since: '2031-04-01' },
  },
  {
    ...{ type: 'news', key: 'n', Title: 'Lichenbench in Lisbon', Startup: { key: 'moss' } },
    ...{ Fund: { key: 'acme' }, Date: '2031-05-01', Url: 'https://news.example/n' },
  },
  {
    ...{ type: 'holding', Fund: { key: 'acme' }, Startup: { key: 'moss' }, Status: 'Exited' },
    occurredAt: at('2031-06-01'),
  },
];
