import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { headOf } from './head.ts';
import { EBNF, extendMarkdown, slugOf, TOKEN_THEME, tokenClasses } from './markdown.ts';
import { NAVIGATION, OPERATOR_PAGES, SIDEBAR } from './navigation.ts';
import { searchRoles } from './search-roles.ts';
import { withoutInline } from './without-inline.ts';

const NAME = 'Venture Capital Data Service';
const NOTHING = fileURLToPath(new URL('nothing.css', import.meta.url));

/** Of the reference only its headings: its tables have every word of the pages that explain it. */
function searched(source: string, page: string): string {
  if (!page.startsWith('reference/')) return source;
  return source
    .split('\n')
    .filter((line) => /^#{1,2} /.test(line))
    .join('\n\n');
}

export default defineConfig({
  base: '/docs/',
  outDir: '../dist/docs',
  cacheDir: '../node_modules/.cache/vitepress',
  lang: 'en',
  title: NAME,
  description: 'Startups, funds, rounds, valuations, people, news and a change feed over HTTP.',
  cleanUrls: true,
  // Otherwise each change of the scheme adds a style, which the Content-Security-Policy forbids.
  appearance: { disableTransition: false },
  metaChunk: true,
  transformHead: ({ pageData, title, description }) => headOf(pageData, title, description),
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/icon.svg' }]],
  markdown: {
    theme: TOKEN_THEME,
    codeTransformers: [tokenClasses],
    languages: [EBNF],
    anchor: { slugify: slugOf },
    config: extendMarkdown,
  },
  themeConfig: {
    logo: '/mark.svg',
    nav: NAVIGATION,
    sidebar: SIDEBAR,
    outline: [2, 3],
    externalLinkIcon: false,
    search: {
      provider: 'local',
      options: {
        _render: (source, env, markdown) =>
          OPERATOR_PAGES.has(env.relativePath)
            ? ''
            : markdown.render(searched(source, env.relativePath), env),
      },
    },
  },
  transformHtml: withoutInline,
  vite: {
    plugins: [searchRoles],
    // Parts of the default theme that this site does not use, and does not install.
    resolve: { alias: { '@docsearch/css': NOTHING, '@docsearch/js': NOTHING } },
  },
});
