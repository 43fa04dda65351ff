import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CompanyFacts, readCompanyPage } from '@vcds/site-facts/page';

/** A field, the name that the reference library has for it, and how many it has right itself. */
export interface Share {
  readonly field: keyof CompanyFacts;
  readonly pages: number;
  readonly right: number;
  /**
   * By metascraper 5.58 with its rules for title, description, logo, icons, language and publisher,
   * without access to a network, compared in the same way.
   */
  readonly reference: number;
}

interface Saved {
  readonly slug: string;
  readonly url: string;
  readonly expected: Readonly<Record<string, string | null>>;
}

type Row = readonly [keyof CompanyFacts, string, number];

const FIELDS: readonly Row[] = [
  ['name', 'publisher', 26],
  ['title', 'title', 26],
  ['description', 'description', 26],
  ['logoUrl', 'logo', 17],
  ['language', 'lang', 26],
];

/** The pages that metascraper saved with the values that it expects of them. */
export const SAVED_PAGES = 'html-fixtures/metascraper';

/** Compares the facts of the saved pages with the values that the reference library expects. */
export function evaluate(dataFolder: string, differs: (line: string) => void = () => {}): Share[] {
  const folder = join(dataFolder, SAVED_PAGES);
  const saved: Saved[] = JSON.parse(readFileSync(join(folder, 'expected_dev.json'), 'utf8'));
  const pages = saved.map(({ slug, url, expected }) => {
    const html = readFileSync(join(folder, `${slug}.html`), 'utf8');
    return { slug, expected, facts: readCompanyPage({ html, url, now: new Date() }) };
  });
  return FIELDS.map(([field, theirs, reference]) => {
    const right = pages.filter(({ slug, expected, facts }) => {
      const [own, wanted] = [comparable(facts[field]), comparable(expected[theirs])];
      if (own !== wanted) differs(`${slug} ${field}: ${own}, expected ${wanted}`);
      return own === wanted;
    });
    return { field, pages: pages.length, right: right.length, reference };
  });
}

/** A value without the typography that the reference library adds to texts. */
function comparable(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return String(value)
    .replace(/[‘’]/gu, "'")
    .replace(/[“”]/gu, '"')
    .replace(/ ?\.{2,3}$/u, '…')
    .replace(/\s+/gu, ' ')
    .trim();
}
