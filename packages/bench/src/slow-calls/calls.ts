import { quoteText } from '../collections/lines.ts';
import type { Examples } from '../corpus/describe-corpus.ts';

/** A call that was slow once, or is of a kind that can be. */
export interface SlowCall {
  readonly title: string;
  /** Under `/v2`. */
  readonly path: string;
  /** Measures the page to which the call links instead. */
  readonly isLinked?: true;
}

type Parts = Readonly<Record<string, string | number>>;

const pathOf = (base: string, parts: Parts = {}): string => {
  const query = Object.entries(parts).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  return query.length === 0 ? base : `${base}?${query.join('&')}`;
};

/** The calls, with values of a corpus. */
export function slowCalls(of: Examples): readonly SlowCall[] {
  const call = (title: string, base: string, parts?: Parts): SlowCall => ({
    title,
    path: pathOf(base, parts),
  });
  const [country, rare] = [of['most frequent country'], of['rarest country']];
  const [city, rareCity] = [of['most frequent city'], of['rarest city']];
  const [tag, rareTag] = [of['most frequent industry'], of['rarest industry']];
  const fund = of['fund with most investments'];
  const within = (base: string, ...words: string[]) =>
    `/categories/${base}/${words.map(encodeURIComponent).join('/')}`;
  const startups = (title: string, parts: Parts) => call(title, '/startups', parts);
  const counted = (title: string, filter?: string) =>
    startups(`\`$count\` of ${title}`, {
      ...(filter === undefined ? {} : { $filter: filter }),
      $count: 'true',
    });
  return [
    call('by id', `/startups/${of['a startup with rounds']}`),
    startups('rare city, by TotalRaised', {
      $filter: `City eq ${quoteText(rareCity)}`,
      $orderby: 'TotalRaised desc',
    }),
    startups('frequent city and Founded, by TotalRaised', {
      $filter: `City eq ${quoteText(city)} and Founded ge 2015`,
      $orderby: 'TotalRaised desc',
    }),
    startups('rare city and Founded, by TotalRaised', {
      $filter: `City eq ${quoteText(rareCity)} and Founded ge 1960`,
      $orderby: 'TotalRaised desc',
    }),
    startups('by Id', { $orderby: 'Id' }),
    startups('by Founded, then Name', { $orderby: 'Founded desc,Name' }),
    startups('country, by Founded, then Name', {
      $filter: `Country eq ${quoteText(country)}`,
      $orderby: 'Founded desc,Name',
    }),
    startups('`$skip` 100,000', { $skip: 100_000 }),
    startups('`$skip` 500,000 by Name', { $skip: 500_000, $orderby: 'Name' }),
    startups('`$skip` 900,000 by TotalRaised', { $skip: 900_000, $orderby: 'TotalRaised desc' }),
    startups('`$skip` 500,000 by MembersCount', { $skip: 500_000, $orderby: 'MembersCount' }),
    startups('`$skip` 500,000 by Founded, then TotalRaised', {
      $skip: 500_000,
      $orderby: 'Founded desc,TotalRaised desc',
    }),
    startups('`$skip` 100,000 of Founded ge, by TotalRaised', {
      $filter: 'Founded ge 2010',
      $orderby: 'TotalRaised desc',
      $skip: 100_000,
    }),
    startups('`$skip` 60,000 of country and Founded, by Founded', {
      $filter: `Country eq ${quoteText(country)} and Founded ge 2015`,
      $orderby: 'Founded desc',
      $skip: 60_000,
    }),
    call('`$skip` 100,000 of rounds, by Amount', '/startups/fundingrounds', {
      $skip: 100_000,
      $orderby: 'Amount desc',
    }),
    call('`$skip` 450,000 of rounds, by Date', '/startups/fundingrounds', {
      $skip: 450_000,
      $orderby: 'Date desc',
    }),
    ...(
      [
        ['100,000', { $skip: 99_975 }],
        ['500,000 by Name', { $skip: 499_975, $orderby: 'Name' }],
        ['900,000 by TotalRaised', { $skip: 899_975, $orderby: 'TotalRaised desc' }],
        ['100,000 by Founded, then Name', { $skip: 99_975, $orderby: 'Founded desc,Name' }],
      ] as const
    ).map(
      ([after, parts]): SlowCall => ({
        ...startups(`\`$skiptoken\` after ${after}`, parts),
        isLinked: true,
      }),
    ),
    startups('`$top` 5,000', { $top: 5_000 }),
    startups('`$top` 5,000 of three fields', { $top: 5_000, $select: 'Id,Name,Website' }),
    counted('all'),
    counted('a country', `Country eq ${quoteText(country)}`),
    counted('Founded ge', 'Founded ge 2010'),
    counted('Name like', "Name like '%labs%'"),
    counted('Keywords', "Keywords eq 'hospitals'"),
    counted('Tag ne', `Tag ne ${quoteText(tag)}`),
    counted('City and Founded ge', `City eq ${quoteText(city)} and Founded ge 2015`),
    counted(
      'country, stage, tags and Founded',
      `Country eq ${quoteText(country)} and LastFundingStage in ('Seed','Series A')
        and Tag in (${quoteText(tag)},${quoteText(rareTag)}) and not Founded lt 2012`,
    ),
    counted('TotalRaised ge', 'TotalRaised ge 1000000'),
    counted(
      'country and TotalRaised ge',
      `Country eq ${quoteText(country)} and TotalRaised ge 1000000`,
    ),
    counted('LastFundingDate ge', 'LastFundingDate ge 2015-01-01'),
    counted('MembersCount gt', 'MembersCount gt 20'),
    counted('UpdatedTimeStamp ge', 'UpdatedTimeStamp ge 2000-01-01'),
    call('`$count` of rounds, Amount ge', '/startups/fundingrounds', {
      $filter: 'Amount ge 1000000',
      $count: 'true',
    }),
    call('`$count` of rounds, Series and Date', '/startups/fundingrounds', {
      $filter: `Series eq ${quoteText(of['most frequent series'])} and Date ge 2018-01-01`,
      $count: 'true',
    }),
    call('`$count` of persons, country and role', '/persons', {
      $filter: `Country eq ${quoteText(country)} and Role eq 'founder'`,
      $count: 'true',
    }),
    call('`$count` of news, Date ge', '/news', { $filter: 'Date ge 2000-01-01', $count: 'true' }),
    call('rounds, Series and Confirmed false', '/startups/fundingrounds', {
      $filter: `Series eq ${quoteText(of['most frequent series'])} and Confirmed eq false`,
      $orderby: 'Date desc',
    }),
    call('funds, country and stage, by InvestmentsCount', '/funds', {
      $filter: `Country eq ${quoteText(country)} and InvestmentStage eq 3`,
      $orderby: 'InvestmentsCount desc',
    }),
    call('funds, 25 by InvestmentsCount', '/funds', {
      $orderby: 'InvestmentsCount desc',
      $top: 25,
    }),
    call('funds with their startups', '/funds', {
      $orderby: 'InvestmentsCount desc',
      $expand: 'Startups',
      $top: 5,
    }),
    call('the largest fund with its startups', `/funds/${fund}`, { $expand: 'Startups' }),
    call('portfolio of the largest fund', `/funds/${fund}/portfolio`, { $top: 25 }),
    call('persons, country and role, by Name', '/persons', {
      $filter: `Country eq ${quoteText(country)} and Role eq 'founder'`,
      $orderby: 'Name',
    }),
    call('news, Publisher, by Date', '/news', {
      $filter: `Publisher eq ${quoteText(of['most frequent publisher'])} and Date ge 2026-01-01`,
      $orderby: 'Date desc',
    }),
    call(
      '`$count` of startups of an investor type',
      within('investor_type', 'VentureFund', 'startups'),
      {
        $count: 'true',
      },
    ),
    call('`$count` of rounds of a country', within('country', country, 'rounds'), {
      $count: 'true',
    }),
    call('rounds of a rare industry', within('industry', rareTag, 'rounds'), {
      $orderby: 'Date desc',
    }),
    call('funds of a stage', within('stage', 'seed', 'funds'), {
      $orderby: 'InvestmentsCount desc',
    }),
    ...(
      [
        ['funds of a country', ['country', country, 'funds'], 'InvestmentsCount desc'],
        ['rounds of a country', ['country', country, 'rounds'], 'Amount desc'],
        ['rounds of a rare country', ['country', rare, 'rounds'], 'Date desc'],
        ['rounds of a frequent city', ['city', city, 'rounds'], 'Date desc'],
        ['rounds of a frequent industry', ['industry', tag, 'rounds'], 'Amount desc'],
        ['startups of a rare industry', ['industry', rareTag, 'startups'], 'TotalRaised desc'],
        ['startups of an investor type', ['investor_type', 'VentureFund', 'startups'], 'Name'],
        ['startups of a rare investor type', ['investor_type', 'FundOfFunds', 'startups'], 'Name'],
        ['rounds of a rare investor type', ['investor_type', 'FundOfFunds', 'rounds'], 'Date desc'],
        ['rounds of a stage', ['stage', 'seed', 'rounds'], 'Amount desc'],
        ['funds of a rare industry', ['industry', rareTag, 'funds'], 'Name'],
      ] as const
    ).map(([title, [dimension, ...words], $orderby]) =>
      call(`path: ${title}`, within(dimension, ...words), { $orderby }),
    ),
    call('signals, rounds recorded', '/signals', { types: 'round.recorded' }),
    call('signals, from an amount', '/signals', { minAmount: 100_000_000 }),
    call('signals, rare country', '/signals', { country: rare }),
    call('signals, city and stage', '/signals', { city, stage: 'series-a' }),
    call('signals, funds of funds', '/signals', { investor_type: 'FundOfFunds' }),
    call('activity feed', '/activityfeed', {}),
    call('search, a name', '/startups/search', { q: 'amberanchor health' }),
    call('search, a typo', '/startups/search', { q: 'ambreanchor heath' }),
    call('search, two words', '/startups/search', { q: 'cedar systems' }),
    call('search, a general word', '/startups/search', { q: 'technologies' }),
    call('search, no match', '/startups/search', { q: 'qxzvwkj' }),
    call('facets, country and two industries', '/categories/facets', {
      entity: 'startups',
      country,
      industry: `${tag},${rareTag}`,
    }),
  ];
}
