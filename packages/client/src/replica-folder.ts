import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { ReplicaPosition, ReplicaStore } from './replicate.ts';

const NOT_THERE = 'ENOENT';

/**
 * A copy in plain files, one for each record: `startups/3f/3fab….json`, that of a holding
 * `holdings/…/FUND_STARTUP.json`, below `current/`. A load writes beside the old copy, and then takes
 * its place.
 *
 * @param root an existing folder of its own.
 */
export function folderReplica(root: string): ReplicaStore {
  const current = `${root}/current`;
  const write = async (base: string, collection: string, id: string, text: string) => {
    const folder = `${base}/${collection}/${id.slice(0, 2)}`;
    await mkdir(folder, { recursive: true });
    await writeFile(`${folder}/${id.replace('/', '_')}.json`, text);
  };
  const save = async (base: string, position: ReplicaPosition) => {
    const file = await open(`${base}/position.new`, 'w');
    try {
      await file.writeFile(JSON.stringify(position));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${base}/position.new`, `${base}/position.json`);
  };
  return {
    position: async () => {
      const text = await readFile(`${current}/position.json`, 'utf8').catch(
        (error: NodeJS.ErrnoException) => {
          if (error.code === NOT_THERE) return undefined;
          throw error;
        },
      );
      return text === undefined ? undefined : (JSON.parse(text) as ReplicaPosition);
    },
    load: async (collections, openFile, position) => {
      const next = `${root}/next`;
      await rm(next, { recursive: true, force: true });
      await mkdir(next, { recursive: true });
      for (const { name, files } of collections) {
        for (const file of files.filter(({ format }) => format === 'ndjson')) {
          for await (const line of linesOf(await openFile(file))) {
            await write(next, name, idOf(JSON.parse(line)), line);
          }
        }
      }
      await save(next, position);
      await rm(current, { recursive: true, force: true });
      await rename(next, current);
    },
    apply: async (changes, position) => {
      for (const { collection, recordId, record } of changes) {
        if (record != null) await write(current, collection, recordId, JSON.stringify(record));
        else {
          const folder = `${current}/${collection}/${recordId.slice(0, 2)}`;
          await rm(`${folder}/${recordId.replace('/', '_')}.json`, { force: true });
        }
      }
      await save(current, position);
    },
  };
}

/** As the `recordId` of a change. */
function idOf(record: {
  readonly Id?: string;
  readonly FundId?: string;
  readonly Startup?: { readonly Id: string };
}): string {
  return record.Id ?? `${record.FundId}/${record.Startup?.Id}`;
}

async function* linesOf(gzip: Uint8Array): AsyncGenerator<string> {
  const stream = new Blob([new Uint8Array(gzip)]).stream();
  const text = stream.pipeThrough(new DecompressionStream('gzip')) as AsyncIterable<Uint8Array>;
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of text) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
