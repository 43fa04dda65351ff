/**
 * Countries: whose personal names are usual there, the currency, and what rounds there amount to
 * beside those of the United States. A country whose currency is given as USD raises in dollars.
 */
export interface Country {
  readonly name: string;
  readonly culture: string;
  readonly currency: string;
  /** Factor on the amounts of rounds. */
  readonly amounts: number;
}

const countryRows = `
United States|anglo|USD|1
United Kingdom|anglo|GBP|0.8
Germany|german|EUR|0.8
France|french|EUR|0.75
India|indic|INR|0.5
China|chinese|CNY|0.9
Israel|hebrew|USD|0.9
Canada|anglo|CAD|0.8
Singapore|chinese|SGD|0.8
Sweden|nordic|SEK|0.75
Netherlands|dutch|EUR|0.7
Japan|japanese|JPY|0.6
South Korea|korean|KRW|0.6
Brazil|portuguese|BRL|0.5
Australia|anglo|AUD|0.7
Spain|spanish|EUR|0.6
Switzerland|german|CHF|0.9
Ireland|anglo|EUR|0.7
Finland|finnish|EUR|0.65
Denmark|nordic|DKK|0.7
Norway|nordic|NOK|0.7
Italy|italian|EUR|0.5
Belgium|dutch|EUR|0.65
Austria|german|EUR|0.6
Poland|slavic|EUR|0.4
Portugal|portuguese|EUR|0.45
Estonia|baltic|EUR|0.5
Lithuania|baltic|EUR|0.45
Latvia|baltic|EUR|0.4
Czechia|slavic|EUR|0.4
Romania|romanian|EUR|0.35
Greece|greek|EUR|0.4
Türkiye|turkish|USD|0.4
Ukraine|slavic|USD|0.35
Mexico|spanish|MXN|0.45
Colombia|spanish|USD|0.35
Argentina|spanish|USD|0.4
Chile|spanish|USD|0.4
Peru|spanish|USD|0.3
Nigeria|african|USD|0.3
Kenya|african|USD|0.3
South Africa|african|ZAR|0.35
Ghana|african|USD|0.25
Egypt|arabic|USD|0.3
United Arab Emirates|arabic|USD|0.7
Saudi Arabia|arabic|USD|0.7
Morocco|arabic|USD|0.25
Indonesia|malay|USD|0.5
Malaysia|malay|MYR|0.4
Vietnam|vietnamese|USD|0.35
Thailand|thai|THB|0.35
Philippines|spanish|USD|0.3
New Zealand|anglo|NZD|0.6
Hong Kong|chinese|HKD|0.7
Taiwan|chinese|TWD|0.6
Pakistan|arabic|USD|0.25
Bangladesh|indic|USD|0.25
Iceland|nordic|USD|0.5
Luxembourg|french|EUR|0.7
Hungary|hungarian|EUR|0.4
Croatia|slavic|EUR|0.35
Bulgaria|slavic|EUR|0.35
Serbia|slavic|EUR|0.3
Slovenia|slavic|EUR|0.4
Uruguay|spanish|USD|0.35
`;

/** Splits rows of `|`-separated words. */
export const table = (rows: string): readonly (readonly string[])[] =>
  rows
    .trim()
    .split('\n')
    .map((row) => row.split('|'));

/** Every country by its name. */
export const countries: ReadonlyMap<string, Country> = new Map<string, Country>(
  table(countryRows).map(([name = '', culture = '', currency = '', amounts = '']) => [
    name,
    Object.freeze({ name, culture, currency, amounts: Number(amounts) }),
  ]),
);
