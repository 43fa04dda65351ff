/**
 * What company names are put together from. Each flavour is three rows of word parts; a name is one
 * part of each. The parts were made up for this purpose: names that resemble real ones do so by
 * chance, and every site is under `.example`, which never leads anywhere (RFC 2606).
 */
export interface Flavour {
  readonly starts: readonly string[];
  readonly middles: readonly string[];
  readonly ends: readonly string[];
}

const flavour = (starts: string, middles: string, ends: string): Flavour =>
  Object.freeze({
    starts: starts.split(' '),
    middles: middles.split(' ').map((middle) => (middle === '-' ? '' : middle)),
    ends: ends.split(' '),
  });

const coined = flavour(
  'Vel Tor Lum Aer Cal Dor Fen Gal Hel Ir Jor Kal Lor Mar Nov Or Pel Quil Ros Sel Tav Ul Vir Wex Xan Yor Zel Bram Cor Drax Elo Fir Gren Hol Isk Jun Kest Lind Mond Nim Osk Prax Rund Sorn Thal Umb Vost Wil Yst Zarn',
  'a e i o u an en in on ar er or al el il am em um ith ov',
  'dra lio mira nexa quo risk stane tisse varo zent bia cora dine fynn gria lune mexa narro pio quin rithe solo tarn vio wyn zora lexa mont dale',
);

const compound = flavour(
  'Amber Alder Bark Birch Bramble Brass Cedar Chalk Cinder Clover Copper Coral Dew Drift Dusk Ember Fern Flint Frost Gorse Granite Hazel Heron Indigo Ivory Juniper Kelp Larch Lichen Linen Loam Maple Marsh Mica Moss Nettle Oat Ochre Otter Pebble Pine Plum Quartz Reed Rook Rowan Rust Sable Salt Sedge Slate Sorrel Spruce Teal Thistle Umber Velvet Willow Wren Yarrow Acorn Aspen Basil Beryl Bracken Briar Cairn Calico Canvas Clay Comet Cress Damson Dune Elder Fallow Feldspar Fennel Flax Garnet Gravel Hemp Hickory Jasper Larder Laurel Marl Meadow Mulberry Onyx Pewter Poplar Rye Saffron Sisal Talc Tansy Teasel Walnut',
  '-',
  'anchor arch atlas beacon bench bridge cask chart clasp cove dial ferry fold forge gate grove hatch helm hinge kiln lattice ledger lock loom mast mill nook oar orchard pilot plank quay quill rail ridge rudder sail shelf shuttle signal sluice spindle tally thread tiller trellis valve weir awning barrow basket bellows bobbin bracket cradle crate dock easel flange girder gutter harrow jetty kettle ladder lantern lever locker mantle needle paddle parcel pulley ratchet scale skiff spool stile stirrup trowel vane wagon winch',
);

const nordic = flavour(
  'Ask Bjørk Dal Eld Fjäll Grå Hav Is Kvist Lyng Måne Norr Ørn Rim Sjö Skog Sten Ström Tind Ulv Vår Vind',
  'a e o - er en',
  'brygga dis fall glim hamn kalle länk märk nät puls röst stig tråd vakt verk vik åka ögla',
);

const romance = flavour(
  'Albé Bruma Caro Dolce Élan Fior Gira Hilo Isla Jaro Lumé Mareo Niev Orla Piazz Quera Rive Sól Tiem Umbr Vela Zarz',
  'a e i o - an el ar',
  'belle cera dora ètte flora gio lada mare nube olé piedra quista réal sora tienda umbra vida zuela',
);

const germanic = flavour(
  'Acker Berg Deich Erz Fuchs Garn Holz Klar Kraft Luft Malz Nord Ufer Quell Rast Schär Tür Werk Wolken Zeit',
  '- en er el',
  'anker bogen faden gleis hafen kette licht mühle netz pfad quelle raum speicher stern taube uhr wagen weiche zweig über',
);

