/**
 * Names of countries that the libraries lack or have wrong. The first of a row is the name that is
 * stored, counted and returned.
 */
export const COMMON_NAMES = `
US|United States|America|EUA|EE UU|EEUU
GB|United Kingdom|Britain|England|Scotland|Wales|Northern Ireland|United Kingdom of Great Britain and Northern Ireland
NL|Netherlands|Holland
CZ|Czechia|Czech Rep
KR|South Korea|Korea|S Korea|Rep Korea|Republic Korea|한국
KP|North Korea|N Korea|DPRK|Dem People's Rep Korea|Democratic People's Republic of Korea
RU|Russia
CN|China|PRC|PR China|中華人民共和國|Mainland China
TW|Taiwan|中華民國|Republic of China|Taiwan, China|Chinese Taipei
HK|Hong Kong|Hong Kong SAR|Hong Kong SAR China|China, Hong Kong|China, Hong Kong Special Administrative Region|Hong Kong, China
MO|Macao|Macau|Macao SAR China|China, Macao|China, Macao Special Administrative Region|Macao, China
VN|Vietnam|Viet Nam
TR|Türkiye|Turkey
CI|Ivory Coast|Cote dIvoire
CG|Republic of the Congo|Congo|Rep Congo|Congo-Brazzaville
CD|DR Congo|DRC|Dem Rep Congo|Congo-Kinshasa|Democratic Republic of the Congo|República Democrática do Congo
BN|Brunei
CV|Cape Verde|Cabo Verde
FK|Falkland Islands
FM|Micronesia|Federated States of Micronesia
GM|Gambia
IR|Iran|Eýran
LA|Laos|Lao PDR
MD|Moldova
MK|North Macedonia|Macedonia|FYROM
MM|Myanmar|Burma
PS|Palestine|Palestinian Territories|Palestinian Territory
RE|Réunion
ST|São Tomé and Príncipe
SX|Sint Maarten
SY|Syria
SZ|Eswatini|Swaziland
TL|Timor-Leste|East Timor
TZ|Tanzania
VA|Vatican City|Vatican|Holy See
VG|British Virgin Islands
VI|United States Virgin Islands|US Virgin Islands
XK|Kosovo|XKX
BA|Bosnia and Herzegovina|Bosnia
CC|Cocos (Keeling) Islands|Cocos Islands
AR|Argentina|Argentine Republic
CH|Switzerland|Swiss Confederation
FR|France|French Republic
GA|Gabon|Gabonese Republic
GR|Greece|Hellenic Republic|EL
IT|Italy|Italian Republic
KG|Kyrgyzstan|Kyrgyz Republic
LB|Lebanon|Lebanese Republic
MX|Mexico|United Mexican States
PT|Portugal|Portuguese Republic
SH|Saint Helena|Saint Helena, Ascension and Tristan da Cunha
SJ|Svalbard and Jan Mayen|Svalbard and Jan Mayen Islands
SK|Slovakia|Slovak Republic
TG|Togo|Togolese Republic
WF|Wallis and Futuna|Wallis and Futuna Islands
MY|Malaysia|މެލޭޝިޔާ
MN|Mongolia|މޮންގޯލިއާ
MA|Morocco|މޮރޮކޯ
`;

/** Countries that share the short name of another one: only their full names tell them apart. */
export const SHARED_NAMES: ReadonlySet<string> = new Set(['CD', 'CG', 'CN', 'KP', 'KR', 'TW']);
