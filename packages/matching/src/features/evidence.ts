import { UNKNOWN_DAY } from '../history/data.ts';
import type { History } from '../history/history.ts';
import type { ResolvedQuery } from '../history/resolve-query.ts';
import { fold, placeOf } from '../history/values.ts';

/** Dated rounds of an investor that a set of conditions holds for. */
interface Counted {
  readonly rounds: number;
  /** Rounds of these that the investor led. */
  readonly leads: number;
  readonly companies: number;
  readonly firstDay: number;
  readonly lastDay: number;
}

/** A fact about a pair of company and investor, counted in the data. */
export type Evidence =
  | ({ readonly kind: 'portfolio'; readonly where: Where } & Counted)
  /** An earlier investor of the company, and the other companies that both invested in. */
  | { readonly kind: 'partner'; readonly partner: number; readonly companies: number }
  | { readonly kind: 'stated'; readonly tags: readonly string[]; readonly stage: number }
  /** The investor's seat is in the same city, region or country. */
  | { readonly kind: 'home'; readonly same: 'city' | 'region' | 'country' };

/** Conditions on a round and its company; those that are left out hold for all. */
export interface Where {
  /** As the query or company has it. */
  readonly tag?: string;
  readonly country?: true;
  readonly region?: true;
  readonly city?: true;
  readonly stage?: number;
}

const PLACES = ['country', 'region', 'city'] as const;
const PARTNERS_MAX = 5;

/** Facts about a pair, from dated investments before the cut; facts that count nothing are left out. */
export function evidenceOf(history: History, query: ResolvedQuery, investor: number): Evidence[] {
  const tags = [...query.tags];
  const places = PLACES.filter((_, k) => query.place[k] !== '');
  const stages = [query.stage, query.situation.lastStage].filter((stage) => stage > 0);
  const wheres: Where[] = [
    {},
    ...tags.map((tag) => ({ tag })),
    ...places.map((place) => ({ [place]: true as const })),
    ...tags.flatMap((tag) => places.map((place) => ({ tag, [place]: true as const }))),
    ...stages
      .slice(0, 1)
      .flatMap((stage) => [
        { stage },
        ...tags.map((tag) => ({ tag, stage })),
        ...tags.flatMap((tag) => places.map((place) => ({ tag, stage, [place]: true as const }))),
      ]),
  ];
  const portfolio = wheres.flatMap((where): Evidence[] => {
    const counted = countRounds(history, query, investor, where);
    return counted.rounds === 0 ? [] : [{ kind: 'portfolio', where, ...counted }];
  });
  return [
    ...portfolio,
    ...partnersOf(history, query, investor),
    ...factsOf(history, query, investor),
  ];
}

function countRounds(history: History, query: ResolvedQuery, i: number, where: Where): Counted {
  const { data } = history.timeline;
  const { round, isLead, day, startup, stage } = data.investments;
  const rounds = new Map<number, boolean>();
  const companies = new Set<number>();
  let firstDay = UNKNOWN_DAY;
  let lastDay = UNKNOWN_DAY;
  for (const row of history.timeline.rowsOfInvestor(i)) {
    const on = day[row] as number;
    if (on >= history.cut) continue;
    if (where.stage !== undefined && stage[row] !== where.stage) continue;
    const company = data.startups[startup[row] as number];
    if (company === undefined) continue;
    if (where.tag !== undefined && !company.tags.some((tag) => fold(tag) === where.tag)) continue;
    const place = placeOf(company);
    if (PLACES.some((name, k) => where[name] && place[k] !== query.place[k])) continue;
    const number = round[row] as number;
    rounds.set(number, (rounds.get(number) ?? false) || isLead[row] === 1);
    companies.add(startup[row] as number);
    firstDay = firstDay === UNKNOWN_DAY ? on : Math.min(firstDay, on);
    lastDay = Math.max(lastDay, on);
  }
  const leads = [...rounds.values()].filter(Boolean).length;
  return { rounds: rounds.size, leads, companies: companies.size, firstDay, lastDay };
}

function partnersOf(history: History, query: ResolvedQuery, i: number): Evidence[] {
  const own = companiesOf(history, i);
  const shared = query.situation.investors.map((partner) => {
    const theirs = companiesOf(history, partner);
    return {
      kind: 'partner' as const,
      partner,
      companies: [...own].filter((s) => theirs.has(s)).length,
    };
  });
  return shared
    .filter(({ partner, companies }) => companies > 0 && partner !== i)
    .sort((a, b) => b.companies - a.companies || a.partner - b.partner)
    .slice(0, PARTNERS_MAX);
}

function companiesOf(history: History, i: number): Set<number> {
  const { startup, day } = history.timeline.data.investments;
  const rows = history.timeline.rowsOfInvestor(i);
  return new Set(
    [...rows]
      .filter((row) => (day[row] as number) < history.cut)
      .map((row) => startup[row] as number),
  );
}

function factsOf(history: History, query: ResolvedQuery, i: number): Evidence[] {
  const investor = history.timeline.data.investors[i];
  if (investor === undefined) return [];
  const facts: Evidence[] = [];
  const tags = investor.tags.filter((tag) => query.tags.has(fold(tag)));
  const stage = query.stage > 0 && investor.stages.includes(query.stage) ? query.stage : 0;
  if (tags.length > 0 || stage > 0) facts.push({ kind: 'stated', tags, stage });
  const home = placeOf(investor);
  const same = (['city', 'region', 'country'] as const).find(
    (_, k) => home[2 - k] !== '' && home[2 - k] === query.place[2 - k],
  );
  if (same !== undefined) facts.push({ kind: 'home', same });
  return facts;
}
