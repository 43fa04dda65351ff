// `npm run restore`: restores a folder of `npm run backup`.
import { runCopy } from './lib/copy.mjs';

runCopy({
  usage: `npm run restore -- FOLDER [--replace]

Restores a backup into the stack of LOCAL_DIR, or with pg_restore into DATABASE_URL, and empties
Redis, which the services rebuild. Stop the services first. See docs/backup.md.

  --replace  delete the data that exists
`,
  flags: ['--replace'],
  foldersMin: 1,
  run: async ({ folder, flags, ...options }) => {
    const { runRestore } = await import('../dist/backup/run-restore.js');
    const replace = flags.includes('--replace');
    await runRestore({ ...options, folder, replace });
    process.stdout.write(`${folder}\n`);
  },
});
