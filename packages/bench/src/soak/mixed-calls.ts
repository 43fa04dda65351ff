import { type Call, type CallSource, callSource, keyOf, type Target } from '../load/calls.ts';

/** The keys of the calls. */
export interface MixKeys {
  /** Of accounts with credits, one each. */
  readonly apiKeys: readonly string[];
  /** May read news only. */
  readonly narrow: readonly string[];
  /** Of accounts without credits. */
  readonly exhausted: readonly string[];
}

type Kind = readonly [
  kind: string,
  path: (turn: number) => string,
  more?: Partial<Call> | ((turn: number) => Partial<Call>),
];

const DISCONNECT_MS_MAX = 30;
/** Each is a statement of its own in the caches, which are full after the warm-up. */
const SKIPS = 40;
const NO_ID = '00000000-0000-0000-0000-00000000dead';
const WORDS = ['labs', 'health', 'systems', 'works', 'media', 'robotics'];

const query = (parts: Readonly<Record<string, string | number>>): string =>
  Object.entries(parts)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');

/**
 * All kinds of calls by their number: those of the faults, and alternately pages of every collection,
 * cursors, entity paths, errors of each kind, and clients that disconnect.
 */
export async function mixedCalls(target: Target, keys: MixKeys): Promise<CallSource> {
  const usual = await callSource(target, keys.apiKeys);
  const [first, ...more] = readKinds();
  const kinds = [first, ...more, ...errorKinds(keys)];
  return (turn) => {
    const number = turn >> 1;
    if (turn % 2 === 0) return usual(number);
    const [kind, path, given = {}] = kinds[number % kinds.length] ?? first;
    return {
      kind,
      url: path(number).startsWith('http') ? path(number) : `${target.dataUrl}/v2${path(number)}`,
      headers: { 'X-Api-Key': keyOf(keys.apiKeys, number, kinds.length) },
      expected: 200,
      ...(typeof given === 'function' ? given(number) : given),
    };
  };
}

function readKinds(): readonly [Kind, ...Kind[]] {
  const first = `/startups?${query({ $orderby: 'Name', $top: 10 })}`;
  let next = first;
  const followed = {
    onAnswer: (_: string, link: string | undefined) => {
      next = /^<([^>]+)>; rel="next"/.exec(link ?? '')?.[1] ?? first;
    },
  };
  const newest = (turn: number) => ({
    $filter: `Founded ge ${1990 + (turn % 30)}`,
    $orderby: 'TotalRaised desc',
  });
  const city = "Country eq 'Germany' and Founded ge 2012";
  return [
    ['cursor', () => next, followed],
    ['expand', (turn) => `/startups?${query({ ...newest(turn), $expand: 'FundingRounds' })}`],
    ['page of 100', (turn) => `/startups?${query({ ...newest(turn), $top: 100 })}`],
    ['two conditions', () => `/startups?${query({ $filter: city, $orderby: 'Name', $top: 10 })}`],
    ['rounds', () => `/startups/fundingrounds?${query({ $orderby: 'Date desc', $top: 10 })}`],
    ['funds', () => `/funds?${query({ $orderby: 'InvestmentsCount desc', $top: 5 })}`],
    ['portfolios', () => `/funds?${query({ $expand: 'Startups', $top: 2 })}`],
    ['persons', () => `/persons?${query({ $orderby: 'Name', $top: 5 })}`],
    ['news', () => `/news?${query({ $orderby: 'Date desc', $top: 5 })}`],
    ['values', () => `/categories/industry?${query({ top: 20 })}`],
    ['entity path', () => `/categories/country/France/startups?${query({ $count: 'true' })}`],
    ['signals of a type', () => `/signals?${query({ types: 'startup.updated', limit: 10 })}`],
    ['companies', (turn) => `/companies/search?${query({ q: WORDS[turn % WORDS.length] ?? '' })}`],
    ['pricing', () => '/pricing'],
  ];
}

function errorKinds({ narrow, exhausted }: MixKeys): readonly Kind[] {
  const by = (keys: readonly string[], expected: number) => (turn: number) => ({
    headers: { 'X-Api-Key': keys[turn % keys.length] ?? '' },
    expected,
  });
  const disconnected = (turn: number) => ({ disconnectMs: 1 + (turn % DISCONNECT_MS_MAX) });
  return [
    [
      'disconnect',
      (turn) => `/startups?${query({ $top: 100, $skip: turn % SKIPS })}`,
      disconnected,
    ],
    ['400 filter', () => `/startups?${query({ $filter: "Nmae eq 'x'" })}`, { expected: 400 }],
    ['400 parameter', () => `/startups?${query({ $top: 'many' })}`, { expected: 400 }],
    ['401', () => '/startups', { headers: {}, expected: 401 }],
    ['401 key', () => '/funds', { headers: { 'X-Api-Key': 'vcds_unknown' }, expected: 401 }],
    ['403', () => '/startups', by(narrow, 403)],
    ['404 record', () => `/startups/${NO_ID}`, { expected: 404 }],
    ['404 path', () => '/nothing', { expected: 404 }],
    ['405', () => '/startups', { body: '{}', expected: 405 }],
    ['429 credits', () => `/startups?${query({ $top: 100 })}`, by(exhausted, 429)],
  ];
}
