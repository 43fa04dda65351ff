/** Accents are no part of a letter of these scripts; in others a mark is a vowel or a tone. */
const ACCENTS =
  /(?<=[\p{scx=Latin}\p{scx=Greek}\p{scx=Cyrillic}\p{scx=Arabic}\p{scx=Hebrew}])\p{M}+/gu;

/**
 * The form in which names of countries are compared: without case, accents, signs and English
 * articles.
 */
export function foldCountry(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(ACCENTS, '')
    .normalize('NFC')
    .replaceAll('&', ' and ')
    .replace(/(?<![\p{L}\p{M}])([dl])['’`]/gu, '$1 ')
    .replace(/[.'’`]/gu, '')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .replace(/(?:^| )the(?= |$)/gu, ' ')
    .trim()
    .replace(/ {2,}/gu, ' ')
    .replace(/^st /u, 'saint ');
}
