/** The rules for texts: title, description, name. Each is a list of sources, the best first. */
import { BOUNDS } from './bounds.ts';
import type { Logo } from './markup.ts';
import { metas, type Page, type Statement, stated } from './page.ts';
import { collapse, letters } from './text.ts';
import { type Thing, type Things, textsAt, thingsAt } from './things.ts';

export type Rule = (page: Page) => readonly Statement[];

export const TITLE_RULES: readonly Rule[] = [
  ({ markup }) => metas(markup, ['og:title', 'twitter:title']),
  ({ markup }) => from(markup.titles, 'title'),
  (page) => atTop(page, 'headline'),
  ({ markup }) => from(markup.headings, 'h1'),
];

export const DESCRIPTION_RULES: readonly Rule[] = [
  ({ markup }) => metas(markup, ['og:description', 'twitter:description', 'description']),
  (page) => stated(page, 'description'),
  (page) => atTop(page, 'description'),
];

/** Additions of companies to a name whose domain is taken: getacme.com, acmehq.com. */
const PREFIX = /^(?:get|try|use|join|hello|the|we|my|go)(?=.{3})/u;
const SUFFIX = /(?<=.{3})(?:hq|app|labs|ai|io|inc|corp|tech|group|online)$/u;

const NO_REFERENCES: Things['byId'] = new Map();

const APPLICATION_NAMES = [
  ...['application-name', 'apple-mobile-web-app-title', 'al:ios:app_name', 'al:android:app_name'],
  ...['publisher', 'twitter:app:name:iphone', 'twitter:app:name:ipad'],
  'twitter:app:name:googleplay',
];

const NAME_RULES: readonly Rule[] = [
  ({ things }) =>
    things.top
      .filter(({ source }) => source.startsWith('json-ld'))
      .flatMap((thing) => publisherNames(things, thing)),
  ({ markup }) => metas(markup, ['og:site_name']),
  (page) => stated(page, 'name'),
  ({ things }) =>
    things.top
      .filter(({ types }) => types.includes('WebSite'))
      .flatMap((thing) =>
        textsAt(things, thing, 'name').map((text) => ({ text, source: `${thing.source}.name` })),
      ),
  ({ markup }) => metas(markup, APPLICATION_NAMES),
  (page) => from(titleParts(page), 'title (the part with the name of the domain)'),
  ({ markup }) => from(markup.brands, 'text of the logo'),
  ({ markup }) => from(markup.logos.map(nameInAlt), 'alt of the logo'),
  (page) => from(siteInTitle(page), 'title (its last part)'),
];

/** Words that pages show in place of a name. */
const NO_NAME =
  /^(?:home|home ?page|start|menu|logo|brand|site|website|untitled|index|welcome|my (?:site|website|blog))$/iu;

/** The name, which is no general word. */
export function findName(page: Page): Statement | undefined {
  return findText(page, NAME_RULES, BOUNDS.nameLength, (text) => !NO_NAME.test(text));
}

/** The first statement of the rules that fits, as text. */
export function findText(
  page: Page,
  rules: readonly Rule[],
  lengthMax: number,
  accepts: (text: string) => boolean = () => true,
): Statement | undefined {
  for (const rule of rules) {
    for (const { text, source } of rule(page)) {
      const collapsed = collapse(text);
      if (collapsed === '' || collapsed.length > lengthMax || !accepts(collapsed)) continue;
      return { text: collapsed, source };
    }
  }
  return undefined;
}

function from(texts: readonly string[], source: string): readonly Statement[] {
  return texts.map((text) => ({ text, source }));
}

function atTop({ things }: Page, property: string): readonly Statement[] {
  return things.top.flatMap((thing) =>
    textsAt(things, thing, property).map((text) => ({
      text,
      source: `${thing.source}.${property}`,
    })),
  );
}

/** The names of the publisher of a page, stated in place and not by reference. */
function publisherNames(things: Things, thing: Thing): readonly Statement[] {
  return thingsAt({ ...things, byId: NO_REFERENCES }, thing, 'publisher').flatMap((publisher) =>
    textsAt(things, publisher, 'name').map((text) => ({
      text,
      source: `${publisher.source}.name`,
    })),
  );
}

/** `Acme` of 'Acme logo'. */
function nameInAlt({ alt }: Logo): string {
  return collapse(alt.slice(0, BOUNDS.nameLength)).replace(/ logo(?:type)?$|^logo(?:$| of )/iu, '');
}

// A vertical bar separates more than a dash.
function partsOf(title: string): readonly string[] {
  const text = title.slice(0, BOUNDS.titleLength);
  return text.split(text.includes('|') ? '|' : /\s[-–—·•:»]+\s|:\s/u).map(collapse);
}

function titleParts({ markup, domainName }: Page): readonly string[] {
  const parts = markup.titles.slice(0, 1).flatMap(partsOf);
  const names = [domainName, domainName.replace(PREFIX, ''), domainName.replace(SUFFIX, '')];
  return parts.filter((part) => part !== '' && names.includes(letters(part)));
}

// On a start page the last part may as well be a slogan.
function siteInTitle({ markup, isHome }: Page): readonly string[] {
  if (isHome) return [];
  return markup.titles.slice(0, 1).flatMap((title) => {
    const parts = partsOf(title);
    return parts.length > 1 ? parts.slice(-1) : [];
  });
}
