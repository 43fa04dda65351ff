/**
 * Official names, in the languages of the United Nations and those written alike: words of a form
 * of state around the short name. `Kingdom of Norway`, `República Federativa do Brasil`,
 * `Республика Албания`, `阿富汗伊斯兰共和国`.
 */
import { foldCountry } from './fold-country.ts';

const words = (text: string): readonly string[] => text.trim().split(/\s+/u).map(foldCountry);

/** Articles before a name, `la Hongrie`, or behind it: `Angola (l')`, `Japón (el)`. */
export const ARTICLES: ReadonlySet<string> = new Set([
  ...['', 'the', 'l', 'le', 'la', 'les', 'el', 'los', 'las', 'o', 'a', 'os', 'as'],
  ...['der', 'die', 'das'],
]);

const FORMS = new Set(
  words(`
  commonwealth confederation duchy emirate federation kingdom principality republic state states
  sultanate union rep sts rb
  republica reino estado estados principado commonwealth union sultania federacion confederacion
  federacao uniao sultanato ducado
  sultanat république royaume état états principauté fédération confédération duché
  republik königreich fürstentum großherzogtum bundesrepublik staat staaten föderation
  repubblica regno stato principato unione federazione confederazione
  republiek koninkrijk staten prinsdom
  республика королевство княжество государство султанат федерация союз содружество герцогство
  штаты
  جمهورية مملكة دولة سلطنة إمارة اتحاد ولايات
  `),
);

/** Adjectives of forms, articles and prepositions; alone they make no official name. */
const BESIDE_FORMS = new Set(
  words(`
  dem fed arab bolivarian co operative cooperative democratic eastern federal federated federative grand hashemite
  independent islamic lao oriental peoples plurinational popular socialist sovereign united of and
  árabe bolivariana cooperativa democrática federal federativa gran grão hachemita independiente
  independente islámica islâmica plurinacional popular socialista unida unidos federados soberana
  el la los las lo o a os as del de do da dos das d l le les du des i il
  bolivarienne coopérative démocratique fédérale fédérative fédérés grand hachémite indépendant
  islamique plurinational populaire socialiste unie arabe orientale
  demokratische föderale föderative islamische sozialistische vereinigte volksrepublik unabhängiger
  plurinationaler bolivarische kooperative der die das des von und
  democratica federale islamica popolare socialista della del dello
  демократическая исламская народная социалистическая федеративная федеративные кооперативная
  боливарианская независимое многонациональное объединенная великое арабская восточная
  الإسلامية الديمقراطية الشعبية الاشتراكية الاتحادية البوليفارية المستقلة المتحدة التعاونية
  الشرقية العربية الهاشمية الموحدة المتعددة القوميات
  `),
);

/** Scripts without blanks: the form stands behind the name, adjectives of it around it. */
const BEFORE =
  '伊斯兰|民主|人民|社会主义|联邦|玻利瓦尔|联合|合作|哈希姆|独立|东岸|イスラム|民主|人民|社会主義|連邦|連合';
const STATES =
  '共和[国國]|王[国國]|大公[国國]|公[国國]|苏丹国|联邦|聯邦|[国國]|首長国|연방공화국|공화국|왕국';
const GLUED = new RegExp(`^(?:多民族)?(.{2,}?)(?:${BEFORE})*(?:${STATES})$`, 'u');

/**
 * The rest of a folded official name without the words of its form of state.
 *
 * @returns undefined if the text is not an official name.
 */
export function withoutForm(folded: string): string | undefined {
  const glued = GLUED.exec(folded)?.[1];
  if (glued !== undefined) return glued;
  const parts = folded.split(' ');
  const isPart = (word = ''): boolean => FORMS.has(word) || BESIDE_FORMS.has(word);
  let [from, to] = [0, parts.length];
  while (from < to && isPart(parts[from])) from += 1;
  while (to > from && isPart(parts[to - 1])) to -= 1;
  const around = [...parts.slice(0, from), ...parts.slice(to)];
  return from < to && around.some((word) => FORMS.has(word))
    ? parts.slice(from, to).join(' ')
    : undefined;
}
