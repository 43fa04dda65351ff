import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { MarkdownOptions, MarkdownRenderer } from 'vitepress';
import { valuesIn } from '../../src/examples.ts';
import { factsIn } from './facts.ts';

type Transformer = NonNullable<MarkdownOptions['codeTransformers']>[number];
type Token = ReturnType<MarkdownRenderer['parse']>[number];

/** The anchor of a heading, as Markdown viewers form it. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

const TOKENS = Object.entries({
  comment: ['comment', 'punctuation.definition.comment'],
  string: ['string', 'punctuation.definition.string', 'string.quoted', 'markup.inline.raw'],
  number: ['constant.numeric', 'constant.language', 'support.constant'],
  keyword: ['keyword', 'storage', 'keyword.operator.expression', 'keyword.control'],
  name: ['entity.name.function', 'support.function', 'entity.name.command', 'entity.name.tag'],
  key: [
    'support.type.property-name',
    'variable.parameter.function-call',
    'meta.object-literal.key',
  ],
});

/** Colors of code as variables of the stylesheet. */
export const TOKEN_THEME = {
  name: 'tokens',
  type: 'light' as const,
  fg: 'var(--code-text)',
  bg: 'var(--code-ground)',
  settings: TOKENS.map(([name, scope]) => ({
    scope,
    settings: { foreground: `var(--code-${name})` },
  })),
};

/** The grammar of the query language, for which the highlighter has no definition. */
export const EBNF = {
  name: 'ebnf',
  scopeName: 'source.ebnf',
  repository: {},
  patterns: [
    { match: '\\(\\*.*?\\*\\)', name: 'comment' },
    { match: '"[^"]*"', name: 'string' },
  ],
};

/** Classes in place of styles, which the Content-Security-Policy forbids. */
export const tokenClasses: Transformer = {
  name: 'token-classes',
  pre: (node) => {
    delete node.properties.style;
  },
  span: (node) => {
    const name = /--(code-\w+)/.exec(String(node.properties.style))?.[1];
    delete node.properties.style;
    if (name !== undefined && name !== 'code-text') node.properties.class = name;
  },
};

/** Facts of the product's tables, links between the pages of two folders, tables that scroll. */
export function extendMarkdown(markdown: MarkdownRenderer): void {
  markdown.core.ruler.before('normalize', 'facts', (state) => {
    state.src = factsIn(state.src);
  });
  markdown.core.ruler.after('inline', 'links', (state) => {
    const page = String(state.env.path ?? '');
    for (const token of state.tokens) {
      if (token.children !== null) token.children = relink(token.children, page);
    }
  });
  for (const name of ['text', 'code_inline'] as const) {
    const render = markdown.renderer.rules[name];
    // Vue would evaluate the text between double braces.
    markdown.renderer.rules[name] = (...args) =>
      render?.(...args).replaceAll('{{', '&#123;&#123;') ?? '';
  }
  let headings: string[] = [];
  let column = 0;
  markdown.renderer.rules.tr_open = (tokens, index, options, _env, self) => {
    column = 0;
    return self.renderToken(tokens, index, options);
  };
  for (const name of ['th_open', 'th_close', 'td_open']) {
    markdown.renderer.rules[name] = (tokens, index, options, _env, self) => {
      const token = tokens[index];
      const text = tokens[token?.nesting === 1 ? index + 1 : index - 1];
      // A column without a name has no header.
      if (token?.tag === 'th' && text?.content === '') token.tag = 'td';
      if (token?.attrGet('style') === 'text-align:right') token.attrs = [['class', 'right']];
      if (name === 'th_open') headings.push(text?.content.replaceAll('`', '') ?? '');
      // A phone shows each row as a list, with the heading of each cell.
      if (name === 'td_open') token?.attrSet('data-heading', headings[column++] ?? '');
      return self.renderToken(tokens, index, options);
    };
  }
  let heading = '';
  const openHeading = markdown.renderer.rules.heading_open;
  markdown.renderer.rules.heading_open = (tokens, index, options, env, self) => {
    heading = tokens[index + 1]?.content.replaceAll('`', '') ?? '';
    return (
      openHeading?.(tokens, index, options, env, self) ?? self.renderToken(tokens, index, options)
    );
  };
  markdown.renderer.rules.table_open = () => {
    const label = markdown.utils.escapeHtml(`Table: ${heading}`);
    headings = [];
    return `<div class="scrolls" tabindex="0" role="group" aria-label="${label}"><table>\n`;
  };
  const fence = markdown.renderer.rules.fence;
  markdown.renderer.rules.fence = (...args) => {
    const { info = '', content = '' } = args[0][args[1]] ?? {};
    const picture = info === 'json answer' ? pictureOf(content, markdown.utils.escapeHtml) : '';
    return picture + (fence?.(...args) ?? '');
  };
  markdown.renderer.rules.table_close = () => '</table></div>\n';
}

/** The picture of the groups of an answer; empty for others. */
function pictureOf(content: string, escapeHtml: (text: string) => string): string {
  const [answer, ...others] = valuesIn(content) as { by?: unknown[]; rows?: unknown[] }[];
  const isDrawn =
    others.length === 0 && (answer?.by?.length ?? 0) > 0 && answer?.rows !== undefined;
  return isDrawn ? `<AnswerPicture answer="${escapeHtml(JSON.stringify(answer))}" />\n` : '';
}

/** Replaces links to files of the repository by links to pages, or by their text. */
function relink(tokens: readonly Token[], page: string): Token[] {
  let isRemoved = false;
  return tokens.filter((token) => {
    if (token.type === 'link_close') return !isRemoved;
    if (token.type !== 'link_open') return true;
    const target = pageOf(String(token.attrGet('href')), page);
    isRemoved = target === undefined;
    if (target !== undefined) token.attrSet('href', target);
    return !isRemoved;
  });
}

const PAGES = new Map([
  ['configuration', '/deploying'],
  ['import', '/importing'],
  ['changelog', '/changelog'],
]);

/** Undefined for a file that is not part of the site. */
function pageOf(href: string, page: string): string | undefined {
  const [path = '', anchor] = href.split('#');
  const isPage = path.endsWith('.md') && !/\b(?:packages|services)\//.test(path);
  if (!isPage) return path.startsWith('..') ? undefined : href;
  if (!path.includes('docs/') && existsSync(join(dirname(page), path))) return href;
  const [, spec] = /(?:^|\/)spec\/([\w-]+)\.md$/.exec(path) ?? [];
  const [, doc = ''] = /(?:^|\/)([\w-]+)\.md$/.exec(path) ?? [];
  const found = spec === undefined ? PAGES.get(doc) : `/spec/${spec === 'README' ? '' : spec}`;
  if (found === undefined) return undefined;
  return anchor === undefined ? found : `${found}#${anchor}`;
}
