// `npm run admin -- COMMAND …`: commands about companies are data-api's, all others access-api's.
const DATA_COMMANDS = ['resolve', 'sources'];
const [first = ''] = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const script = DATA_COMMANDS.includes(first)
  ? 'services/data-api/dist/worker/resolve/cli.js'
  : 'services/access-api/dist/admin/cli.js';
process.argv.splice(2, 0, script);
await import('./with-stack.mjs');
