/** Questions with the calls that answer them. Each call is below {base_url}, not percent-encoded. */
export interface Recipe {
  readonly question: string;
  /** Calls that follow each other. */
  readonly calls: readonly string[];
  /** How to read the response. */
  readonly note?: string;
}

export const RECIPES: readonly Recipe[] = [
  {
    question: 'How many, by a filter',
    calls: ['/startups?$filter=Founded ge 2020 and TotalRaised ge 1000000&$count=true'],
    note: '`{"count": n}`.',
  },
  {
    question: 'How many, by dimensions',
    calls: ['/categories/country/Germany/startups?industry=Fintech&$count=true'],
  },
  {
    question: 'Compare countries (or industries, stages, years) by number of records',
    calls: ['/categories/country?entity=startups&industry=Fintech&top=50'],
    note: 'All values at once; do not call once for each country.',
  },
  {
    question: 'How a market is divided',
    calls: ['/categories/facets?country=France&dimensions=industry,stage,team_size&top=10'],
    note: 'A dimension is not narrowed by its own parameter.',
  },
  {
    question: 'Rounds of a country by stage and year',
    calls: [
      '/categories/facets?entity=rounds&dimensions=round_stage,round_year&country=Sweden&top=30',
    ],
  },
  {
    question: 'The largest rounds of a year',
    calls: [
      '/startups/fundingrounds?$filter=Year eq 2023 and Confirmed eq true&$orderby=Amount desc&$top=3&$expand=Startup',
    ],
  },
  {
    question: 'Median Series A in the United Kingdom by year',
    calls: [
      '/aggregates?entity=rounds&measures=count,median(Amount)&by=year(Date)&round_stage=series-a&confirmed=confirmed&country=United Kingdom',
    ],
    note: 'Without `confirmed` unconfirmed rounds count too. `known` is the number of rounds with an amount. Also `p25`, `p75`, `p90`, `sum`, `average`, `min`, `max`.',
  },
  {
    question: 'Volume and number of rounds of an industry by quarter',
    calls: [
      '/aggregates?entity=rounds&measures=count,sum(Amount)&by=quarter(Date)&industry=Fintech',
    ],
  },
  {
    question: 'Countries by money raised in a year',
    calls: [
      '/aggregates?entity=rounds&measures=sum(Amount),countdistinct(StartupId)&by=country&round_year=2023&orderby=sum(Amount) desc&top=10',
    ],
    note: 'A round of a company with offices in two countries is in both; `total` has it once.',
  },
  {
    question: 'Who invested in X',
    calls: ["/startups?$filter=Name eq 'X'&$select=Name,InvestorNames&$top=1"],
    note: '`$expand=Funds` adds the records of the funds.',
  },
  {
    question: 'The rounds of X, newest first',
    calls: ["/startups?$filter=Name eq 'X'&$expand=FundingRounds&$select=Name&$top=1"],
    note: 'With the participants of each round: `/startups/{id}/fundingrounds?$expand=Investors`.',
  },
  {
    question: 'The founders and managers of X',
    calls: ["/startups?$filter=Name eq 'X'&$expand=Persons&$select=Name&$top=1"],
  },
  {
    question: 'The portfolio of fund X',
    calls: ["/funds?$filter=Name eq 'X'&$expand=Startups&$select=Name&$top=1"],
    note:
      'The whole portfolio with `HoldingStatus`, about 1 KB a company. Of a large fund: find its id, then ' +
      '`/funds/{id}/portfolio?$select=Startup,Status`.',
  },
  {
    question: 'The exits of fund X',
    calls: [
      '/funds/search?q=X&top=1',
      "/funds/{id}/portfolio?$filter=Status ne 'Held'&$select=Startup,Status,ExitDate,Acquirer&$orderby=ExitDate desc&$top=100",
    ],
    note: 'Only their number: `$count=true`. Only their share: `ExitRate` of the fund.',
  },
  {
    question: 'Companies like X, or its competitors',
    calls: ['/startups/search?q=X&top=1', '/startups/{id}/similar?top=10'],
    note: 'Any dimension narrows them: `&country=Germany`. Of funds: `/funds/{id}/similar`.',
  },
  {
    question: 'The step-up from Series A to Series B',
    calls: [
      '/aggregates?entity=valuations&measures=count,median(StepUp)&$filter=PreviousStage eq 4 and Stage eq 5',
    ],
    note: '`StepUp` compares a valuation with the one before it of the same company. `by=year(Date)` has it by year.',
  },
  {
    question: 'Median post-money valuation by stage',
    calls: ['/aggregates?entity=valuations&measures=count,median(Amount)&by=round_stage'],
    note: '`stage` is that of the last round of the company.',
  },
  {
    question: 'Funds that invested for the first time in a year',
    calls: [
      '/funds?$filter=FirstInvestmentDate ge 2023-01-01 and FirstInvestmentDate lt 2024-01-01&$count=true',
    ],
  },
  {
    question: 'Serial founders',
    calls: ['/persons?$filter=FoundedCount ge 2&$orderby=FoundedCount desc&$top=10'],
  },
  {
    question: 'The newest rounds of an industry in a country',
    calls: [
      '/categories/industry/Fintech/rounds?country=Germany&$orderby=Date desc&$top=5&$expand=Startup',
    ],
    note: 'Of all startups: `/startups/fundingrounds` with the same `$` parameters.',
  },
  {
    question: 'The best-funded startups of a country',
    calls: [
      "/startups?$filter=Country eq 'Spain'&$orderby=TotalRaised desc&$top=5&$select=Name,TotalRaised",
    ],
  },
  {
    question: 'Startups that are about to raise a Series A',
    calls: [
      '/categories/next_stage/series-a/startups?country=France&$filter=LastFundingDate ge 2024-01-01&$orderby=LastFundingDate desc&$top=5',
    ],
    note: '`next_stage` is a prediction.',
  },
  {
    question: 'The most valuable startups, by their latest valuation',
    calls: [
      '/startups?$orderby=LatestPostValuation desc&$top=3&$select=Id,Name,LatestPostValuation',
    ],
    note: 'With date and `Estimated`: `/startups/{id}/postvaluations?$orderby=Date desc&$top=1`.',
  },
  {
    question: 'Where the facts about X come from, and what other sources say',
    calls: ['/startups/{id}/references?$select=Field,Value,Chosen,Source,Url&$top=100'],
    note: '`Chosen eq false`: values of other sources, which the record does not have.',
  },
  {
    question: 'The latest news about X',
    calls: ["/news?$filter=Title like 'X'&$orderby=Date desc&$top=5&$select=Title,Date,Url"],
    note: 'By id: `StartupId eq …`, `FundId eq …`.',
  },
  {
    question: 'From a name or website to an id',
    calls: ['/companies/search?q=X&top=3&fields=Name,Website,Country,Score'],
    note: 'Score 1 is the same name or website. Up to 100 at once: `POST /companies/match` with `[{ref, name, website, country}]`.',
  },
  {
    question: 'Facts from the own site of a company (25 credits)',
    calls: ['/find?website=stripe.com'],
    note: 'Read now. `Evidence` says what states each fact; `Match` is our record, or null.',
  },
  {
    question: 'Investors for a startup or a planned round, and why (10 credits)',
    calls: [
      '/venturematching?startup=ID&top=10',
      '/venturematching?tags=Fintech&country=Germany&stage=seed&amount=2000000',
    ],
    note: 'Best first. `Reasons` state facts of the fund with numbers; those that have invested already are left out.',
  },
  {
    question: 'Startups that fit the investments of a fund, and why (10 credits)',
    calls: ['/venturematching?fund=ID&top=10'],
  },
  { question: 'The spelling of a tag', calls: ['/startups/tags/search?q=fin'] },
  {
    question: 'The spelling of a city, region or group',
    calls: ['/categories/city?country=France&q=par'],
  },
  {
    question: 'All changes of my portfolio since a day',
    calls: ['/signals?subject=ID,ID&since=2026-01-01&order=asc&limit=200&expand=subject'],
    note:
      'Add the id of the fund: new holdings, exits and joined rounds have it as subject. Repeat with ' +
      '`cursor=nextCursor` while `hasMore`, and store `nextCursor` for the next day.',
  },
  {
    question: 'Which records changed since a day, which fields, and which are gone',
    calls: ['/changes?collections=startups,fundingrounds&since=2026-01-01&limit=200'],
    note: 'The header `Link` has the next page.',
  },
  {
    question: 'The last changes of X that were recorded',
    calls: ['/signals?subject=ID&limit=3&expand=object'],
    note: 'The last in the market: read all of X and sort by `occurredAt`.',
  },
  {
    question: 'Recent large rounds of an industry, as events',
    calls: [
      '/signals?types=round.recorded&industry=Fintech&minAmount=10000000&limit=20&expand=subject',
    ],
  },
  {
    question: 'What happened lately in an industry, as headlines with links',
    calls: ['/activityfeed?industry=Fintech&types=round.recorded,portfolio.exit_recorded&$top=20'],
    note: 'Newest market date first. The header `Link` has the next page.',
  },
  {
    question: 'What a call would cost',
    calls: ["/startups?$filter=Country eq 'France'&$top=100&$expand=Funds&quote=true"],
  },
];
