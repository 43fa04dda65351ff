/**
 * Names that the United Nations and ISO use in Arabic, Chinese, French, Russian and Spanish, and
 * that neither the libraries nor the rule for official names understand: code, then names.
 */
export const UN_NAMES = `
AX|Îles d’Åland|Аландских островов
DZ|República Argelina Democrática y Popular|République algérienne démocratique et populaire|Алжирская Народная Демократическая Республика|الجمهورية الجزائرية الديمقراطية الشعبية
AQ|Антарктике
AR|Аргентинская Республика
AT|Австрийская Республика
AZ|Азербайджанская Республика
BS|Багамские Острова|Содружество Багамских Островов|كمنولث جزر البهاما
BJ|بنن
BM|Бермудские острова
BQ|博纳尔，圣俄斯塔休斯和萨巴|Бонайре, Синт-Эстатиус и Саба|بونير وسانت يوستاشيوس وسابا
BV|布维岛|جزيرة بوفيت
IO|英属印度洋领土|المحيط الهندي الإقليم البريطاني في
VG|Британские Виргинские острова|جزر فرجن البريطانية
BN|文莱达鲁萨兰国|بروني دار السلام
CV|كابو فيردي
KY|Îles Caïmanes|Кайман острова
CF|Центральноафриканская Республика|República Centroafricana|République centrafricaine
CL|شيلي
CN|República Popular China|République populaire de Chine|中华人民共和国|Китайская Народная Республика|جمهورية الصين الشعبية
HK|Chine, région administrative spéciale de Hong Kong|China, región administrativa especial de Hong Kong|Китай, Специальный административный район Гонконг|الصين، منطقة هونغ كونغ الإدارية الخاصة
MO|Chine, région administrative spéciale de Macao|China, región administrativa especial de Macao|Китай, Специальный административный район Макао|الصين، منطقة ماكاو الإدارية الخاصة
CX|Isla Christmas
CC|Îles des Cocos (Keeling)|Кокосовых (Килинг) островов|جزر كوكس (كيلينغ)
KM|Коморские Острова|科摩罗联盟|Союз Коморских Островов
CG|刚果|Конго|الكونغو|República del Congo|République du Congo|刚果共和国
CZ|تشيكيا|República Checa|République tchèque|Чешская Республика|الجمهورية التشيكية
KP|République populaire démocratique de Corée|朝鲜民主主义人民共和国|Корейская Народно-Демократическая Республика|جمهورية كوريا الشعبية الديمقراطية|República Popular Democrática de Corea
CD|刚果民主共和国|República Democrática del Congo|République démocratique du Congo
DM|Содружество Доминики|كمنولث دومينيكا
DO|الجمهورية الدومينيكية|República Dominicana|République dominicaine
EC|إكوادور
EG|阿拉伯埃及共和国
EE|Эстонская Республика
FK|Îles Falkland (Malvinas)|Islas Malvinas (Falkland)|福克兰群岛（马尔维纳斯）|Фолклендские (Мальвинские) острова|جزر فوكلاند (مالفيناس)
FO|Фарерские острова|جزر فايرو
FI|Финляндская Республика
FR|República Francesa|République française|法兰西共和国|Французская Республика|الجمهورية الفرنسية
GF|غيانا الفرنسية
TF|Territorio de las Tierras Australes Francesas|法属南方领地|Южные земли (французская заморская территория)|الأراضي الفرنسية الجنوبية الجنوبية
GA|غابون|República Gabonesa|République gabonaise|Габонская Республика
DE|德意志联邦共和国
GR|República Helénica|République hellénique|Греческая Республика|الجمهورية الهيلينية
GL|غرينلند
GG|格恩西|غيرنسي
GN|Гвинейская Республика
HM|Île Heard-et-Îles MacDonald|赫德岛和麦克唐纳岛|Остров Херд и острова Макдональд
VA|Saint-Siège|罗马教廷|教廷|Святой Престол|الكرسي الرسولي
IT|República Italiana|République italienne|Итальянская Республика
CI|كوت ديفوار
JO|Иорданское Хашимитское Королевство|المملكة الأردنية الهاشمية
KZ|Kazajstán|República de Kazajstán
KI|كيريباس
KG|República Kirguisa|République kirghize|吉尔吉斯共和国|Кыргызская Республика
LA|République démocratique populaire lao|Лаосская Народно-Демократическая Республика|جمهورية لاو الديمقراطية الشعبية|República Democrática Popular Lao
LV|Латвийская Республика
LB|República Libanesa|République libanaise|Ливанская Республика|الجمهورية اللبنانية
LR|ليبريا
LT|Литовская Республика
LU|لكسمبرغ|دوقية لكسمبرغ الكبرى
MV|Мальдивские Острова|ملديف|Мальдивская Республика
MT|مالطة
MR|الجمهورية الإسلامية الموريتانية
YT|Остров Майотта
MX|Estados Unidos Mexicanos|États-Unis du Mexique|墨西哥合众国|Мексиканские Соединенные Штаты|الولايات المتحدة المكسيكية
MS|مونتسيرات
MA|المملكة المغربية
MZ|موزامبيق
MM|ميانمار
NL|Королевство Нидерландов
NZ|Nueva Zelandia
NU|Nioué
MP|Islas Marianas Septentrionales
PN|皮特凯恩|Питкэрн|بيتكرن
PT|República Portuguesa|République portugaise|Португальская Республика
KR|République de Corée|大韩民国|جمهورية كوريا|República de Corea
RE|ريونيون
RU|الاتحاد الروسي
SH|Остров Святой Елены|سانت هيلانة
KN|Saint-Kitts-et-Nevis|سانت كيتس ونيفس
MF|San Martín (parte francesa)|圣马丁（法属）|Сен-Мартен (французская часть)
ST|سان تومي وبرينسيبي
SC|سيشيل
SX|San Martín (parte Holandesa)|圣马丁（荷属）|Синт-Мартен (нидерландская часть)
SK|República Eslovaca|République slovaque|Словацкая Республика|الجمهورية السلوفاكية
ZA|Южная Африка|République sud-africaine
GS|南乔治亚岛和南桑德韦奇岛|Южная Джорджия и Южные Сандвичевы острова
LK|سري لانكا
SJ|Îles Svalbard-et-Jan Mayen|Islas Svalbard y Jan Mayen|斯瓦尔巴群岛和扬马延岛|Острова Свальбард и Ян-Майен|جزيرتي سفالبارد وجان مايِن
CH|Швейцарская Конфедерация|الاتحاد السويسري
SY|République arabe syrienne|阿拉伯叙利亚共和国|Сирийская Арабская Республика|الجمهورية العربية السورية
TH|تايلند|泰王国
TL|Тимор-Лешти|Демократическая Республика Тимор-Лешти
TG|República Togolesa|République togolaise|Тоголезская Республика
TK|Tokélaou
TT|Trinidad y Tabago|República de Trinidad y Tabago
TN|République tunisienne|Тунисская Республика|الجمهورية التونسية
TC|Острова Теркс и Кайкос|جزر تركس وكايكوس
AE|Объединенные Арабские Эмираты|Emiratos Árabes Unidos
GB|Royaume-Uni de Grande-Bretagne et d'Irlande du Nord|Reino Unido de Gran Bretaña e Irlanda del Norte|大不列颠及北爱尔兰联合王国|Соединенное Королевство Великобритании и Северной Ирландии|المملكة المتحدة لبريطانيا العظمى وأيرلندا الشمالية
UM|Islas menores alejadas de Estados Unidos|Внешние малые острова Соединенных Штатов|نائية التابعة للولايات المتحدة
US|美利坚合众国|Соединенные Штаты Америки|الولايات المتحدة الأمريكية|États-Unis d'Amérique
VI|Виргинские острова Соединенных Штатов|جزر فرجن التابعة للولايات المتحدة
UY|أوروغواي
VN|فييت نام
WF|Îles Wallis-et-Futuna|Islas Wallis y Futuna|瓦利斯群岛和富图纳群岛|Острова Уоллис и Футуна|جزر واليس وفوتونا
YE|Йеменская Республика|الجمهورية اليمنية
`;
