// `npm run size [-- REF]`: lines of the files under version control by part of the tree, and how they differ
// from REF: the newest release (tag `v*`) if there is one, else the commit that `size-base` names.
// A file that is not added to Git yet counts; one that Git ignores does not.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const BASE_FILE = fileURLToPath(new URL('size-base', import.meta.url));

const git = (...words) =>
  execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 });

/** The columns of the table, in the order in which they claim a path. */
const KINDS = [
  ['markdown', (path) => path.endsWith('.md')],
  ['sql', (path) => path.endsWith('.sql')],
  ['test', (path) => path.endsWith('.ts') && path.includes('/test/')],
  // Benches are no part of the product.
  ['src', (path) => /^(?!packages\/bench\/).+\/src\/.+\.ts$/.test(path)],
  ['tools', (path) => /\.(?:ts|mjs|cjs|js|vue|sh)$/.test(path)],
];

/** The row of a path: a member of the workspace, and the folders in `src` of a service. */
function rowOf(path) {
  const parts = path.split('/');
  const isMember = parts[0] === 'packages' || parts[0] === 'services';
  if (!isMember) return parts.length === 1 ? '(top level)' : parts[0];
  const member = parts.slice(0, 2).join('/');
  const isFolder = parts[0] === 'services' && parts[2] === 'src' && parts.length > 4;
  return isFolder ? `${member}/src/${parts[3]}` : member;
}

/** Lines by row and kind, of a commit or of the working tree. */
function linesOf(ref) {
  const words = ref === undefined ? ['--untracked', '-e', ''] : ['-e', '', ref];
  const rows = new Map();
  for (const line of git('grep', '-I', '-c', ...words)
    .trimEnd()
    .split('\n')) {
    const end = line.lastIndexOf(':');
    const path = line.slice(ref === undefined ? 0 : ref.length + 1, end);
    const count = line.slice(end + 1);
    const kind = KINDS.findIndex(([, claims]) => claims(path));
    if (kind < 0) continue;
    const row = rows.get(rowOf(path)) ?? KINDS.map(() => 0);
    row[kind] += Number(count);
    rows.set(rowOf(path), row);
  }
  return rows;
}

function baseOf(argument) {
  const [tag] = git('tag', '--list', 'v*', '--sort=-version:refname').split('\n');
  return argument ?? (tag || readFileSync(BASE_FILE, 'utf8').trim());
}

const isKnown = (ref) => {
  try {
    return git('rev-parse', '--verify', '--quiet', `${ref}^{commit}`).length > 0;
  } catch {
    return false;
  }
};

const asked = baseOf(process.argv[2]);
const base = isKnown(asked) ? asked : undefined;
const now = linesOf();
const before = base === undefined ? new Map() : linesOf(base);
const names = [...new Set([...now.keys(), ...before.keys()])].sort();
const cell = (lines, old) => {
  const change =
    base === undefined || lines === old
      ? ''
      : ` ${lines > old ? '+' : '-'}${Math.abs(lines - old)}`;
  return `${lines || (change && '0')}${change}`.padStart(16);
};
const row = (name, lines, old) =>
  `${name.padEnd(40)}${KINDS.map((_, kind) => cell(lines[kind], old[kind])).join('')}`.trimEnd();
const none = KINDS.map(() => 0);
const sum = (rows) =>
  [...rows.values()].reduce((all, each) => all.map((n, i) => n + each[i]), none);

const heading = base === undefined ? 'lines' : `lines, against ${base.slice(0, 12)}`;
console.log(`${heading.padEnd(40)}${KINDS.map(([name]) => name.padStart(16)).join('')}`);
for (const name of names) console.log(row(name, now.get(name) ?? none, before.get(name) ?? none));
console.log(row('all', sum(now), sum(before)));
if (base === undefined) console.log(`\nThis clone does not have ${asked}.`);
