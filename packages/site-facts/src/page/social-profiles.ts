import { BOUNDS } from './bounds.ts';
import { metas, type Page, type Statement, stated } from './page.ts';
import { absoluteUrl, letters } from './text.ts';

/** A profile of the company at a social network. */
export interface SocialProfile {
  readonly network: string;
  readonly url: string;
}

interface Network {
  readonly network: string;
  readonly hosts: readonly string[];
  /** The path of a profile; its first group is the name of the account. */
  readonly path: RegExp;
  /** The canonical address of a profile. */
  readonly url: (path: string) => string;
}

/** Paths of these names are pages of the network, not of an account. */
const RESERVED =
  /^(?:share|sharer|sharer\.php|intent|home|login|signup|search|hashtag|explore|about|privacy|terms|legal|help|p|reel|reels|stories|watch|embed|plugins|dialog|tr|policies|groups|events|pages|profile\.php|i|features|marketplace|topics|settings|status|sharearticle|feed|jobs|pulse)$/iu;

const ACCOUNT = /^\/@?([\w.-]{1,100})$/u;
const at = (host: string) => (path: string) => `https://${host}${path}`;

/** One row for each network. */
const NETWORKS: readonly Network[] = [
  network('LinkedIn', ['linkedin.com'], /^\/(?:company|school|showcase)\/([^/]{1,100})$/u),
  network('X', ['x.com', 'twitter.com', 'mobile.twitter.com'], ACCOUNT),
  network('Facebook', ['facebook.com', 'fb.com', 'm.facebook.com'], ACCOUNT),
  network('Instagram', ['instagram.com'], ACCOUNT),
  network('YouTube', ['youtube.com'], /^\/(?:@|(?:c|channel|user)\/)([\w.-]{1,100})$/u),
  network('TikTok', ['tiktok.com'], /^\/@([\w.-]{1,100})$/u),
  network('GitHub', ['github.com'], ACCOUNT),
  network('GitLab', ['gitlab.com'], ACCOUNT),
  network('Medium', ['medium.com'], ACCOUNT),
  network('Crunchbase', ['crunchbase.com'], /^\/organization\/([^/]{1,100})$/u),
  network('Wellfound', ['wellfound.com', 'angel.co'], /^\/company\/([^/]{1,100})$/u),
  network('Pinterest', ['pinterest.com'], ACCOUNT),
  network('Threads', ['threads.net', 'threads.com'], /^\/@([\w.-]{1,100})$/u),
  network('Bluesky', ['bsky.app'], /^\/profile\/([\w.:-]{1,100})$/u),
  network('Telegram', ['t.me'], ACCOUNT),
  network('VK', ['vk.com'], ACCOUNT),
  network('Weibo', ['weibo.com'], /^\/(?:u\/)?([\w.-]{1,100})$/u),
  network('Xing', ['xing.com'], /^\/(?:pages|companies)\/([^/]{1,100})$/u),
];

function network(name: string, hosts: readonly string[], path: RegExp): Network {
  return { network: name, hosts, path, url: at(hosts[0] ?? '') };
}

type Found = SocialProfile & Statement & { readonly account: string };

/**
 * The profiles that the page states as those of the company: `sameAs`, `rel="me"`, the account of
 * its Twitter card. A plain link counts where it has the name of the company, or is the only account
 * of its network on a page that is no article.
 */
export function findSocialProfiles(
  page: Page,
  name: string | undefined,
): readonly (SocialProfile & Statement)[] {
  const { markup } = page;
  const declared = [
    ...stated(page, 'sameAs'),
    ...[...markup.links, ...markup.anchors].flatMap(({ rel = '', href = '' }) =>
      /(?:^|\s)me(?:\s|$)/iu.test(rel) ? [{ text: href, source: 'link rel=me' }] : [],
    ),
    ...metas(markup, ['article:publisher']),
    ...metas(markup, ['twitter:site']).map(({ text, source }) => ({
      text: `https://x.com/${text.trim().replace(/^@/u, '')}`,
      source,
    })),
  ].flatMap((each) => profilesAt(each, page));
  const linked = markup.anchors.flatMap(({ href = '' }) =>
    profilesAt({ text: href, source: 'a href' }, page),
  );
  const names = [letters(name ?? ''), page.domainName].filter((each) => each.length > 1);
  const byNetwork = new Map<string, SocialProfile & Statement>();
  for (const { network: of } of NETWORKS) {
    const best =
      declared.find((each) => each.network === of) ?? ownLink(linked, of, names, page.isArticle);
    if (best !== undefined && byNetwork.size < BOUNDS.socialProfiles) byNetwork.set(of, best);
  }
  return [...byNetwork.values()];
}

function ownLink(
  linked: readonly Found[],
  of: string,
  names: readonly string[],
  isArticle: boolean,
): Found | undefined {
  const accounts = new Map(
    linked.filter((each) => each.network === of).map((each) => [each.url.toLowerCase(), each]),
  );
  if (accounts.size === 1 && !isArticle) return [...accounts.values()][0];
  return [...accounts.values()].find(({ account }) =>
    names.some((name) => letters(account).includes(name) || name.startsWith(letters(account))),
  );
}

function profilesAt({ text, source }: Statement, { base }: Page): readonly Found[] {
  const address = absoluteUrl(text, base);
  if (address === undefined) return [];
  const { hostname, pathname } = new URL(address);
  const host = hostname.replace(/^(?:www|[a-z]{2}(?:-[a-z]{2})?)\.(?=[^.]+\.)/u, '');
  const row = NETWORKS.find(({ hosts }) => hosts.includes(host));
  const path = pathname
    .replace(/(?<!\/)\/+$/u, '')
    .replace(/\/(?:about|posts|videos|featured)$/u, '');
  const account = row?.path.exec(path)?.[1];
  if (row === undefined || account === undefined || RESERVED.test(account)) return [];
  return [{ network: row.network, url: row.url(path), account, text, source }];
}
