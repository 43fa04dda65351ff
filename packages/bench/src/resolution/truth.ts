import { nameKey, type Statement } from '@vcds/resolution';
import {
  type Drafts,
  directory,
  findavc,
  type Labelled,
  lando,
  october,
  techcrunch,
  unicorns,
  vcfirms,
} from './real-sets.ts';

/** The companies of all sets, of one moment each, without truth. */
export function realSets(entity: 1 | 2 | 0 = 0): Labelled[] {
  const sources = [october(), techcrunch(), directory().last, findavc()];
  for (const { startups, funds } of [lando(), unicorns(), vcfirms()]) sources.push(startups, funds);
  return sources
    .flatMap((drafts) => labelled(drafts))
    .filter(({ statement }) => entity === 0 || statement.entity === entity);
}

function labelled(
  drafts: Drafts,
  truthOf?: (key: string, statement: Statement) => string | undefined,
): Labelled[] {
  return [...drafts.entries()].map(([key, statement]) => ({
    statement,
    truth: truthOf?.(key, statement),
  }));
}

const slug = (permalink: string): string => permalink.replace(/^\/company\//u, '');

/**
 * October 2013 and TechCrunch: permalinks of one directory. October and the snapshot: the same
 * takeover (day and buyer once in each), or the same funding and place under the same name.
 */
export function companies2013(): Labelled[] {
  const [first, second, third] = [october(), lando().startups, techcrunch()];
  const permalinkOf = linkSnapshot(first, second);
  const named = new Map<string, number>();
  for (const [, { name }] of first.entries())
    named.set(fold(name), (named.get(fold(name)) ?? 0) + 1);
  return [
    ...labelled(first, slug),
    ...labelled(third, slug),
    // A company of the same name that no evidence links may be the same or not.
    ...labelled(
      second,
      (key, { name }) =>
        permalinkOf.get(key) ?? (named.has(fold(name)) ? undefined : `lando-${key}`),
    ),
  ];
}

const fold = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

function linkSnapshot(first: Drafts, second: Drafts): ReadonlyMap<string, string> {
  const byName = new Map<string, [string, Statement][]>();
  for (const [key, statement] of first.entries()) {
    const name = fold(statement.name);
    byName.set(name, [...(byName.get(name) ?? []), [slug(key), statement]]);
  }
  const links = new Map<string, string>();
  for (const [key, one] of second.entries()) {
    const fits = (byName.get(fold(one.name)) ?? []).filter(([, other]) => {
      const isSameTotal =
        one.totalRaised !== null &&
        one.totalRaised === other.totalRaised &&
        Boolean(one.totalRaised);
      const isSameCity = Boolean(one.cities?.[0]) && one.cities?.[0] === other.cities?.[0];
      const isSameNews = one.newsDays?.some((day) => other.newsDays?.includes(day)) === true;
      return isSameNews || isSameTotal || isSameCity;
    });
    const [fit] = fits;
    if (fits.length === 1 && fit !== undefined) links.set(key, fit[0]);
  }
  return links;
}

/** A directory at two moments: renamed, moved, and with other sites. */
export function directoryVersions(): Labelled[] {
  const { first, last } = directory();
  return [...labelled(first, (key) => `d${key}`), ...labelled(last, (key) => `d${key}`)];
}

const fundKey = (name: string): string => nameKey(name)?.compact ?? name;

/** Funds of three lists under the same name without legal form, unless a list has it twice. */
export function fundLists(): Labelled[] {
  const lists = [lando().funds, vcfirms().funds, findavc()];
  const counted = lists.map((list) => {
    const counts = new Map<string, number>();
    for (const [, { name }] of list.entries())
      counts.set(fundKey(name), (counts.get(fundKey(name)) ?? 0) + 1);
    return counts;
  });
  return lists.flatMap((list) =>
    labelled(list, (_key, { name }) =>
      counted.some((counts) => (counts.get(fundKey(name)) ?? 0) > 1)
        ? undefined
        : `f${fundKey(name)}`,
    ),
  );
}
