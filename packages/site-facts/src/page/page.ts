import { getDomainWithoutSuffix } from 'tldts';
import { type Markup, readMarkup } from './markup.ts';
import { absoluteUrl, letters } from './text.ts';
import { hasType, readThings, type Thing, type Things, textsAt, thingsAt } from './things.ts';

/** The input of {@link readCompanyPage}. */
export interface PageInput {
  /** The decoded document; characters beyond 2 Mi are ignored. */
  readonly html: string;
  /** Its address after redirects. */
  readonly url: string;
  /** The headers of the response, names in lower case. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The time of the response: nothing later is a fact. */
  readonly now: Date;
}

/** A page as the rules read it. */
export interface Page {
  readonly markup: Markup;
  readonly things: Things;
  /** The descriptions of the company that the page belongs to, the most certain first. */
  readonly organizations: readonly Thing[];
  readonly url: URL;
  /** The address that relative ones are resolved against. */
  readonly base: string;
  /** The name in the domain, in lower-case letters and digits: `acme` of www.acme.co.uk. */
  readonly domainName: string;
  /** Whether it is the start page. */
  readonly isHome: boolean;
  /** Whether it is an article: its text is about others. */
  readonly isArticle: boolean;
  readonly header: (name: string) => string | undefined;
  readonly now: Date;
}

/** A text of the page, and the part of the page that states it. */
export interface Statement {
  readonly text: string;
  readonly source: string;
}

const ORGANIZATION =
  /Organization$|Business$|Store$|Company$|^(?:Corporation|NGO|Airline|Consortium|Project|Brand|Restaurant|Hotel|Hospital|CollegeOrUniversity|School|SportsTeam|Attorney|Dentist|TravelAgency|RealEstateAgent|EmploymentAgency|InsuranceAgency)$/u;
const ARTICLE = /Article$|Posting$|^(?:Report|Review|VideoObject|PodcastEpisode|Product)$/u;
const HOME = /^\/(?:[a-z]{2}(?:[-_][a-z]{2})?\/?|index\.\w{2,5}|home\/?)?$/iu;

export function openPage({ html, url: address, headers = {}, now }: PageInput): Page {
  const markup = readMarkup(html);
  const things = readThings(markup);
  const url = new URL(address);
  return {
    ...{ markup, things, url, now },
    organizations: organizationsOf(things, url),
    base: absoluteUrl(markup.base ?? '', url.href) ?? url.href,
    domainName: letters(getDomainWithoutSuffix(url.hostname, { allowPrivateDomains: true }) ?? ''),
    isHome: HOME.test(url.pathname),
    isArticle:
      metas(markup, ['og:type']).some(({ text }) => text === 'article') ||
      things.top.some((thing) => hasType(thing, ARTICLE)),
    header: (name) => [headers[name]].flat()[0],
  };
}

/** The contents of the meta elements with these names, in the order of the names. */
export function metas({ metas: all }: Markup, names: readonly string[]): readonly Statement[] {
  return names.flatMap((name) =>
    all.flatMap(({ property, name: named, itemprop, 'http-equiv': equivalent, content = '' }) => {
      const isNamed = [property, named, itemprop, equivalent].some(
        (each) => each?.trim().toLowerCase() === name,
      );
      return isNamed ? [{ text: content, source: name.includes(':') ? name : `meta ${name}` }] : [];
    }),
  );
}

/** The texts of a property of the company. */
export function stated({ organizations, things }: Page, property: string): readonly Statement[] {
  return organizations.flatMap((thing) =>
    textsAt(things, thing, property).map((text) => ({
      text,
      source: `${thing.source}.${property}`,
    })),
  );
}

// Publishers first; then the one organization that the page describes, by its site or alone.
function organizationsOf(things: Things, { hostname }: URL): readonly Thing[] {
  const published = things.top.flatMap((thing) => thingsAt(things, thing, 'publisher'));
  const main = things.top
    .filter((thing) => hasType(thing, /Page$/u))
    .flatMap((thing) => thingsAt(things, thing, 'mainEntity'));
  const described = distinct([...things.top, ...main]).filter((thing) =>
    hasType(thing, ORGANIZATION),
  );
  const own = described.filter((thing) =>
    textsAt(things, thing, 'url').some((url) => isSameSite(url, hostname)),
  );
  const names = new Set(described.flatMap((thing) => textsAt(things, thing, 'name').map(letters)));
  return distinct([...published, ...own, ...(names.size <= 1 ? described : [])]);
}

/** Each object once: many things may refer to the same. */
function distinct(things: readonly Thing[]): readonly Thing[] {
  const seen = new Set<unknown>();
  return things.filter(({ data }) => !seen.has(data) && seen.add(data));
}

function isSameSite(url: string, hostname: string): boolean {
  const host = absoluteUrl(url, `https://${hostname}`);
  const bare = (name: string) => name.replace(/^www\./u, '');
  return host !== undefined && bare(new URL(host).hostname) === bare(hostname);
}
