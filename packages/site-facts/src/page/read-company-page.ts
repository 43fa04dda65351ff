import { BOUNDS } from './bounds.ts';
import { findCountry } from './country.ts';
import { findFoundedYear } from './founded-year.ts';
import { findLanguage } from './language.ts';
import { findLiveness, type Liveness } from './liveness.ts';
import { findLogo } from './logo.ts';
import { openPage, type PageInput, type Statement } from './page.ts';
import { findSocialProfiles, type SocialProfile } from './social-profiles.ts';
import { collapse } from './text.ts';
import { DESCRIPTION_RULES, findName, findText, TITLE_RULES } from './texts.ts';

/** The facts that a page states about the company it belongs to; null where it states none. */
export interface CompanyFacts {
  readonly name: string | null;
  readonly title: string | null;
  readonly description: string | null;
  /** Absolute; by https where the page offers that. */
  readonly logoUrl: string | null;
  /** A language of BCP 47, with the script where it is stated: `en`, `zh-Hant`. */
  readonly language: string | null;
  /** The canonical name of `canonicalCountry`. */
  readonly country: string | null;
  readonly foundedYear: number | null;
  readonly socialProfiles: readonly SocialProfile[];
}

/** The part of the page that states a fact. */
export interface Evidence {
  readonly field: keyof CompanyFacts;
  /** The text as the page has it. */
  readonly value: string;
  /** Such as `json-ld Organization.name`, `og:site_name`, `html lang`. */
  readonly source: string;
}

export interface CompanyPage extends CompanyFacts {
  /** One or more for each fact that is not null; none for the others. */
  readonly evidence: readonly Evidence[];
  readonly liveness: Liveness;
}

/**
 * Reads what a page states about the company it belongs to. States nothing that the page does not.
 *
 * Pure. The work is proportional to the length of the page, of which at most 2 Mi characters are
 * read. Never fails for any page.
 *
 * @throws TypeError if `url` is no absolute URL.
 */
export function readCompanyPage(input: PageInput): CompanyPage {
  const page = openPage(input);
  const name = findName(page);
  const title = findText(page, TITLE_RULES, BOUNDS.titleLength);
  const description = findText(page, DESCRIPTION_RULES, BOUNDS.descriptionLength);
  const logo = findLogo(page);
  const language = findLanguage(page);
  const country = findCountry(page);
  const founded = findFoundedYear(page, name?.text);
  const profiles = findSocialProfiles(page, name?.text);
  const statements: Partial<Record<keyof CompanyFacts, readonly (Statement | undefined)[]>> = {
    ...{ name: [name], title: [title], description: [description], logoUrl: [logo] },
    ...{ language: [language], country: [country], foundedYear: [founded] },
    socialProfiles: profiles,
  };
  return {
    name: name?.text ?? null,
    title: title?.text ?? null,
    description: description?.text ?? null,
    logoUrl: logo?.url ?? null,
    language: language?.tag ?? null,
    country: country?.country ?? null,
    foundedYear: founded?.year ?? null,
    socialProfiles: profiles.map(({ network, url }) => ({ network, url })),
    evidence: FIELDS.flatMap((field) =>
      (statements[field] ?? []).flatMap((each) =>
        each === undefined ? [] : [evidence(field, each)],
      ),
    ),
    liveness: findLiveness(page),
  };
}

const FIELDS: readonly (keyof CompanyFacts)[] = [
  ...(['name', 'title', 'description', 'logoUrl', 'language', 'country'] as const),
  ...(['foundedYear', 'socialProfiles'] as const),
];

function evidence(field: keyof CompanyFacts, { text, source }: Statement): Evidence {
  return { field, value: collapse(text), source };
}
