/** Bits of the records of a segment, 32 in a word. */
import { SEGMENT_WORDS } from './segment.ts';

/** Sets the bits of the records whose set is accepted, and clears those of the others. */
export function markRecords(
  sets: Uint16Array,
  records: number,
  accepted: Uint8Array,
  bits: Uint32Array,
): void {
  for (let start = 0; start < records; start += 32) {
    const end = Math.min(start + 32, records);
    let word = 0;
    for (let r = start; r < end; r++) word |= (accepted[sets[r] as number] as number) << (r & 31);
    bits[start >>> 5] = word;
  }
}

/** Lists the numbers of the bits that are set; returns how many there are. */
export function listBits(bits: Uint32Array, words: number, into: Uint16Array): number {
  let count = 0;
  for (let w = 0; w < words; w++) {
    let word = (bits[w] as number) | 0;
    const base = w * 32 + 31;
    while (word !== 0) {
      into[count++] = base - Math.clz32(word & -word);
      word &= word - 1;
    }
  }
  return count;
}

/** Lists the bits of a segment that begin at a word, after those already listed. */
export function listWords(bits: Uint32Array, start: number, into: Uint16Array, at: number): number {
  const words = bits.subarray(start, start + SEGMENT_WORDS);
  return listBits(words, SEGMENT_WORDS, into.subarray(at));
}

/** Keeps the listed records whose bits are set; returns how many there are. */
export function keepBits(records: Uint16Array, count: number, bits: Uint32Array): number {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const record = records[i] as number;
    records[kept] = record;
    kept += ((bits[record >>> 5] as number) >>> (record & 31)) & 1;
  }
  return kept;
}
