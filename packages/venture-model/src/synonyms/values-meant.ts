/** The values of open dimensions that a text may mean: synonyms, and names of places in other languages. */
import { OPEN_VALUE_SYNONYMS } from './value-synonyms.ts';

/** Names of one place, in its languages and in English. Codes and names of countries are not here. */
const PLACES = `
  Munich|München|Monaco di Baviera
  Cologne|Köln
  Vienna|Wien
  Zurich|Zürich
  Geneva|Genève|Genf|Ginevra
  Basel|Bâle|Basle
  Bern|Berne
  Lucerne|Luzern
  Nuremberg|Nürnberg
  Hanover|Hannover
  Brunswick|Braunschweig
  Brussels|Bruxelles|Brussel|Brüssel
  Antwerp|Antwerpen|Anvers
  Ghent|Gent|Gand
  Bruges|Brugge
  Liège|Luik|Lüttich
  Louvain|Leuven
  The Hague|Den Haag|'s-Gravenhage
  Copenhagen|København|Kopenhagen
  Gothenburg|Göteborg
  Helsinki|Helsingfors
  Turku|Åbo
  Prague|Praha|Prag
  Warsaw|Warszawa|Warschau
  Cracow|Kraków|Krakau
  Wrocław|Breslau
  Gdańsk|Danzig
  Bucharest|București|Bukarest
  Belgrade|Beograd|Београд|Belgrad
  Sofia|София
  Athens|Αθήνα|Athina|Athen
  Thessaloniki|Θεσσαλονίκη|Salonica
  Moscow|Москва|Moskva|Moskau
  Saint Petersburg|Санкт-Петербург|St. Petersburg|St Petersburg
  Kyiv|Київ|Kiev|Kyjiw
  Lviv|Львів|Lvov|Lemberg
  Rome|Roma|Rom
  Milan|Milano|Mailand
  Turin|Torino
  Venice|Venezia|Venedig
  Florence|Firenze|Florenz
  Naples|Napoli|Neapel
  Genoa|Genova|Genua
  Lisbon|Lisboa|Lissabon|Lisbonne
  Porto|Oporto
  Seville|Sevilla
  Saragossa|Zaragoza
  San Sebastián|Donostia
  Nice|Nizza
  Strasbourg|Straßburg
  Luxembourg|Luxemburg
  Dublin|Baile Átha Cliath
  Istanbul|İstanbul|Constantinople
  Izmir|İzmir|Smyrna
  Tel Aviv|Tel Aviv-Yafo|תל אביב|Tel-Aviv
  Jerusalem|ירושלים
  Cairo|القاهرة|Al Qahirah|Kairo
  Dubai|دبي
  Riyadh|الرياض
  Mumbai|Bombay
  Bengaluru|Bangalore
  Chennai|Madras
  Kolkata|Calcutta
  Beijing|北京|Peking
  Shanghai|上海
  Shenzhen|深圳
  Guangzhou|广州|Canton
  Hangzhou|杭州
  Hong Kong|香港
  Taipei|台北|臺北
  Tokyo|東京|Tokio|Tōkyō
  Osaka|大阪|Ōsaka
  Kyoto|京都|Kyōto
  Seoul|서울|Séoul
  Singapore|新加坡|Singapur|Singapour
  Ho Chi Minh City|Thành phố Hồ Chí Minh|Saigon
  Hanoi|Hà Nội
  Mexico City|Ciudad de México|CDMX
  São Paulo|Sao Paulo
  New York|New York City|NYC|NY
  Los Angeles|LA|L.A.
  San Francisco|SF|San Fran
  Washington|Washington, D.C.|Washington DC|Washington D.C.|DC
  Saint Louis|St. Louis|St Louis
  Montreal|Montréal
  Quebec|Québec
  Bavaria|Bayern
  North Rhine-Westphalia|Nordrhein-Westfalen|NRW
  Lower Saxony|Niedersachsen
  Saxony|Sachsen
  Hesse|Hessen
  Thuringia|Thüringen
  Catalonia|Catalunya|Cataluña
  Andalusia|Andalucía
  Lombardy|Lombardia
  Tuscany|Toscana
  Piedmont|Piemonte
  Brittany|Bretagne
  Normandy|Normandie
  Flanders|Vlaanderen|Flandre
  California|CA
  Texas|TX
  Massachusetts|MA
`;

const LENGTH_MAX = 100;
const GERMAN = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' } as const;

const MEANT = tableOf();

/**
 * The values that a text may mean, the most probable first, without the text itself: `AI` is
 * Artificial Intelligence, `Muenchen` München or Munich. Empty for most texts.
 */
export function valuesMeantBy(text: string): readonly string[] {
  if (text.length > LENGTH_MAX) return [];
  const meant = (MEANT.get(foldedValue(text)) ?? []).filter((value) => value !== text);
  // A + that was not percent-encoded is a blank.
  const withPlus = text.trimEnd().padEnd(text.length, '+');
  return withPlus === text ? meant : [withPlus, ...meant];
}

/** The text without case, accents and signs between words. */
export function foldedValue(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .replace(/[\s._-]+/gu, ' ')
    .trim();
}

/** The text as languages without umlauts write it. */
function transcribed(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[äöüøå]/g, (letter) => GERMAN[letter as keyof typeof GERMAN]);
}

function tableOf(): ReadonlyMap<string, readonly string[]> {
  const table = new Map<string, Set<string>>();
  const add = (key: string, values: readonly string[]): void => {
    const known = table.get(key) ?? new Set();
    for (const value of values) known.add(value);
    table.set(key, known);
  };
  for (const [key, values] of Object.entries<readonly string[]>(OPEN_VALUE_SYNONYMS)) {
    add(foldedValue(key), values);
  }
  for (const line of PLACES.trim().split('\n')) {
    const names = line.trim().split('|');
    for (const name of names) {
      add(foldedValue(name), names);
      add(foldedValue(transcribed(name)), names);
    }
  }
  return new Map([...table].map(([key, values]) => [key, [...values]]));
}
