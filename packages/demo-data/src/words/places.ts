/** Countries and their cities. */
import { weighted } from '../random.ts';
import { readTable } from './read-table.ts';

const places = readTable('places').map((cells) => {
  const [name = '', currency = '', amounts, locale = '', legalForm = '', weight] = cells.flat();
  const country = { name, currency, amounts: Number(amounts), locale, legalForm };
  return { country, weight: Number(weight), cities: cells[6] ?? [] };
});

export interface City {
  readonly name: string;
  readonly region: string | null;
  readonly country: Readonly<(typeof places)[number]['country']>;
}

export const LOCALES: readonly string[] = [...new Set(places.map((each) => each.country.locale))];

/** Draws a city: by the weight of its country, in it by rank. */
export const drawCity = weighted(
  places.flatMap(({ country, weight, cities }) =>
    cities.map((text, rank): readonly [City, number] => {
      const [name = '', region = name] = text.split('/');
      return [{ name, region: region || null, country }, weight / (rank + 2)];
    }),
  ),
);
