import { readdirSync, readFileSync } from 'node:fs';
import type { DefaultTheme } from 'vitepress';
import { referencePages } from '../../src/reference.ts';

const SPECIFICATION_FOLDER = new URL('../../../../docs/spec/', import.meta.url);

type Item = DefaultTheme.NavItemWithLink;

const items = (folder: string, entries: Readonly<Record<string, string>>): Item[] =>
  Object.entries(entries).map(([page, text]) => ({ text, link: `${folder}/${page}` }));

/** The pages of the specification in the order of their numbers, which stand in their titles. */
const SPECIFICATION = readdirSync(SPECIFICATION_FOLDER)
  .filter((name) => name !== 'README.md')
  .map((name) => {
    const text = readFileSync(new URL(name, SPECIFICATION_FOLDER), 'utf8');
    const [, number = '', title = ''] = /^# (\d+)\. (.+)$/m.exec(text) ?? [];
    return { page: name.replace('.md', ''), number: Number(number), title };
  })
  .sort((a, b) => a.number - b.number);

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
      excel: 'Excel and Power BI',
      spreadsheet: 'Spreadsheets',
      copy: 'Keep a copy in DuckDB',
      warehouse: 'Keep a copy in a warehouse',
    }),
  },
  {
    text: 'Tools',
    items: items('', {
      explore: 'Explore',
      'match-list': 'Match your CRM list',
      client: 'TypeScript client',
      assistants: 'For assistants',
    }),
  },
  {
    text: 'Questions',
    link: '/questions/',
    items: items('/questions', {
      'volume-by-quarter': 'Volume by quarter',
      'volume-by-industry': 'Volume by industry and month',
      'median-series-a': 'Median Series A in a country',
      'median-by-country': 'Median by country and stage',
      'step-up': 'Step-up from A to B',
      'first-time-investors': 'New investors of a year',
      'portfolio-changes': 'All changes of my portfolio',
      'pandas-frame': 'A pandas frame of startups',
      'who-invested': 'Who invested in a company',
      'lead-investors': 'Which funds lead seed rounds',
      'co-investors': 'Co-investors of a fund',
      'top-ten-share': 'Share of the top ten',
      'fund-exits': 'Exits of a fund',
      'look-alikes': 'Companies like one',
      'serial-founders': 'Serial founders',
      'next-round': 'Who will raise next',
      'market-map': 'A market by country and stage',
      'match-websites': 'Find records for my websites',
    }),
  },
  { text: 'More', items: items('', { words: 'What is it called here?', changelog: 'Changes' }) },
  {
    text: 'For operators',
    items: items('', {
      importing: 'Importing',
      deploying: 'Deploying',
      bot: 'The robot for sites',
    }),
  },
];

const REFERENCE = [
  {
    text: 'Reference',
    items: (['data-api', 'access-api'] as const).map((api) => ({
      text: api === 'data-api' ? 'Data API' : 'Access API',
      link: `/reference/${api}`,
      items: referencePages(api).map(({ name, title }) => ({
        text: title,
        link: `/reference/${name}`,
      })),
    })),
  },
  {
    text: 'Specification',
    items: [
      { text: 'Overview', link: '/spec/' },
      ...SPECIFICATION.map(({ page, number, title }) => ({
        text: `${number} ${title}`,
        link: `/spec/${page}`,
      })),
    ],
  },
];

/** Pages for people who run the service; the search of its users leaves them out. */
export const OPERATOR_PAGES: ReadonlySet<string> = new Set(
  ['importing', 'deploying', 'bot', 'spec/import', 'spec/operations'].map((page) => `${page}.md`),
);

/** The links of the header. */
export const NAVIGATION: DefaultTheme.NavItem[] = [
  { text: 'Explore', link: '/explore' },
  { text: 'Questions', link: '/questions/', activeMatch: '^/questions/' },
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
