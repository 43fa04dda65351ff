/** Parts of the names of companies and funds; all names are invented. */
import { words } from './table.ts';

/** A name of a flavour is one start, one middle and one end; `-` is an empty middle. */
const flavour = (starts: string, middles: string, ends: string) => ({
  starts: words(starts),
  middles: words(middles).map((middle) => (middle === '-' ? '' : middle)),
  ends: words(ends),
});

const coined = flavour(
  `Vel Tor Lum Aer Cal Dor Fen Gal Hel Ir Jor Kal Lor Mar Nov Or Pel Quil Ros Sel Tav Ul Vir Wex Xan
   Yor Zel Bram Cor Drax Elo Fir Gren Hol Isk Jun Kest Lind Mond Nim Osk Prax Rund Sorn Thal Umb Vost`,
  'a e i o u an en in on ar er or al el il am em um ith ov',
  `dra lio mira nexa quo risk stane tisse varo zent bia cora dine fynn gria lune mexa narro pio quin
   rithe solo tarn vio wyn zora lexa mont dale`,
);
const compound = flavour(
  `Amber Alder Bark Birch Bramble Brass Cedar Chalk Cinder Clover Copper Coral Dew Drift Dusk Ember
   Fern Flint Frost Gorse Granite Hazel Heron Indigo Ivory Juniper Kelp Larch Lichen Linen Loam Maple
   Marsh Mica Moss Nettle Oat Ochre Otter Pebble Pine Plum Quartz Reed Rook Rowan Rust Sable Salt`,
  '-',
  `anchor arch atlas beacon bench bridge cask chart clasp cove dial ferry fold forge gate grove hatch
   helm hinge kiln lattice ledger lock loom mast mill nook oar orchard pilot plank quay quill rail
   ridge rudder sail shelf shuttle signal sluice spindle tally thread tiller trellis valve weir`,
);
const nordic = flavour(
  'Ask Bjørk Dal Eld Fjäll Grå Hav Is Kvist Lyng Måne Norr Ørn Rim Sjö Skog Sten Tür Schär Vår Vind',
  'a e o - er en',
  'brygga dis fall glim hamn kalle länk märk nät puls röst stig tråd vakt verk vik åka ögla',
);
const romance = flavour(
  'Albé Bruma Caro Dolce Élan Fior Gira Hilo Isla Jaro Lumé Mareo Niev Orla Quera Rive Sól Tiem Zarz',
  'a e i o - an el ar',
  'belle cera dora ètte flora gio lada mare nube olé piedra quista réal sora tienda umbra zuela',
);
const eastern = flavour(
  'Aki Bao Chan Dae Emi Fuku Ginko Haru Ino Jia Kiri Lian Miso Nagi Ono Puri Qing Ryo Sumi Uma Yuki',
  'ka mo ri na to shi ya - lo ve',
  'bani dori fumo gara hime jaku kora lani mizu niro pana ruka sora tani umi vata wado yoru zemi',
);

/** The flavours in the order in which startups have them; frequent ones occur several times. */
export const FLAVOURS = [
  ...[coined, compound, coined, eastern, compound, coined],
  ...[romance, coined, compound, nordic, coined, nordic],
];

/** Words that some companies of any sector have after their name. */
export const DESCRIPTORS = words(
  'Labs Systems Studio Works Technologies Software Collective Networks',
);

export const FUND_STARTS = words(`
  Alder Basalt Bellflower Birchmoor Brackish Brindle Cairn Calder Candlewick Chalkstream Cloudberry
  Corvid Cowslip Dovetail Drumlin Eiderdown Elmwater Esker Fallow Farthing Fennel Firebrick Foxglove
  Galloway Gannet Gneiss Goldcrest Greywacke Halyard Harrier Hawser Heathrush Hornbeam Icefall
  Inglenook Ironwood Jackdaw Kittiwake Lamplight Lapwing Longshore Mallow Millrace Moorhen Nightjar`);
export const FUND_SECONDS = words(`
  Anchorage Bank Bay Bend Bluff Bough Brow Causeway Clay Cross Dell Dike Edge Fell Ferry Field Ford
  Garth Glade Hatch Haven Heath Hollow Hythe Island Keep Knoll Landing Ledge Lodge Mead Moor
  Narrows Neck Peak Pier Reach Ridge Rise Row Sands Shore Slip Sound Spit Strand Tower Vale Wharf`);

/** Parts of names in the script of a locale, each followed by its Latin letters. */
const NATIVE = {
  ja: 'ソラ sora ミナ mina トモ tomo カゼ kaze ユキ yuki ハコ hako リン rin ノバ noba イト ito',
  zh_CN: '云 yun 禾 he 岚 lan 汀 ting 舟 zhou 砚 yan 星 xing 栎 li 溪 xi 远 yuan',
  ko: '하늘 haneul 마루 maru 솔 sol 누리 nuri 가온 gaon 다솜 dasom 빛 bit 나래 narae 들 deul',
  el: 'Λιμ lim Αλον alon Θαλ thal Κυμα kyma Νεφ nef Ορια oria Πετρο petro Φανε fane',
  uk: 'Ясен yasen Вітер viter Полум polum Зоря zorya Криг kryh Лан lan Мрія mriya Рось ros',
  he: 'גל gal נוף nof אור or טל tal דקל dekel רום rom שחף shahaf עוגן ogen קשת keshet ניר nir',
  ar: 'نور nour بحر bahr ندى nada واحة waha فنار fanar قمر qamar ريح rih رمل raml سنا sana',
  th: 'ฟ้า fa ดาว dao ทราย sai น้ำ nam ลม lom เมฆ mek ป่า pa แสง saeng ทอง thong บัว bua',
};
export const NATIVE_PARTS: ReadonlyMap<string, readonly { written: string; latin: string }[]> =
  new Map(
    Object.entries(NATIVE).map(([locale, text]) => {
      const parts = words(text);
      const pairs = parts.map((written, at) => ({ written, latin: parts[at + 1] ?? '' }));
      return [locale, pairs.filter((_, at) => at % 2 === 0)];
    }),
  );
