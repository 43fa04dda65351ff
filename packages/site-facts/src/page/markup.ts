import { Parser } from 'htmlparser2';
import { BOUNDS } from './bounds.ts';
import { type Item, ItemReader } from './item-reader.ts';
import { collapse } from './text.ts';

export type Attributes = Readonly<Record<string, string>>;

/** The parts of a page that the rules read, in document order. */
export interface Markup {
  /** The attribute `lang` of the element html. */
  readonly language: string | undefined;
  /** The address of the element base. */
  readonly base: string | undefined;
  readonly metas: readonly Attributes[];
  readonly links: readonly Attributes[];
  readonly anchors: readonly Attributes[];
  readonly logos: readonly Logo[];
  /** The addresses of images that are the property logo of microdata. */
  readonly logoItems: readonly string[];
  /** The addresses of scripts and frames. */
  readonly embedded: readonly string[];
  readonly titles: readonly string[];
  readonly headings: readonly string[];
  /** Texts of elements whose class or id names a logo or a brand. */
  readonly brands: readonly string[];
  /** Texts of the elements with class `country-name` (hCard). */
  readonly countryNames: readonly string[];
  readonly times: readonly string[];
  /** The texts of the JSON-LD blocks. */
  readonly jsonLd: readonly string[];
  readonly items: readonly Item[];
  /** The visible text. */
  readonly text: string;
}

/** An image in an element whose class or id names a logo. */
export interface Logo {
  readonly src: string;
  readonly alt: string;
}

type Lists = {
  -readonly [Name in keyof Omit<
    Markup,
    'language' | 'base' | 'text' | 'items'
  >]: Markup[Name][number][];
};

/** An element that is open. */
interface Open {
  readonly name: string;
  readonly isUnseen: boolean;
  readonly isLogo: boolean;
  /** Receives the text of the element when it closes. */
  readonly done: readonly ((text: string) => void)[];
  text: string;
}

const UNSEEN = new Set(['script', 'style', 'noscript', 'template', 'svg', 'math', 'title']);
const INLINE = new Set(
  'a abbr b bdi bdo cite code em font i kbd mark q s small span strong sub sup u var wbr'.split(
    ' ',
  ),
);
const LOGO = /logo/iu;
const BRAND = /^(?:logo|brand|site-title|site-name|navbar-brand)$/iu;
const JSON_LD = /^\s*application\/ld\+json/iu;

/**
 * Reads a page in one pass. Never fails: browsers show broken pages too.
 *
 * The work is proportional to the length, whatever the nesting (`BOUNDS`).
 */
export function readMarkup(html: string): Markup {
  const reader = new MarkupReader();
  const parser = new Parser({
    onopentag: (name, attributes) => reader.open(name, attributes),
    onclosetag: () => reader.close(),
    ontext: (text) => reader.add(text),
  });
  const end = Math.min(html.length, BOUNDS.htmlLength);
  for (let at = 0; at < end && !reader.isFull; at += BOUNDS.chunkLength) {
    parser.write(html.slice(at, Math.min(end, at + BOUNDS.chunkLength)));
  }
  parser.end();
  return reader.markup();
}

