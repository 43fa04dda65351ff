import type { Random } from '@vcds/demo-data/random';

/** A way to write a name that a reader would still take for it; null where it has no such way. */
export type NameChange = (name: string, random: Random, otherNames: readonly string[]) => Changed;

type Changed = string | null;

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const ACCENTS: ReadonlyMap<string, string> = new Map(
  'aá cç eé iï nñ oö sš uü yý zž'.split(' ').map((pair) => [pair.charAt(0), pair.charAt(1)]),
);
const LEGAL_FORMS = [
  ...[' Inc', ', Inc.', ' Incorporated', ' LLC', ' L.L.C.', ' Ltd', ' Ltd.', ' Limited', ' PLC'],
  ...[' Corp', ' Corp.', ' Corporation', ' Co., Ltd.', ' LLP', ' LP', ' Pty Ltd', ' Pte. Ltd.'],
  ...[' GmbH', ' AG', ' S.A.', ' SAS', ' SARL', ' S.r.l.', ' B.V.', ' N.V.', ' Oy', ' AB', ' AS'],
  ...[' ApS', ' K.K.'],
];

const typos: readonly (readonly [name: string, change: NameChange])[] = [
  ['typo: insertion', typo((left, at, right, any) => left + any + at + right)],
  ['typo: deletion', typo((left, _at, right) => left + right)],
  ['typo: substitution', typo((left, _at, right, any) => left + any + right)],
  ['typo: transposition', typo((left, at, right) => left + right.charAt(0) + at + right.slice(1))],
];

/** Every change that is measured, under the name it is reported by. */
export const nameChanges: readonly (readonly [name: string, change: NameChange])[] = [
  ['case', changeCase],
  ['accents', addAccents],
  ['punctuation', changePunctuation],
  ['spaces removed', (name) => unlessSame(name, name.replace(/\s+/gu, ''))],
  ['word split', splitWord],
  ...typos,
  ['word dropped', dropWord],
  ['words swapped', swapWords],
  ['word added', addWord],
  ['legal form added', (name, random) => name + random.pick(LEGAL_FORMS)],
  ['60 % prefix', (name) => unlessSame(name, name.slice(0, prefixLength(name)).trimEnd())],
  ['word dropped and typo', dropWordAndMistype],
  ['last word dropped', dropLastWord],
  ['another last word', changeLastWord],
];

/** Characters of a name that its 60 % prefix keeps. */
export function prefixLength(name: string): number {
  return Math.ceil(name.length * 0.6);
}

function changeCase(name: string, random: Random): Changed {
  const ways = [
    name.toUpperCase(),
    name.toLowerCase(),
    [...name]
      .map((sign) => (random.unit() < 0.5 ? sign.toUpperCase() : sign.toLowerCase()))
      .join(''),
  ].filter((way) => way !== name);
  return ways.length === 0 ? null : random.pick(ways);
}

function addAccents(name: string, random: Random): Changed {
  return unlessSame(
    name,
    [...name]
      .map((sign) => {
        const accented = ACCENTS.get(sign.toLowerCase());
        if (accented === undefined || random.unit() < 0.4) return sign;
        return sign === sign.toLowerCase() ? accented : accented.toUpperCase();
      })
      .join(''),
  );
}

function changePunctuation(name: string, random: Random): Changed {
  const joined = ['-', ' - ', '. '].map((mark) => name.replace(/\s+/gu, mark));
  const framed = [`${name}.`, `"${name}"`, `(${name})`, name.replace(/\s+/u, ', ')];
  const ways = [name.replace(/[^\p{L}\p{N}\s]/gu, ''), ...joined, ...framed];
  return random.pick(ways.filter((way) => way !== name && way.trim() !== ''));
}

function splitWord(name: string, random: Random): Changed {
  const places = [...name.matchAll(/(?<=[\p{L}\p{N}]{3})(?=[\p{L}\p{N}]{3})/gu)];
  if (places.length === 0) return null;
  const at = random.pick(places).index;
  return `${name.slice(0, at)} ${name.slice(at)}`;
}

function typo(
  change: (left: string, at: string, right: string, any: string) => string,
): NameChange {
  return (name, random) => {
    const places = [...name.matchAll(/[\p{L}\p{N}]/gu)].map(({ index }) => index);
    if (places.length < 3) return null;
    for (let tries = 0; tries < 20; tries += 1) {
      const at = random.pick(places);
      const any = LETTERS.charAt(random.below(LETTERS.length));
      const mistyped = change(name.slice(0, at), name.charAt(at), name.slice(at + 1), any).trim();
      if (mistyped.toLowerCase() !== name.toLowerCase()) return mistyped;
    }
    return null;
  };
}

function dropWord(name: string, random: Random): Changed {
  const words = name.split(/\s+/u);
  if (words.length < 2) return null;
  return words.toSpliced(random.below(words.length), 1).join(' ');
}

/** A last word of so many names is general: 'Capital', 'Ventures', 'Labs'. */
const GENERAL_USES_MIN = 20;
const knownEndings = new WeakMap<readonly string[], ReadonlySet<string>>();

function generalEndings(names: readonly string[]): ReadonlySet<string> {
  const known = knownEndings.get(names);
  if (known !== undefined) return known;
  const uses = new Map<string, number>();
  for (const name of names) {
    const [, last] = splitLastWord(name);
    uses.set(last, (uses.get(last) ?? 0) + 1);
  }
  const general = [...uses].filter(([word, count]) => word !== '' && count >= GENERAL_USES_MIN);
  const found = new Set(general.map(([word]) => word));
  knownEndings.set(names, found);
  return found;
}

/** A name without its last word, and this word; the latter is empty if the name has one word. */
export function splitLastWord(name: string): readonly [rest: string, last: string] {
  const words = name.trim().split(/\s+/u);
  const last = words.length < 2 ? '' : (words.pop() ?? '');
  return [words.join(' '), last];
}

function dropLastWord(name: string, _random: Random, otherNames: readonly string[]): Changed {
  const [rest, last] = splitLastWord(name);
  return generalEndings(otherNames).has(last) ? rest : null;
}

function changeLastWord(name: string, random: Random, otherNames: readonly string[]): Changed {
  const [rest, last] = splitLastWord(name);
  const general = generalEndings(otherNames);
  if (!general.has(last)) return null;
  return `${rest} ${random.pick([...general].filter((word) => word !== last))}`;
}

function swapWords(name: string, random: Random): Changed {
  const words = name.split(/\s+/u);
  if (words.length < 2) return null;
  const at = random.below(words.length - 1);
  const [first = '', second = ''] = words.slice(at, at + 2);
  return unlessSame(name, words.toSpliced(at, 2, second, first).join(' '));
}

function addWord(name: string, random: Random, otherNames: readonly string[]): Changed {
  const words = name.split(/\s+/u);
  const added = random.pick(random.pick(otherNames).split(/\s+/u));
  return words.toSpliced(random.below(words.length + 1), 0, added).join(' ');
}

function dropWordAndMistype(name: string, random: Random, otherNames: readonly string[]): Changed {
  const shorter = dropWord(name, random);
  const [, mistype] = random.pick(typos);
  return shorter === null ? null : mistype(shorter, random, otherNames);
}

function unlessSame(name: string, changed: string): Changed {
  return changed === name || changed === '' ? null : changed;
}
