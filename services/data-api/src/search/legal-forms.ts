/**
 * Legal forms of companies, folded, without dots. The function `venture.name_compact` leaves out
 * the same ones; a test holds the two lists together.
 */
export const LEGAL_FORMS: ReadonlySet<string> = new Set([
  // English
  ...['inc', 'incorporated', 'corp', 'corporation', 'co', 'company', 'llc', 'llp', 'lp', 'ltd'],
  ...['limited', 'plc', 'pty', 'pte', 'pvt'],
  // German
  ...['gmbh', 'mbh', 'ag', 'kg', 'kgaa', 'ug', 'se', 'eg'],
  // French, Italian, Spanish, Portuguese
  ...['sa', 'sas', 'sasu', 'sarl', 'srl', 'spa', 'sl', 'slu', 'ltda'],
  // Dutch, Finnish, Swedish, Norwegian, Danish
  ...['bv', 'nv', 'oy', 'oyj', 'ab', 'asa', 'as', 'a/s', 'aps'],
  // Japanese, Malay, Czech, Croatian and Serbian, Hungarian, Russian
  ...['kk', 'bhd', 'sdn', 'sro', 'doo', 'kft', 'zrt', 'ooo'],
]);