class MarkupReader {
  readonly #lists: Lists = {
    ...{ metas: [], links: [], anchors: [], logos: [], logoItems: [], embedded: [], titles: [] },
    ...{ headings: [], brands: [], countryNames: [], times: [], jsonLd: [] },
  };
  readonly #items = new ItemReader();
  readonly #open: Open[] = [];
  /** The open elements whose text is collected. */
  readonly #captures: Open[] = [];
  readonly #text: string[] = [];
  #textLength = 0;
  #elements = 0;
  #language: string | undefined;
  #base: string | undefined;

  get isFull(): boolean {
    return this.#open.length > BOUNDS.depth || this.#elements > BOUNDS.elements;
  }

  open(name: string, attributes: Attributes): void {
    this.#elements += 1;
    if (!INLINE.has(name)) this.add(' ');
    const around = this.#open.at(-1);
    const mark = `${attributes.class ?? ''} ${attributes.id ?? ''}`.slice(0, BOUNDS.nameLength);
    const isLogo = around?.isLogo === true || LOGO.test(mark);
    const property = this.#items.open(name, attributes, this.#open.length + 1);
    const element: Open = {
      ...{ name, isLogo, text: '' },
      isUnseen: around?.isUnseen === true || UNSEEN.has(name) || attributes.hidden !== undefined,
      done: [
        ...(property === undefined ? [] : [property]),
        ...this.#readersOf(name, attributes, mark, around?.name === 'svg'),
      ],
    };
    if (element.done.length > 0 && this.#captures.length < BOUNDS.captures) {
      this.#captures.push(element);
    }
    this.#open.push(element);
    this.#note(name, attributes, isLogo);
  }

  add(text: string): void {
    for (const capture of this.#captures) {
      const max = capture.name === 'script' ? BOUNDS.jsonLdLength : BOUNDS.captureLength;
      if (capture.text.length <= max) capture.text += text;
    }
    if (this.#open.at(-1)?.isUnseen === true || this.#textLength > BOUNDS.textLength) return;
    this.#text.push(text);
    this.#textLength += text.length;
  }

  close(): void {
    this.#items.close(this.#open.length);
    const element = this.#open.pop();
    if (element === undefined) return;
    if (this.#captures.at(-1) === element) {
      this.#captures.pop();
      for (const done of element.done) done(element.text);
    }
    if (!INLINE.has(element.name)) this.add(' ');
  }

  markup(): Markup {
    const text = collapse(this.#text.join(''));
    const items = this.#items.top;
    return { ...this.#lists, items, text, language: this.#language, base: this.#base };
  }

  #note(name: string, attributes: Attributes, isLogo: boolean): void {
    const lists = this.#lists;
    const src = attributes.src ?? attributes['data-src'];
    switch (name) {
      case 'html':
        this.#language ??= attributes.lang ?? attributes['xml:lang'];
        break;
      case 'base':
        this.#base ??= attributes.href;
        break;
      case 'meta':
        push(lists.metas, attributes);
        break;
      case 'link':
        push(lists.links, attributes);
        break;
      case 'a':
        if (attributes.href !== undefined) push(lists.anchors, attributes);
        break;
      case 'img':
        if (attributes.itemprop === 'logo' && src !== undefined) push(lists.logoItems, src);
        if (isLogo && src !== undefined) push(lists.logos, { src, alt: attributes.alt ?? '' });
        break;
      case 'time':
        if (attributes.datetime !== undefined) push(lists.times, attributes.datetime);
        break;
      case 'script':
      case 'iframe':
      case 'frame':
        if (src !== undefined) push(lists.embedded, src);
        break;
    }
  }

  #readersOf(
    name: string,
    { type = '', class: classes = '' }: Attributes,
    mark: string,
    isSvg: boolean,
  ) {
    const lists = this.#lists;
    const into = (list: string[]) => (text: string) => {
      const collapsed = collapse(text);
      if (collapsed !== '') push(list, collapsed);
    };
    const readers: ((text: string) => void)[] = [];
    if (name === 'title' && !isSvg) readers.push(into(lists.titles));
    if (name === 'h1') readers.push(into(lists.headings));
    if (mark.split(' ').some((each) => BRAND.test(each))) readers.push(into(lists.brands));
    if (/\bcountry-name\b/u.test(classes)) readers.push(into(lists.countryNames));
    if (name === 'script' && JSON_LD.test(type)) {
      readers.push((text) => {
        const isWhole = text.length <= BOUNDS.jsonLdLength;
        if (isWhole && lists.jsonLd.length < BOUNDS.jsonLdBlocks) lists.jsonLd.push(text);
      });
    }
    return readers;
  }
}

function push<T>(list: T[], value: T): void {
  if (list.length < BOUNDS.listed) list.push(value);
}
