/** `@vcds/client/node`: what needs the files of Node. */
import { open, readFile, rename } from 'node:fs/promises';
import type { FeedPosition, FeedStore } from './follow.ts';

export { folderReplica } from './replica-folder.ts';

/**
 * A store in one file, which a save replaces atomically. The folder must exist. A file that is not
 * JSON is an error, not an empty store.
 */
export function fileStore(path: string): FeedStore {
  return {
    load: async () => {
      const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw error;
      });
      return text === undefined ? undefined : (JSON.parse(text) as FeedPosition);
    },
    save: async (position) => {
      const written = `${path}.new`;
      const file = await open(written, 'w', 0o600);
      try {
        await file.writeFile(JSON.stringify(position));
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(written, path);
    },
  };
}
