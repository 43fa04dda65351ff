import type { DefaultTheme } from 'vitepress';

type Item = DefaultTheme.NavItemWithLink;

const items = (folder: string, entries: Readonly<Record<string, string>>): Item[] =>
  Object.entries(entries).map(([page, text]) => ({ text, link: `${folder}/${page}` }));

const SPECIFICATION = [
  ...['addresses', 'authentication', 'registration', 'resources', 'query-language'],
  ...['collections', 'search', 'categories', 'signals', 'activity', 'credits', 'errors', 'limits'],
  ...['plans', 'import', 'legacy-tokens', 'operations', 'assistants', 'matching', 'find'],
];
const sentence = (name: string) => name[0]?.toUpperCase() + name.slice(1).replaceAll('-', ' ');

const GUIDES = [
  {
    text: 'Start',
    items: items('', {
      quickstart: 'Quickstart',
      keys: 'Keys',
      credits: 'Credits and prices',
      errors: 'Errors',
    }),
  },
  {
    text: 'Read data',
    items: items('', {
      'query-language': 'Query language',
      searching: 'Searching',
      matching: 'Matching',
      categories: 'Categories and facets',
      feed: 'Following the feed',
    }),
  },
  {
    text: 'Tools',
    items: items('', { client: 'TypeScript client', assistants: 'For assistants' }),
  },
  {
    text: 'Questions',
    items: items('/questions', {
      'median-series-a': 'Median Series A in a country',
      'portfolio-changes': 'All changes of my portfolio',
      'pandas-frame': 'A pandas frame of startups',
      'who-invested': 'Who invested in a company',
      'lead-investors': 'Which funds lead seed rounds',
      'next-round': 'Who will raise next',
      'market-map': 'A market by country and stage',
      'match-websites': 'Find records for my websites',
    }),
  },
  {
    text: 'Run it',
    items: items('', {
      importing: 'Importing',
      deploying: 'Deploying',
      bot: 'The robot for sites',
      changelog: 'Changes',
    }),
  },
];

const REFERENCE = [
  {
    text: 'Reference',
    items: items('/reference', { 'data-api': 'Data API', 'access-api': 'Access API' }),
  },
  {
    text: 'Specification',
    items: [
      { text: 'Overview', link: '/spec/' },
      ...SPECIFICATION.map((name, index) => ({
        text: `${index + 1} ${sentence(name)}`,
        link: `/spec/${name}`,
      })),
    ],
  },
];

/** The links of the header. */
export const NAVIGATION: DefaultTheme.NavItem[] = [
  { text: 'Quickstart', link: '/quickstart' },
  { text: 'Reference', link: '/reference/data-api', activeMatch: '^/reference/' },
  { text: 'Specification', link: '/spec/', activeMatch: '^/spec/' },
  { text: 'Account', link: 'https://access.vcds.example/account', target: '_self', noIcon: true },
];

/** The navigation of each folder. */
export const SIDEBAR: DefaultTheme.SidebarMulti = {
  '/': GUIDES,
  '/reference/': REFERENCE,
  '/spec/': REFERENCE,
};