const eastern = flavour(
  'Aki Bao Chan Dae Emi Fuku Ginko Haru Ino Jia Kiri Lian Miso Nagi Ono Puri Qing Ryo Sumi Tara Uma Vani Wen Yuki Zhen',
  'ka mo ri na to shi ya - lo ve',
  'bani dori fumo gara hime jaku kora lani mizu niro pana ruka sora tani umi vata wado yoru zemi',
);

/** The flavours in the order in which names take turns; one that stands twice comes twice as often. */
export const flavours: readonly Flavour[] = [
  coined,
  compound,
  coined,
  eastern,
  compound,
  coined,
  romance,
  coined,
  compound,
  germanic,
  coined,
  nordic,
];

/** Words that follow a name, where one does, whatever the company makes. */
export const descriptors: readonly string[] =
  'Labs|Systems|Studio|Works|Technologies|Software|Collective|Networks'.split('|');

/** Words that tell namesakes apart, in worlds so large that the parts of names are used up. */
export const distinctions: readonly string[] =
  'North|South|East|West|Group|International|Partners|Company|Alliance|Union|One|Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten'.split(
    '|',
  );

/** Legal forms by country, for the few names that carry one. */
export const legalForms: Readonly<Record<string, string>> = Object.freeze({
  'United States': 'Inc.',
  'United Kingdom': 'Ltd',
  Germany: 'GmbH',
  France: 'SAS',
  India: 'Pvt. Ltd.',
  Sweden: 'AB',
  Netherlands: 'B.V.',
  Japan: 'K.K.',
  Brazil: 'Ltda.',
  Australia: 'Pty Ltd',
  Spain: 'S.L.',
  Switzerland: 'AG',
  Ireland: 'Ltd',
  Finland: 'Oy',
  Denmark: 'ApS',
  Norway: 'AS',
  Italy: 'S.r.l.',
  Poland: 'Sp. z o.o.',
  Estonia: 'OÜ',
  Canada: 'Inc.',
  Singapore: 'Pte. Ltd.',
});

/** Names in the script of a country: parts as written, and as they read in Latin letters. */
export const nativeBrands: Readonly<Record<string, readonly (readonly [string, string])[]>> =
  Object.freeze({
    japanese: pairs(
      'ソラ sora|ミナ mina|トモ tomo|カゼ kaze|ユキ yuki|ハコ hako|リン rin|ノバ noba|イト ito|メグ megu',
    ),
    chinese: pairs('云 yun|禾 he|岚 lan|汀 ting|舟 zhou|砚 yan|星 xing|栎 li|溪 xi|远 yuan'),
    korean: pairs(
      '하늘 haneul|마루 maru|솔 sol|누리 nuri|가온 gaon|다솜 dasom|빛 bit|나래 narae|여울 yeoul|들 deul',
    ),
    greek: pairs(
      'Λιμ lim|Αλον alon|Θαλ thal|Κυμα kyma|Νεφ nef|Ορια oria|Πετρο petro|Ρυθμ rythm|Φανε fane|Χλοη chloi',
    ),
    slavic: pairs(
      'Ясен yasen|Вітер viter|Полум polum|Зоря zorya|Криг kryh|Лан lan|Мрія mriya|Обрій obriy|Рось ros|Хвиль khvyl',
    ),
    hebrew: pairs(
      'גל gal|נוף nof|אור or|טל tal|דקל dekel|רום rom|שחף shahaf|עוגן ogen|קשת keshet|ניר nir',
    ),
    arabic: pairs(
      'نور nour|بحر bahr|ندى nada|واحة waha|فنار fanar|نخيل nakhil|قمر qamar|ريح rih|رمل raml|سنا sana',
    ),
  });

function pairs(rows: string): readonly (readonly [string, string])[] {
  return rows.split('|').map((row) => {
    const [written = '', latin = ''] = row.split(' ');
    return Object.freeze([written, latin] as const);
  });
}
