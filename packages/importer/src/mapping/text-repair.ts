import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import type { TextRepair } from './mapping.ts';

const BEYOND_ASCII = /\P{ASCII}/u;
const PASSES_MAX = 3;

/**
 * Repairs text that was decoded with a wrong encoding (`P√©rez` is `Pérez` in UTF-8 decoded as Mac
 * Roman). It repairs only text that can be encoded again without loss, and to UTF-8 only if the
 * bytes are UTF-8, several times if necessary.
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
