import type { HeadConfig, PageData } from 'vitepress';

/** The public URL of the documentation, which access-api replaces. */
const ROOT = 'https://access.vcds.example/docs/';

/** The canonical address of a page, and the tags by which other sites preview it. */
export function headOf(page: PageData, title: string, description: string): HeadConfig[] {
  if (page.isNotFound) return [['meta', { name: 'robots', content: 'noindex' }]];
  const url = `${ROOT}${page.relativePath.replace(/(?:(?<=^|\/)index)?\.md$/, '')}`;
  const properties = {
    ...{ 'og:type': 'website', 'og:site_name': 'Venture Capital Data Service' },
    ...{ 'og:title': title, 'og:description': description, 'og:url': url },
    ...{ 'og:image': `${ROOT}preview.png`, 'og:image:width': '1200', 'og:image:height': '630' },
    'og:image:alt': 'Venture Capital Data Service: three rising columns',
  };
  return [
    ['link', { rel: 'canonical', href: url }],
    ['meta', { name: 'twitter:card', content: 'summary_large_image' }],
    ...Object.entries(properties).map(
      ([property, content]): HeadConfig => ['meta', { property, content }],
    ),
  ];
}
