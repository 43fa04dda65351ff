import { mkdir, mkdtemp, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorCode } from '@vcds/service-kit/error-code';
import { MANIFEST_FILE, type Manifest, WORK_PREFIX } from './manifest.ts';
import type { SnapshotStore } from './snapshot-store.ts';

/** Snapshots in a folder, which is created on the first write. */
export function openFolder(url: URL): SnapshotStore {
  const root = fileURLToPath(url);
  const orAbsent = (error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  };
  return {
    ids: async () => (await readdir(root).catch(orAbsent)) ?? [],
    manifest: async (id) => {
      const text = await readFile(join(root, id, MANIFEST_FILE), 'utf8').catch(orAbsent);
      return text === undefined ? undefined : (JSON.parse(text) as Manifest);
    },
    workFolder: async () => {
      await mkdir(root, { recursive: true });
      return mkdtemp(join(root, WORK_PREFIX));
    },
    put: async (id, name, path) => {
      await mkdir(join(root, id), { recursive: true });
      const file = await open(path);
      await file.sync();
      await file.close();
      await rename(path, join(root, id, name));
    },
    source: async (id, name) => ({ path: join(root, id, name) }),
    remove: async (id) => {
      await rm(join(root, id, MANIFEST_FILE), { force: true });
      await rm(join(root, id), { recursive: true, force: true });
    },
    close: () => undefined,
  };
}
