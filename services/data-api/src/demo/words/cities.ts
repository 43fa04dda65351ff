/** Real cities with their regions, most drawn first: the weight of a row falls with its rank. */
import { type Country, countries, table } from './countries.ts';

export interface City {
  readonly name: string;
  readonly region: string | null;
  readonly country: Country;
}

const cityRows = `
San Francisco|California|United States
New York|New York|United States
London|England|United Kingdom
Boston|Massachusetts|United States
Palo Alto|California|United States
Berlin|Berlin|Germany
Paris|Île-de-France|France
Bengaluru|Karnataka|India
Los Angeles|California|United States
Beijing|Beijing|China
Tel Aviv|Tel Aviv District|Israel
Seattle|Washington|United States
Austin|Texas|United States
Stockholm|Stockholm County|Sweden
Singapore||Singapore
Toronto|Ontario|Canada
Shanghai|Shanghai|China
Chicago|Illinois|United States
Mountain View|California|United States
Cambridge|Massachusetts|United States
Amsterdam|North Holland|Netherlands
Munich|Bavaria|Germany
Tokyo|Tokyo|Japan
São Paulo|São Paulo|Brazil
Mumbai|Maharashtra|India
Gurugram|Haryana|India
San Diego|California|United States
Washington|District of Columbia|United States
Denver|Colorado|United States
Seoul|Seoul|South Korea
Sydney|New South Wales|Australia
Barcelona|Catalonia|Spain
Zürich|Zürich|Switzerland
Dublin|Leinster|Ireland
Helsinki|Uusimaa|Finland
Copenhagen|Capital Region|Denmark
Atlanta|Georgia|United States
Boulder|Colorado|United States
San Jose|California|United States
Shenzhen|Guangdong|China
Hangzhou|Zhejiang|China
Vancouver|British Columbia|Canada
Montréal|Quebec|Canada
Madrid|Community of Madrid|Spain
Milan|Lombardy|Italy
Oslo|Oslo|Norway
Cambridge|England|United Kingdom
Oxford|England|United Kingdom
Manchester|England|United Kingdom
Edinburgh|Scotland|United Kingdom
Hamburg|Hamburg|Germany
Cologne|North Rhine-Westphalia|Germany
Melbourne|Victoria|Australia
Miami|Florida|United States
Philadelphia|Pennsylvania|United States
Salt Lake City|Utah|United States
Portland|Oregon|United States
Redwood City|California|United States
New Delhi|Delhi|India
Hyderabad|Telangana|India
Tallinn|Harju County|Estonia
Lisbon|Lisbon District|Portugal
Warsaw|Masovia|Poland
Vienna|Vienna|Austria
Brussels|Brussels-Capital|Belgium
Istanbul|Istanbul|Türkiye
Mexico City|Mexico City|Mexico
Jakarta|Jakarta|Indonesia
Lagos|Lagos State|Nigeria
Nairobi|Nairobi County|Kenya
Dubai|Dubai|United Arab Emirates
Hong Kong||Hong Kong
Bogotá|Bogotá|Colombia
Buenos Aires|Buenos Aires|Argentina
Santiago|Santiago Metropolitan|Chile
Cape Town|Western Cape|South Africa
Cairo|Cairo Governorate|Egypt
Lyon|Auvergne-Rhône-Alpes|France
Toulouse|Occitanie|France
Nantes|Pays de la Loire|France
Grenoble|Auvergne-Rhône-Alpes|France
Geneva|Geneva|Switzerland
Lausanne|Vaud|Switzerland
Basel|Basel-Stadt|Switzerland
Gothenburg|Västra Götaland|Sweden
Malmö|Skåne|Sweden
Rotterdam|South Holland|Netherlands
Delft|South Holland|Netherlands
Eindhoven|North Brabant|Netherlands
Ghent|East Flanders|Belgium
Leuven|Flemish Brabant|Belgium
Aarhus|Central Denmark|Denmark
Trondheim|Trøndelag|Norway
Tampere|Pirkanmaa|Finland
Espoo|Uusimaa|Finland
Frankfurt|Hesse|Germany
Stuttgart|Baden-Württemberg|Germany
Karlsruhe|Baden-Württemberg|Germany
Leipzig|Saxony|Germany
Dresden|Saxony|Germany
Kraków|Lesser Poland|Poland
Wrocław|Lower Silesia|Poland
Prague|Prague|Czechia
Brno|South Moravia|Czechia
Budapest|Budapest|Hungary
Bucharest|Bucharest|Romania
Cluj-Napoca|Cluj County|Romania
Athens|Attica|Greece
Vilnius|Vilnius County|Lithuania
Riga|Riga|Latvia
Zagreb|Zagreb|Croatia
Sofia|Sofia City|Bulgaria
Belgrade|Belgrade|Serbia
Ljubljana|Ljubljana|Slovenia
Kyiv|Kyiv|Ukraine
Lviv|Lviv Oblast|Ukraine
Luxembourg|Luxembourg|Luxembourg
Reykjavík|Capital Region|Iceland
Porto|Porto District|Portugal
Valencia|Valencian Community|Spain
Bilbao|Basque Country|Spain
Rome|Lazio|Italy
Turin|Piedmont|Italy
Bristol|England|United Kingdom
Glasgow|Scotland|United Kingdom
Belfast|Northern Ireland|United Kingdom
Cardiff|Wales|United Kingdom
Cork|Munster|Ireland
Haifa|Haifa District|Israel
Jerusalem|Jerusalem District|Israel
Pune|Maharashtra|India
Chennai|Tamil Nadu|India
Guangzhou|Guangdong|China
Chengdu|Sichuan|China
Osaka|Osaka|Japan
Kyoto|Kyoto|Japan
Fukuoka|Fukuoka|Japan
Busan|Busan|South Korea
Taipei|Taipei|Taiwan
Kuala Lumpur|Kuala Lumpur|Malaysia
Ho Chi Minh City|Ho Chi Minh City|Vietnam
Hanoi|Hanoi|Vietnam
Bangkok|Bangkok|Thailand
Manila|Metro Manila|Philippines
Brisbane|Queensland|Australia
Perth|Western Australia|Australia
Auckland|Auckland|New Zealand
Wellington|Wellington|New Zealand
Rio de Janeiro|Rio de Janeiro|Brazil
Belo Horizonte|Minas Gerais|Brazil
Curitiba|Paraná|Brazil
Florianópolis|Santa Catarina|Brazil
Monterrey|Nuevo León|Mexico
Guadalajara|Jalisco|Mexico
Medellín|Antioquia|Colombia
Lima|Lima|Peru
Montevideo|Montevideo|Uruguay
Córdoba|Córdoba|Argentina
Johannesburg|Gauteng|South Africa
Accra|Greater Accra|Ghana
Casablanca|Casablanca-Settat|Morocco
Riyadh|Riyadh Province|Saudi Arabia
Abu Dhabi|Abu Dhabi|United Arab Emirates
Karachi|Sindh|Pakistan
Dhaka|Dhaka Division|Bangladesh
Ottawa|Ontario|Canada
Waterloo|Ontario|Canada
Calgary|Alberta|Canada
Pittsburgh|Pennsylvania|United States
Dallas|Texas|United States
Houston|Texas|United States
Nashville|Tennessee|United States
Raleigh|North Carolina|United States
Minneapolis|Minnesota|United States
Detroit|Michigan|United States
Phoenix|Arizona|United States
Baltimore|Maryland|United States
Santa Monica|California|United States
Berkeley|California|United States
`;

/** All cities, the most drawn first. */
export const cities: readonly City[] = Object.freeze(
  table(cityRows).map(([name = '', region = '', countryName = '']) => {
    const country = countries.get(countryName);
    if (country === undefined) throw new RangeError(`no country "${countryName}" for ${name}`);
    return Object.freeze({ name, region: region || null, country });
  }),
);

/** What a row is drawn with: the first about fifty times as often as the last. */
export const cityWeight = (rank: number): number => 1 / (rank + 4);
