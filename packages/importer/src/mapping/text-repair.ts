import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import type { TextRepair } from './mapping.ts';

const BEYOND_ASCII = /\P{ASCII}/u;
const PASSES_MAX = 3;

/**
 * Puts right text that was once read in a wrong encoding (`P√©rez` is `Pérez` in UTF-8 read as Mac
 * Roman). A repair is made only where the text can be un-read without loss; to UTF-8 only where
 * the bytes are UTF-8, again and again while that holds.
 */
export function repairText(text: string, repairs: readonly TextRepair[]): string {
  if (!BEYOND_ASCII.test(text)) return text;
  let repaired = text;
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    const before = repaired;
    for (const repair of repairs) {
      if (repair.written === 'utf8' || pass === 0) repaired = applyOne(repaired, repair);
    }
    if (repaired === before) break;
  }
  return repaired;
}

function applyOne(text: string, { written, readAs }: TextRepair): string {
  if (!BEYOND_ASCII.test(text)) return text;
  const bytes = iconv.encode(text, readAs);
  if (iconv.decode(bytes, readAs) !== text) return text;
  if (written !== 'utf8') return iconv.decode(bytes, written);
  return isUtf8(bytes) ? bytes.toString('utf8') : text;
}
