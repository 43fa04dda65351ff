import { metas, type Page, type Statement } from './page.ts';
import { absoluteUrl } from './text.ts';
import { type Thing, type Things, textsAt, thingsAt } from './things.ts';

/** A logo wider than this many times its height is for a headline: the icon is the better one. */
const RATIO_MAX = 2;

interface Icon extends Statement {
  readonly sidePixels: number;
}

/** The rules for the logo, the best first. */
const RULES: readonly ((page: Page) => readonly Statement[])[] = [
  ({ markup }) => metas(markup, ['og:logo', 'logo']),
  ({ markup }) => markup.logoItems.map((text) => ({ text, source: 'img itemprop=logo' })),
  (page) => page.organizations.flatMap((thing) => logosOf(page, thing, isForIcon)),
  ({ markup }) => icons(markup.links, markup.metas),
  (page) => page.organizations.flatMap((thing) => logosOf(page, thing, () => true)),
  ({ markup }) => markup.logos.map(({ src }) => ({ text: src, source: 'img of the logo' })),
];

/** The logo that the page states, else its largest icon; among equals one by https. */
export function findLogo(page: Page): (Statement & { readonly url: string }) | undefined {
  for (const rule of RULES) {
    const found = rule(page).flatMap(({ text, source }) => {
      const url = absoluteUrl(text, page.base);
      return url === undefined ? [] : [{ text, source, url }];
    });
    const logo = found.find(({ url }) => url.startsWith('https:')) ?? found[0];
    if (logo !== undefined) return logo;
  }
  return undefined;
}

function logosOf(
  { things }: Page,
  thing: Thing,
  accepts: (things: Things, image: Thing, isPublisher: boolean) => boolean,
): readonly Statement[] {
  const source = `${thing.source}.logo`;
  const isPublisher = /(?:Article|Posting)\.publisher$/u.test(thing.source);
  const images = thingsAt(things, thing, 'logo').filter((image) =>
    accepts(things, image, isPublisher),
  );
  return [
    ...textsAt(things, thing, 'logo'),
    ...images.flatMap((image) =>
      ['url', 'contentUrl'].flatMap((name) => textsAt(things, image, name)),
    ),
  ].map((text) => ({ text, source }));
}

// Search engines asked for wide logos of the publishers of articles, so one has to state its size.
function isForIcon(things: Things, image: Thing, isPublisher: boolean): boolean {
  const [width = Number.NaN, height = Number.NaN] = ['width', 'height'].map((side) =>
    Number.parseFloat(textsAt(things, image, side)[0] ?? ''),
  );
  if (Number.isNaN(width) || Number.isNaN(height)) return !isPublisher;
  return width <= height * RATIO_MAX;
}

/** The icons of the site, the largest first. */
function icons(
  links: Page['markup']['links'],
  metaElements: Page['markup']['metas'],
): readonly Statement[] {
  const linked = links.flatMap(({ rel = '', href = '', sizes = '' }) => {
    const kind = rel.trim().toLowerCase();
    const isIcon = /(?:^|\s)(?:apple-touch-icon(?:-precomposed)?|fluid-icon|icon)$/u.test(kind);
    return isIcon ? [iconOf(kind, href, sizes)] : [];
  });
  const tiles = metaElements.flatMap(({ name = '', content = '' }) =>
    name.toLowerCase() === 'msapplication-tileimage' ? [iconOf('msapplication', content, '')] : [],
  );
  return [...linked, ...tiles].toSorted((a, b) => b.sidePixels - a.sidePixels);
}

/** The ranks of icons that state no size, among the sides of others: large ones by their kind. */
const UNSTATED_SIDES: readonly (readonly [RegExp, number])[] = [
  [/^fluid/u, 31],
  [/^apple/u, 30],
  [/^msapplication/u, 29],
];

function iconOf(kind: string, href: string, sizes: string): Icon {
  const stated = /(\d{1,4})x\d/iu.exec(sizes) ?? /(\d{2,4})x\d{2}/iu.exec(href);
  const unstated = UNSTATED_SIDES.find(([pattern]) => pattern.test(kind))?.[1] ?? 16;
  const sidePixels = stated === null ? unstated : Number(stated[1]);
  const source = kind === 'msapplication' ? 'meta msapplication-TileImage' : `link rel=${kind}`;
  // An .ico file states its largest image; many readers show the smallest one.
  const isIco = /\.ico(?:$|\?)/iu.test(href);
  return { text: href, source, sidePixels: isIco ? sidePixels / 2 : sidePixels };
}
