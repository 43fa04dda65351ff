import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The root of the repository, with a slash at its end. */
export const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Tracked and new files with one of these endings, as paths of the repository. */
export function filesOf(...endings: readonly string[]): string[] {
  const listed = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const deleted = new Set(git('ls-files', '--deleted'));
  return git(...listed).filter(
    (file) => endings.some((ending) => file.endsWith(ending)) && !deleted.has(file),
  );
}

export const read = (file: string): string => readFileSync(`${root}${file}`, 'utf8');

/** The headings of a page, without those in code. */
export function headingsOf(page: string): string[] {
  const prose = read(page).replace(/^```[\s\S]*?^```/gm, '');
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.trim());
}

/** The anchor that Markdown viewers give to a heading. */
export function anchorOf(heading: string): string {
  const text = heading.replace(/\]\([^)]*\)/g, '').toLowerCase();
  return text.replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-');
}

function git(...args: readonly string[]): string[] {
  const output = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
  return output.split('\n').filter((line) => line !== '');
}
