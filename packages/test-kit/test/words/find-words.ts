/** A word or phrase of the glossary in a text. */
export interface Finding {
  readonly line: number;
  readonly found: string;
}

/** A word, or a phrase that may continue in the next line of a comment. */
export interface BannedWord {
  readonly word: string;
  readonly pattern: RegExp;
}

/** The words that the glossary bans: those in code style, in every row of its tables. */
export function bannedWords(glossary: string): BannedWord[] {
  return glossary
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|'))
    .flatMap((cells) => [
      ...((cells.length === 5 ? cells[3] : cells[1])?.matchAll(/`([^`]+)`/g) ?? []),
    ])
    .map(([, word = '']) => ({ word, pattern: patternOf(word) }));
}

function patternOf(word: string): RegExp {
  const escaped = word.replace(/[^\w\s*-]/g, '\\$&');
  const text = escaped.replaceAll('*', '\\w*').replace(/\s+/g, '(?:[\\s*#]|//|--)+');
  return new RegExp(`(?<![\\w-])${text}(?![\\w-])`, 'gi');
}

/** A sentence that begins with one of these words as its subject. */
const SUBJECTS = /(?:^|[.!] )(?:[-*>\d.]* *\**)(What|Whatever|Whoever) [^?\n]*$/gm;
const SUBJECTS_OF_COMMENTS = /(?:\/\*\*|\/\/|^ *\*|[.!]) (What|Whatever|Whoever) [^?\n]*$/gm;

/** Findings in prose: all of a Markdown page but its code, headings and the targets of its links. */
export function findInProse(text: string, words: readonly BannedWord[]): Finding[] {
  const prose = text
    .replace(/^```[\s\S]*?^```/gm, blank)
    .replace(/`[^`]*`/g, blank)
    .replace(/\]\([^)]*\)/g, blank);
  const sentences = prose.replace(/^#.*$/gm, blank).replace(/^\|.*$/gm, blank);
  return [...findWords(prose, words), ...find(sentences, SUBJECTS)];
}

/** Findings in a source file: in its comments, texts and identifiers, word by word. */
export function findInSource(text: string, words: readonly BannedWord[]): Finding[] {
  const separated = text.replace(/([a-z0-9])(?=[A-Z])/g, '$1 ').replaceAll('_', ' ');
  return [...findWords(separated, words), ...find(text, SUBJECTS_OF_COMMENTS)];
}

function findWords(text: string, words: readonly BannedWord[]): Finding[] {
  return words.flatMap(({ pattern }) => find(text, pattern));
}

function find(text: string, pattern: RegExp): Finding[] {
  return [...text.matchAll(pattern)].map((match) => ({
    line: text.slice(0, match.index).split('\n').length,
    found: match[0].trim(),
  }));
}

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');
