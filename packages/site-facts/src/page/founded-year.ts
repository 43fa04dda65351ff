import { type Page, type Statement, stated } from './page.ts';
import { letters } from './text.ts';

const YEAR_MIN = 1_600;
const DATE_LENGTH_MAX = 40;
/** Characters of the sentence that are read on each side of the year. */
const CONTEXT_LENGTH = 120;
/** "Founded in 2014": a remark of its own. */
const REMARK_LENGTH_MAX = 30;

/** The verbs of the languages in which companies most often say it; the year follows. */
const FOUNDED =
  /\b(?:founded|established|est\.|incorporated|gegründet|fondée?|fundada|fondata|opgericht) (?:(?:in|im|en|nel|année|jahre?|the year) ){0,3}(\d{4})\b/giu;
const SINCE =
  /\b(?:in business|operating|independent|family[- ]owned|serving|trusted)(?: [\p{L}-]{1,20}){0,3} since (\d{4})\b/giu;
const SUBJECT = /\b(?:we|wir|nous|the company|our company|das unternehmen)$/iu;
const VERB = /\b(?:were|was|is|wurde|wurden|a été|fue|è stata|werd)$/iu;
const OWN = /\b(?:we|our|us|wir|unser|unsere|nous|notre|nuestra|the company|the firm)\b/iu;
const SENTENCE_END = /[.!?|•·]\s+(?=[\p{Lu}\d©])/u;

type Year = Statement & { readonly year: number };

/**
 * The year of foundation: `foundingDate`, else a sentence of the company about itself. An article
 * is about others, so its text states nothing; nor do sentences that differ.
 */
export function findFoundedYear(page: Page, name: string | undefined): Year | undefined {
  const yearMax = page.now.getUTCFullYear();
  const isPossible = ({ year }: Year) => year >= YEAR_MIN && year <= yearMax;
  const dated = stated(page, 'foundingDate')
    .map((each) => ({ ...each, year: yearIn(each.text) }))
    .find(isPossible);
  if (dated !== undefined || page.isArticle) return dated;
  const names = [letters(name ?? ''), page.domainName].filter((each) => each.length > 1);
  const said = sentences(page.markup.text, names).filter(isPossible);
  return new Set(said.map(({ year }) => year)).size === 1 ? said[0] : undefined;
}

/** The year of a date in any notation, such as `2011-03`, `March 2011` and `2011年3月`; else NaN. */
function yearIn(date: string): number {
  const years = date.length > DATE_LENGTH_MAX ? [] : (date.match(/(?<!\d)\d{4}(?!\d)/gu) ?? []);
  return years.length === 1 ? Number(years[0]) : Number(/^(\d{4})-/u.exec(date)?.[1]);
}

function sentences(text: string, names: readonly string[]): readonly Year[] {
  const founded = [...text.matchAll(FOUNDED)].filter((match) => isOwn(text, match, names));
  return [...founded, ...text.matchAll(SINCE)].map((match) => ({
    text: match[0],
    source: 'text of the page',
    year: Number(match[1]),
  }));
}

/** Whether the company is the subject: "We were founded in 2014", "Founded in 2014, Acme …". */
function isOwn(text: string, match: RegExpExecArray, names: readonly string[]): boolean {
  // With the first letter of the verb, which may begin the sentence.
  const before = text.slice(Math.max(0, match.index - CONTEXT_LENGTH), match.index + 1);
  const clause = before.split(SENTENCE_END).at(-1) ?? '';
  const subject = clause.slice(0, -1).trim().replace(VERB, '').trim();
  if (subject !== '') {
    return SUBJECT.test(subject) || names.some((name) => letters(subject).endsWith(name));
  }
  const end = match.index + match[0].length;
  const after = text.slice(end, end + CONTEXT_LENGTH).split(SENTENCE_END)[0] ?? '';
  if (match[0].length + after.length <= REMARK_LENGTH_MAX) return true;
  return OWN.test(after) || names.some((name) => letters(after).includes(name));
}
