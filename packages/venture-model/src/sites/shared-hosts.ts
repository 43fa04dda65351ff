/**
 * Hosts on which many companies have a page each; the page identifies the company.
 * Hosts that give each company a subdomain (wordpress.com, notion.site) are public suffixes, or in
 * {@link hostedDomain}. Subdomains for countries and telephones (de.linkedin.com) are the host itself.
 */
export const SHARED_HOSTS: ReadonlySet<string> = new Set([
  ...['linkedin.com', 'facebook.com', 'instagram.com', 'twitter.com', 'x.com', 'youtube.com'],
  ...['tiktok.com', 'vk.com', 't.me', 'weibo.com', 'medium.com', 'about.me', 'linktr.ee'],
  ...['angel.co', 'wellfound.com', 'angellist.com', 'venture.angellist.com', 'crunchbase.com'],
  ...['f6s.com', 'gust.com', 'openvc.app', 'producthunt.com', 'kickstarter.com', 'indiegogo.com'],
  ...['github.com', 'gitlab.com', 'bitbucket.org', 'notion.so', 'sites.google.com'],
  ...['docs.google.com', 'drive.google.com', 'play.google.com', 'apps.apple.com'],
  ...['fb.com', 'fb.me', 'instagr.am', 'youtu.be', 'threads.net', 'threads.com', 'bsky.app'],
  ...['pinterest.com', 'reddit.com', 'snapchat.com', 'twitch.tv', 'vimeo.com', 'xing.com'],
  ...['telegram.me', 'wa.me', 'api.whatsapp.com', 'chat.whatsapp.com', 'discord.gg', 'discord.com'],
  ...['line.me', 'lin.ee', 'pf.kakao.com', 'open.kakao.com', 'mp.weixin.qq.com', 'weixin.qq.com'],
  ...['blog.naver.com', 'cafe.naver.com', 'brunch.co.kr', 'note.com', 'zhihu.com', 'douyin.com'],
  ...['dropbox.com', 'box.com', 'onedrive.live.com', '1drv.ms', 'wetransfer.com', 'docsend.com'],
  ...['forms.gle', 'goo.gl', 'maps.google.com', 'maps.app.goo.gl', 'g.page', 'chrome.google.com'],
  ...['chromewebstore.google.com', 'groups.google.com', 'beacons.ai', 'bento.me', 'lnk.bio'],
  ...['linktree.com', 'taplink.cc', 'carrd.co', 'calendly.com', 'issuu.com', 'scribd.com'],
  ...['slideshare.net', 'soundcloud.com', 'patreon.com', 'ko-fi.com', 'buymeacoffee.com'],
  ...['gofundme.com', 'meetup.com', 'eventbrite.com', 'tinyurl.com', 'web.archive.org', 'ok.ru'],
  ...['itunes.apple.com', 'bit.ly', 'amazon.com', 'etsy.com', 'wikipedia.org', 'en.wikipedia.org'],
]);

/** Hosts of one network each: the same path is the same page. The first one stands for all. */
const NETWORKS: readonly (readonly [string, ...string[]])[] = [
  ...([
    ['x.com', 'twitter.com'],
    ['facebook.com', 'fb.com'],
    ['t.me', 'telegram.me'],
  ] as const),
  ...([
    ['threads.com', 'threads.net'],
    ['wellfound.com', 'angel.co'],
  ] as const),
  ...([
    ['instagram.com', 'instagr.am'],
    ['linktr.ee', 'linktree.com'],
  ] as const),
  ['apps.apple.com', 'itunes.apple.com'],
];

/** The hosts of the network of a host, in the order of their use; any other host alone. */
export function hostsOfNetwork(host: string): readonly [string, ...string[]] {
  return NETWORKS.find((hosts) => hosts.includes(host)) ?? [host];
}

/** Shared hosts whose pages are named by codes: capitals matter. */
const CODED_HOSTS: ReadonlySet<string> = new Set([
  ...['youtu.be', 'docs.google.com', 'drive.google.com', 'forms.gle', 'goo.gl', 'bit.ly'],
  ...['maps.app.goo.gl', 'g.page', 'tinyurl.com', '1drv.ms', 'docsend.com', 'lin.ee'],
  ...['discord.gg', 'chat.whatsapp.com', 'open.kakao.com', 'play.google.com', 'web.archive.org'],
]);

/** Whether capitals matter in a path: elsewhere spellings that differ in them are one page. */
export function isCodedPath(host: string, path: string): boolean {
  if (host === 'youtube.com') return /^\/(?:channel|watch|playlist|embed|shorts)\b/u.test(path);
  return CODED_HOSTS.has(host);
}

/** Domains whose subdomains belong to one company each, and that the public suffix list may lack. */
const HOSTING_DOMAINS: ReadonlySet<string> = new Set([
  ...['substack.com', 'wordpress.com', 'blogspot.com', 'tumblr.com', 'medium.com', 'ghost.io'],
  ...['wixsite.com', 'weebly.com', 'squarespace.com', 'webflow.io', 'notion.site', 'carrd.co'],
  ...['strikingly.com', 'mystrikingly.com', 'jimdosite.com', 'jimdofree.com', 'webnode.com'],
  ...['typepad.com', 'livejournal.com', 'bandcamp.com', 'gitbook.io', 'github.io', 'gitlab.io'],
  ...['herokuapp.com', 'vercel.app', 'netlify.app', 'pages.dev', 'web.app', 'firebaseapp.com'],
  ...['framer.website', 'framer.app', 'softr.app', 'bubbleapps.io', 'myshopify.com', 'tistory.com'],
  ...['hatenablog.com', 'ameblo.jp', 'business.site', 'godaddysites.com', 'zendesk.com'],
  ...['slack.com', 'atlassian.net', 'typeform.com', 'teachable.com', 'beehiiv.com', 'canva.site'],
]);

/** The host below a hosting domain that belongs to one company: `acme.substack.com`. */
export function hostedDomain(host: string): string | null {
  const labels = host.split('.');
  for (const size of [2, 3]) {
    const at = labels.length - size;
    if (at > 0 && HOSTING_DOMAINS.has(labels.slice(at).join('.'))) {
      return labels.slice(at - 1).join('.');
    }
  }
  return null;
}
