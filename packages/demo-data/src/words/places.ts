/** Countries and their cities: `City/Region`, the region left out where it has the city's name. */
import { weighted } from '../random.ts';

export interface Country {
  readonly name: string;
  readonly currency: string;
  readonly amounts: number;
  readonly locale: string;
  readonly legalForm: string;
}

export interface City {
  readonly name: string;
  readonly region: string | null;
  readonly country: Country;
}

/**
 * Name, currency (USD if the importer has no rates of its own), factor on amounts of rounds, locale of
 * personal names, legal form in names, weight, cities; an indented line continues the row.
 */
const ROWS = `
United States|USD|1|en|Inc.|22|San Francisco/California, New York, Boston/Massachusetts,
  Palo Alto/California, Los Angeles/California, Seattle/Washington, Austin/Texas,
  Chicago/Illinois, Cambridge/Massachusetts, San Diego/California,
  Washington/District of Columbia, Denver/Colorado, Atlanta/Georgia, Boulder/Colorado
United Kingdom|GBP|0.8|en|Ltd|10|London/England, Cambridge/England, Oxford/England, Belfast/Northern Ireland,
  Manchester/England, Edinburgh/Scotland
Germany|EUR|0.8|de|GmbH|7|Berlin, Munich/Bavaria, Hamburg, Cologne/North Rhine-Westphalia,
  Leipzig/Saxony, Frankfurt/Hesse
France|EUR|0.75|fr|SAS|5|Paris/Île-de-France, Lyon/Auvergne-Rhône-Alpes, Toulouse/Occitanie,
  Nantes/Pays de la Loire
India|INR|0.5|en_IN|Pvt. Ltd.|6|Bengaluru/Karnataka, Mumbai/Maharashtra, Gurugram/Haryana,
  Pune/Maharashtra, New Delhi/Delhi
China|CNY|0.9|zh_CN||5|Beijing, Shanghai, Shenzhen/Guangdong, Hangzhou/Zhejiang
Israel|USD|0.9|he||2.5|Tel Aviv/Tel Aviv District, Haifa/Haifa District
Canada|CAD|0.8|en|Inc.|4|Toronto/Ontario, Vancouver/British Columbia, Montréal/Quebec,
  Waterloo/Ontario
Singapore|SGD|0.8|zh_CN|Pte. Ltd.|2|Singapore/
Sweden|SEK|0.75|sv|AB|3|Stockholm/Stockholm County, Gothenburg/Västra Götaland
Netherlands|EUR|0.7|nl|B.V.|3|Amsterdam/North Holland, Rotterdam/South Holland
Japan|JPY|0.6|ja|K.K.|2.5|Tokyo, Osaka, Kyoto
South Korea|KRW|0.6|ko||2|Seoul, Busan
Brazil|BRL|0.5|pt_BR|Ltda.|2.5|São Paulo, Rio de Janeiro
Australia|AUD|0.7|en|Pty Ltd|2.5|Sydney/New South Wales, Melbourne/Victoria
Spain|EUR|0.6|es|S.L.|2.5|Barcelona/Catalonia, Madrid/Community of Madrid
Switzerland|CHF|0.9|de|AG|2|Zürich, Geneva, Lausanne/Vaud
Ireland|EUR|0.7|en|Ltd|1.5|Dublin/Leinster, Cork/Munster
Finland|EUR|0.65|fi|Oy|1.5|Helsinki/Uusimaa, Espoo/Uusimaa
Denmark|DKK|0.7|da|ApS|1.5|Copenhagen/Capital Region, Aarhus/Central Denmark
Norway|NOK|0.7|nb_NO|AS|1.2|Oslo, Trondheim/Trøndelag
Italy|EUR|0.5|it|S.r.l.|1.5|Milan/Lombardy, Turin/Piedmont
Austria|EUR|0.6|de|GmbH|0.8|Vienna
Poland|EUR|0.4|pl|Sp. z o.o.|1.2|Warsaw/Masovia, Kraków/Lesser Poland
Portugal|EUR|0.45|pt_BR|Lda.|0.9|Lisbon/Lisbon District, Porto/Porto District
Romania|EUR|0.35|ro||0.5|Bucharest, Cluj-Napoca/Cluj County
Greece|EUR|0.4|el||0.6|Athens/Attica
Türkiye|USD|0.4|tr||0.8|Istanbul
Ukraine|USD|0.35|uk||0.6|Kyiv, Lviv/Lviv Oblast
Mexico|MXN|0.45|es||0.9|Mexico City, Monterrey/Nuevo León
Argentina|USD|0.4|es||0.6|Buenos Aires
Nigeria|USD|0.3|yo_NG||0.7|Lagos/Lagos State
South Africa|ZAR|0.35|zu_ZA||0.6|Cape Town/Western Cape, Johannesburg/Gauteng
Egypt|USD|0.3|ar||0.5|Cairo/Cairo Governorate
United Arab Emirates|USD|0.7|ar||0.8|Dubai, Abu Dhabi
Indonesia|USD|0.5|id_ID||0.8|Jakarta
Malaysia|MYR|0.4|id_ID||0.4|Kuala Lumpur
Vietnam|USD|0.35|vi||0.5|Ho Chi Minh City, Hanoi
Thailand|THB|0.35|th||0.4|Bangkok
New Zealand|NZD|0.6|en||0.4|Auckland, Wellington
Hong Kong|HKD|0.7|zh_CN||0.8|Hong Kong/
Taiwan|TWD|0.6|zh_CN||0.4|Taipei
`;

const places = ROWS.trim()
  .replace(/\n +/g, ' ')
  .split('\n')
  .map((row) => {
    const [name = '', currency = '', amounts, locale = '', legalForm = '', weight, cities = ''] =
      row.split('|');
    const country: Country = { name, currency, amounts: Number(amounts), locale, legalForm };
    return { country, weight: Number(weight), cities: cities.split(', ') };
  });

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
