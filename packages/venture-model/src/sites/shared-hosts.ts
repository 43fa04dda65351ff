/**
 * Hosts on which many companies have a page each; the page identifies the company.
 * Hosts that give each company a subdomain (wordpress.com, notion.site) are public suffixes.
 */
export const SHARED_HOSTS: ReadonlySet<string> = new Set([
  ...['linkedin.com', 'facebook.com', 'instagram.com', 'twitter.com', 'x.com', 'youtube.com'],
  ...['tiktok.com', 'vk.com', 't.me', 'weibo.com', 'medium.com', 'about.me', 'linktr.ee'],
  ...['angel.co', 'wellfound.com', 'angellist.com', 'venture.angellist.com', 'crunchbase.com'],
  ...['f6s.com', 'gust.com', 'openvc.app', 'producthunt.com', 'kickstarter.com', 'indiegogo.com'],
  ...['github.com', 'gitlab.com', 'bitbucket.org', 'notion.so', 'sites.google.com'],
  ...['docs.google.com', 'drive.google.com', 'play.google.com', 'apps.apple.com'],
  ...['itunes.apple.com', 'bit.ly', 'amazon.com', 'etsy.com', 'wikipedia.org', 'en.wikipedia.org'],
]);
