/**
 * Legal forms of several words, and those of scripts without blanks, in folded names. The function
 * `venture.name_compact` has the same two patterns; a test compares them.
 */
export const LEGAL_END = String.raw`(?:[ ,]+(?:ug ?\(?haftungsbeschrae?nkt\)?|(?:gmbh|ag|ug|se|ltd\.?) ?(?:&|und|and|\+) ?co\.?,? ?(?:kgaa|kg|ohg)|limited liability (?:company|partnership)|public limited company|private limited(?: company)?|company limited|s\.? ?a\.? ?r\.? ?l\.?|s\.? ?p\.? ?a\.?|s\.? ?r\.? ?l\.?|s\.? a\.? s\.?|s\. a\.?|b\. v\.?|n\. v\.?|sp\.? ?z\.? ?o\.? ?o\.?|spolka z (?:o\.? ?o\.?|ograniczona odpowiedzialnoscia)|s\.? ?a\.? ?(?:b\.? ?|p\.? ?i\.? ?)?de c\.? ?v\.?|s\.? ?(?:de )?r\.? ?l\.? de c\.? ?v\.?|ltd\.? ?sti\.?|limited sirketi|anonim sirketi|spol\.? s r\.? ?o\.?|s\. r\. o\.?|d\. o\. o\.?|gesellschaft mit beschrankter haftung|aktiengesellschaft|aktiebolag|aktieselskab|anpartsselskab|osakeyhtio|societe anonyme|societe par actions simplifiee|sociedad anonima|sociedad limitada|sociedade anonima|societa per azioni|s/a|eireli|uab|sia|ou|ehf|nyrt|eood|ood|tbk|jsc|ojsc|pjsc|ооо|оао|зао|пао|тоо|тов)|[ ,]*(?:株式会社|有限会社|合同会社|合資会社|合名会社|\(株\)|\(有\)|\(同\)|주식회사|유한회사|\(주\)|\(유\)|股份有限公司|有限责任公司|有限責任公司|集团有限公司|有限公司|จำกัด(?: ?\(มหาชน\))?))\.?$`;

/** Forms in front of a name. Latin ones of a few letters are also words of names. */
export const LEGAL_START = String.raw`^(?:(?:株式会社|有限会社|合同会社|合資会社|合名会社|\(株\)|\(有\)|\(同\)|주식회사|유한회사|\(주\)|\(유\)|บริษัท)[ ,]*|cong ty (?:tnhh|co phan|cp)(?: mtv)? |(?:ооо|оао|зао|пао|тоо|тов) )`;

const END = new RegExp(LEGAL_END, 'u');
const START = new RegExp(LEGAL_START, 'u');
const ASCII_PLAIN = /^[a-z0-9 ]*$/;

/** A folded name without such forms, and the forms; a name that has nothing else keeps them. */
export function withoutLegalPhrases(folded: string): readonly [string, string] {
  const [named, end] = cut(folded, END);
  const [name, start] =
    ASCII_PLAIN.test(named) && !named.startsWith('cong ') ? [named, ''] : cut(named, START);
  return [name, `${start} ${end}`.trim()];
}

function cut(text: string, pattern: RegExp): readonly [string, string] {
  const form = pattern.exec(text)?.[0] ?? '';
  const rest = text.replace(pattern, '');
  return form !== '' && /[\p{L}\p{N}]/u.test(rest) ? [rest, form] : [text, ''];
}
