// `npm run backup`: backs up PostgreSQL to a folder.
import { runCopy } from './lib/copy.mjs';

runCopy({
  usage: `npm run backup [-- FOLDER]

Copies the database to a new folder, by default LOCAL_DIR/backups/TIME: of the stopped stack in
LOCAL_DIR, or with pg_dump of DATABASE_URL (with REDIS_URL) while the services run. See docs/backup.md.
`,
  flags: [],
  foldersMin: 0,
  run: async ({ folder, ...options }) => {
    const { runBackup } = await import('../dist/backup/run-backup.js');
    process.stdout.write(`${await runBackup({ ...options, folder })}\n`);
  },
});
