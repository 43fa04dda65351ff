/** The stage that the series of a round names, as sources write it. */
import { stages } from '../dimensions/closed-values.ts';

/** A longer text names no stage. */
const LENGTH_MAX = 200;

/**
 * The table: each stage by its member name, and the texts of sources for it, in lower case, without
 * accents and the words of {@link FILLERS}. Names, slugs and labels of stages need no row, and
 * {@link seriesLetter} reads series with a letter (`Series A-1`, `b round`, `Série C`).
 */
const WRITTEN = `
PreSeed|pre series seed|friends and family|friends family|fff|preseed|pre seed|idea|incubator|accelerator|accelerator incubator|incubator accelerator
Angel|angel individual|angels|angel investor|business angel|business angels|individual|angel syndicate|天使
Seed|semilla|semente|amorcage|series seed|seed vc|mango seed|late seed|early seed|seed plus|seed+|种子
Venture|vc|venture capital|venture series unknown|series unknown|early vc|early venture|venture equity
Growth|growth equity|growth equity vc|growth capital|expansion|expansion capital|late|later|late vc|later vc|late venture|later venture|growth expansion|pre ipo|preipo
PrivateEquity|pe|private equity growth|pe growth|growth pe|pe growth expansion|buyout|buy out|lbo|mbo|mbi|buyout lbo|leveraged buyout|management buyout|recapitalization|recap|majority
Debt|loan|term loan|bank loan|bridge loan|venture debt|debt general|credit|credit facility|credit line|line of credit|facility|mezzanine|mezzanine debt|mezzanine capital|revenue based|royalty|deuda|divida|dette|fremdkapital|darlehen
Convertible|convertible|convertible note|convertible notes|convertible debt|convertible loan|convertible bond|convertible equity|note|notes|cln|safe|safe note|safes|kiss|asa|bridge|bridge note|wandeldarlehen
Grant|grants|subsidy|subvention|award|prize|grant non dilutive|non dilutive|non equity assistance|nonequity assistance|zuschuss|forderung
Crowdfunding|crowd|equity crowdfunding|product crowdfunding|reward crowdfunding|debt crowdfunding|crowd equity|reg cf|regulation crowdfunding|kickstarter|indiegogo|seedrs|crowdcube
Secondary|secondary market|secondary sale|secondary transaction|secondary private|secondary transaction private|secondaries|tender offer|tender
Corporate|cvc|corporate venture|corporate vc|corporate venture capital|corporate minority|strategic|strategic corporate|战略|战略融资
PostIpo|ipo|public offering|initial public offering|pipe|post ipo equity|post ipo debt|post ipo secondary|postipo|private in public equity|private in public entity|direct listing|secondary public offering|follow on offering|follow on public offering|spac
Other|ico|initial coin offering|token|token sale|token generation|coin offering|others
`;

/** Words that say nothing about the stage. */
const FILLERS =
  /\b(?:rounds?|fundings?|financings?|finance|finanzierung|financiacion|financement|stage|investments?|raised?|the|deal|phase|runde|ronda|tour de table)\b|轮|投资/gu;

/** Suffixes of the letter of a series: `A-1`, `A1`, `A2b`, `A+`, `A II`, `A prime`, `A bridge`. */
const AFTER_LETTER =
  '(?:\\d{1,2}[a-d]?)?\\+{0,2}(?: (?:\\d{1,2}[a-d]?|\\+{1,2}|i{2,3}|iv|prime|plus|preferred|prefs?|stock|shares|equity|venture|vc|ext|extension|extended|bridge|follow on|tranche|(?:first|second|third|final|1st|2nd|3rd) (?:close|closing|tranche)))*';
const SERIES = new RegExp(
  `^(pre )?(?:venture )?(series |serie |class )?([a-z])${AFTER_LETTER}$`,
  'u',
);
const SEED = new RegExp(`^(?:series )?seed${AFTER_LETTER}$`, 'u');

const LETTERS = 'abcdefgh';
const BY_TEXT = tableOf(WRITTEN);
const BY_NAME = new Map(stages.map(({ name, value }) => [name, Number(value)]));

/**
 * The number of the stage that a series names, whatever its case and punctuation: `Series A-1`,
 * `debt_financing`, `Post-IPO Equity`. A `Pre-Series B` counts as the stage before.
 *
 * @returns undefined for a text that names no stage, or several (`Seed / Series A`).
 */
export function stageOfSeries(series: string): number | undefined {
  if (series.length > LENGTH_MAX) return undefined;
  const text = reduced(series);
  return BY_TEXT.get(text) ?? seriesLetter(text) ?? (SEED.test(text) ? stage('Seed') : undefined);
}

function seriesLetter(text: string): number | undefined {
  const [, pre, word, letter = ''] = SERIES.exec(text) ?? [];
  if (letter === '') return undefined;
  const at = LETTERS.indexOf(letter);
  // The list of stages ends with Series H.
  if (at === -1) return word && /[i-l]/u.test(letter) ? stage('Growth') : undefined;
  const before = at === 0 ? 'Seed' : `Series${letterAt(at - 1)}`;
  return stage(pre === undefined ? `Series${letterAt(at)}` : before);
}

function letterAt(index: number): string {
  return LETTERS.charAt(index).toUpperCase();
}

function stage(name: string): number | undefined {
  return BY_NAME.get(name);
}

function tableOf(rows: string): ReadonlyMap<string, number> {
  const table = new Map<string, number>();
  for (const { name, slug, label, value } of stages) {
    for (const form of [name, slug, label]) table.set(reduced(form), Number(value));
  }
  for (const row of rows.trim().split('\n')) {
    const [name = '', ...texts] = row.split('|');
    const value = stages.find((each) => each.name === name)?.value;
    for (const text of texts) table.set(reduced(text), Number(value));
  }
  return table;
}

/** Lower case, without accents, fillers and punctuation but plus signs. */
function reduced(text: string): string {
  const words = text
    .replace(/([a-z])([A-Z])/gu, '$1 $2')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}+]+/gu, ' ')
    .trim();
  const kept = words.replace(FILLERS, ' ').replace(/ +/gu, ' ').trim();
  return kept === '' ? words : kept;
}
