// Builds the documentation site into dist/docs if its inputs have changed:
// node bin/site.mjs [--force]
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { referencePages } from '../dist/reference.js';

const portal = fileURLToPath(new URL('../', import.meta.url));
const root = join(portal, '../..');
const specification = join(portal, 'site/spec');
const stampFile = join(portal, 'dist/docs/.stamp');

/** Everything that a page shows or that builds it; the tables of the product are among them. */
const INPUTS = [
  ...['packages/portal/site', 'packages/portal/bin', 'packages/portal/src'],
  ...['pnpm-lock.yaml', 'docs/spec', 'docs/openapi'],
  ...['docs/configuration.md', 'docs/import.md', 'docs/changelog.md'],
  ...['packages/metering/src', 'packages/venture-model/src', 'packages/service-kit/src'],
];
const IGNORED = /\/site\/(?:spec|\.vitepress\/\.temp|reference\/(?!(?:data|access)-api\.md))/;

function filesIn(path) {
  if (statSync(join(root, path)).isFile()) return [path];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}

function stamp() {
  const hash = createHash('sha256');
  for (const file of INPUTS.flatMap(filesIn).sort()) {
    if (IGNORED.test(file)) continue;
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

/** Pages of the site name the addresses of the deployment, not those of the local stack. */
function withPublicAddresses(page) {
  return page
    .replaceAll('http://127.0.0.1:8080', 'https://api.vcds.example')
    .replaceAll('http://127.0.0.1:8081', 'https://access.vcds.example');
}

const current = stamp();
const isBuilt = existsSync(stampFile) && readFileSync(stampFile, 'utf8') === current;
if (!isBuilt || process.argv.includes('--force')) {
  // VitePress reads pages of one folder only.
  rmSync(specification, { recursive: true, force: true });
  cpSync(join(root, 'docs/spec'), specification, { recursive: true });
  cpSync(join(specification, 'README.md'), join(specification, 'index.md'));
  rmSync(join(specification, 'README.md'));
  for (const name of ['data-api', 'access-api']) {
    for (const page of referencePages(name)) {
      writeFileSync(join(portal, `site/reference/${page.name}.md`), page.content);
    }
  }
  for (const name of readdirSync(specification)) {
    const file = join(specification, name);
    writeFileSync(file, withPublicAddresses(readFileSync(file, 'utf8')));
  }
  const { build } = await import('vitepress');
  await build(join(portal, 'site'));
  writeFileSync(stampFile, current);
}
