import { readInstant } from '@vcds/venture-model';
import { metas, type Page } from './page.ts';
import { PARKING_HOSTS, PARKING_PHRASES, PLACEHOLDER_PHRASES } from './parking-signs.ts';
import { absoluteUrl } from './text.ts';
import { hasType, textsAt } from './things.ts';

/** Whether a company uses its site. */
export interface Liveness {
  /**
   * `parked`: a registrar or a dealer shows the domain. `dead`: an empty page, or the default page
   * of a server or hosting account.
   */
  readonly state: 'alive' | 'parked' | 'dead';
  /** The latest date of a post or article on the page, not after the time of the response. */
  readonly lastPostAt: Date | undefined;
}

/** Pages with more text have content of their own, whatever phrases it has. */
const PARKED_TEXT_LENGTH_MAX = 3_000;
const EARLIEST_POST = Date.UTC(1995, 0, 1);
const DATES_MAX = 2_000;
const POST = /(?:Article|Posting|Review|VideoObject|PodcastEpisode|Report)$/u;
/** The date in the address of a post: /2024/05/17/title. */
const DATED_PATH = /^\/(?:[\w-]{1,40}\/){0,3}((?:19|20)\d{2})\/(\d{1,2})\/(\d{1,2})\/[^/]/u;

export function findLiveness(page: Page): Liveness {
  return { state: stateOf(page), lastPostAt: lastPostOf(page) };
}

function stateOf({ markup, url, base }: Page): Liveness['state'] {
  const hosts = [url.href, ...markup.embedded].flatMap((each) => {
    const address = absoluteUrl(each, base);
    return address === undefined ? [] : [new URL(address).hostname];
  });
  const isAtParkingHost = hosts.some((host) =>
    PARKING_HOSTS.some((each) => host === each || host.endsWith(`.${each}`)),
  );
  if (isAtParkingHost) return 'parked';
  const title = markup.titles[0] ?? '';
  const text = `${title} ${markup.text}`;
  if (text.length <= PARKED_TEXT_LENGTH_MAX) {
    if (PARKING_PHRASES.some((phrase) => phrase.test(text))) return 'parked';
    if (PLACEHOLDER_PHRASES.some((phrase) => phrase.test(text))) return 'dead';
  }
  const isEmpty = text.trim() === '' && markup.metas.length + markup.embedded.length === 0;
  return isEmpty ? 'dead' : 'alive';
}

function lastPostOf(page: Page): Date | undefined {
  const { markup, things, now } = page;
  const stated = [
    ...metas(markup, ['article:published_time', 'og:published_time', 'date', 'dc.date.issued']),
    ...metas(markup, ['datepublished', 'article:modified_time']),
  ].map(({ text }) => text);
  const posts = things.top
    .filter((thing) => hasType(thing, POST))
    .flatMap((thing) =>
      ['datePublished', 'dateModified'].flatMap((name) => textsAt(things, thing, name)),
    );
  const links = markup.anchors.flatMap(({ href = '' }) => {
    const address = absoluteUrl(href, page.base);
    const url = address === undefined ? undefined : new URL(address);
    const dated = url?.hostname === page.url.hostname ? DATED_PATH.exec(url.pathname) : null;
    if (dated === null || dated === undefined) return [];
    const [, year = '', month = '', day = ''] = dated;
    return [`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`];
  });
  const instants = [...stated, ...posts, ...markup.times, ...links]
    .slice(0, DATES_MAX)
    .map(instantOf)
    .filter((instant) => instant >= EARLIEST_POST && instant <= now.getTime());
  return instants.length === 0 ? undefined : new Date(Math.max(...instants));
}

function instantOf(text: string): number {
  return Date.parse(readInstant(text.trim()) ?? '');
}
