import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

/** The folders of all packages and services, sorted by path. */
export function workspaceFolders() {
  return ['packages', 'services']
    .flatMap((group) => readdirSync(join(root, group)).map((name) => join(root, group, name)))
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .sort();
}

/** The names of a package's npm scripts. */
function scriptsOf(folder) {
  const { scripts = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return Object.keys(scripts);
}

/** The folders whose package has this npm script. */
export function packagesWith(script) {
  return workspaceFolders().filter((folder) => scriptsOf(folder).includes(script));
}
