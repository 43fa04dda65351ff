import { canonicalCountry } from '@vcds/venture-model';
import { metas, type Page, type Statement } from './page.ts';
import { textsAt, thingsAt } from './things.ts';

const META_NAMES = ['business:contact_data:country_name', 'og:country-name', 'geo.country'];

/**
 * The country of the company, by its canonical name, where a structured address states it. The
 * domain and the language state none.
 *
 * @returns undefined if the addresses of the best source are in several countries.
 */
export function findCountry(page: Page): (Statement & { readonly country: string }) | undefined {
  const sources: readonly (readonly Statement[])[] = [
    addressCountries(page),
    metas(page.markup, META_NAMES),
    // ISO 3166-2: the country, and its subdivision.
    metas(page.markup, ['geo.region']).map(({ text, source }) => ({
      text: text.trim().slice(0, 2),
      source,
    })),
    page.markup.countryNames.map((text) => ({ text, source: 'class country-name' })),
  ];
  for (const statements of sources) {
    const found = statements.flatMap(({ text, source }) => {
      const country = canonicalCountry(text.trim());
      return country === undefined ? [] : [{ text, source, country }];
    });
    const [first] = found;
    if (first === undefined) continue;
    return found.every(({ country }) => country === first.country) ? first : undefined;
  }
  return undefined;
}

function addressCountries({ things, organizations }: Page): readonly Statement[] {
  return organizations
    .flatMap((thing) => [
      ...thingsAt(things, thing, 'address'),
      ...thingsAt(things, thing, 'location').flatMap((at) => thingsAt(things, at, 'address')),
    ])
    .flatMap((address) => {
      const source = `${address.source}.addressCountry`;
      const named = thingsAt(things, address, 'addressCountry').flatMap((country) => [
        ...textsAt(things, country, 'name'),
        ...textsAt(things, country, 'identifier'),
      ]);
      return [...textsAt(things, address, 'addressCountry'), ...named].map((text) => ({
        text,
        source,
      }));
    });
}
