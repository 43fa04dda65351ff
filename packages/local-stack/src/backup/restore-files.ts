import { existsSync } from 'node:fs';
import { chown, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { postgresAccount } from '../account.ts';
import { freePort } from '../ports.ts';
import { startPostgres } from '../postgres/server.ts';
import { postgresProcess } from '../postgres/server-process.ts';
import { setSuperuserPassword } from '../postgres/superuser.ts';
import { openGuardian } from '../processes/guardian.ts';
import { runningPid, type ServerProcess } from '../processes/server-process.ts';
import { redisProcess } from '../redis/server-process.ts';
import { putDatabaseBack, REPLACED_FOLDER } from '../stack/local-state.ts';
import { lockFolder } from '../stack/lock.ts';
import { reported } from '../stack/progress.ts';
import { openSecrets } from '../stack/secrets.ts';
import { StackError } from '../stack/stack-error.ts';
import { connect } from './connections.ts';
import { placeFiles } from './copy-files.ts';
import { assertCounts, type Counts, readCounts } from './counts.ts';
import { DUMPS } from './dump.ts';
import { checkRedis, emptyRedis } from './empty-redis.ts';
import { readChecksums } from './manifest.ts';
import { replaceFolder } from './replace-folder.ts';
import { assertReplaced, type Restore } from './restore-options.ts';

/** Restores the embedded database, which takes the place of an existing one after its check. */
export async function restoreFiles(restore: Restore): Promise<void> {
  const { local, postgres, redis } = restore.settings.folders;
  const release = await lockFolder(local);
  try {
    // Before anything is deleted, also of an earlier restore.
    for (const data of [join(postgres, 'data'), join(postgres, 'restore/data')])
      await assertStopped(postgresProcess(data));
    await assertStopped(redisProcess(redis));
    await putDatabaseBack(postgres);
    await replaceData(restore);
  } finally {
    await release();
  }
}

/** Prepares and checks the new data folder before it takes the place of an existing one. */
async function replaceData(restore: Restore): Promise<void> {
  const { settings, manifest, folder, progress } = restore;
  const { local, postgres, redis, logs } = settings.folders;
  const guardian = openGuardian();
  const draft = join(postgres, 'restore');
  try {
    assertReplaced(restore, existsSync(join(postgres, 'data/PG_VERSION')), postgres);
    if (settings.redisUrl !== undefined) await checkRedis(restore, settings.redisUrl);
    const { secrets, isNew } = await openSecrets(local);
    if (isNew) progress.note(`${local} has no secrets.json, so it gets new secrets.`);
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { recursive: true });
    const account = postgresAccount();
    if (account !== undefined) await chown(draft, account.uid, account.gid);
    const checksums = await readChecksums(folder, manifest);
    await reported(progress, 'Copying the files', () =>
      placeFiles(join(draft, 'data'), { folder, folders: manifest.folders, checksums, account }),
    );
    const password = secrets.postgresPassword;
    await setSuperuserPassword(join(draft, 'data'), password);
    await reported(progress, 'Checking the database', async () => {
      const port = await freePort();
      const logFile = join(logs, 'postgres.log');
      const server = { folder: draft, port, password, purpose: 'durable' as const, logFile };
      const { url, stop } = await startPostgres({ ...server, guardian });
      try {
        await checkCounts(url, manifest.counts);
      } finally {
        await stop();
      }
    });
    await rm(redis, { recursive: true, force: true });
    if (settings.redisUrl !== undefined) await emptyRedis(restore, settings.redisUrl);
    const [data, aside] = [join(postgres, 'data'), join(postgres, REPLACED_FOLDER)];
    await replaceFolder(join(draft, 'data'), data, aside);
  } finally {
    await rm(draft, { recursive: true, force: true });
    await guardian.close();
  }
}

/** @throws StackError if a server that a killed stack has left still uses its folder. */
async function assertStopped(server: ServerProcess): Promise<void> {
  const pid = await runningPid(server);
  if (pid === undefined) return;
  throw new StackError(
    `${server.name} (process ${pid}) still uses ${server.folder}: its stack was killed. ` +
      `Stop it (kill -s ${server.stopSignal.slice(3)} ${pid}), then repeat the restore.`,
  );
}

async function checkCounts(url: string, expected: Readonly<Counts>): Promise<void> {
  const client = await connect(url);
  try {
    const counts: Counts = {};
    for (const { schema } of DUMPS) Object.assign(counts, await readCounts(client, schema));
    assertCounts(counts, expected);
  } finally {
    await client.end();
  }
}
