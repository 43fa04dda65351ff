// The operator's commands in a process that stays: reads {words, input} or {accounts}, a line of
// JSON each, and writes {result} or {error} for each, in the same order.

import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { readAdminConfig } from '../../../services/access-api/dist/admin/admin-config.js';
import { openAdministration } from '../../../services/access-api/dist/admin/open.js';
import { runAdmin } from '../../../services/access-api/dist/admin/run.js';

for await (const line of createInterface(process.stdin)) {
  const { accounts, words, input } = JSON.parse(line);
  const answer = accounts === undefined ? run(words, input) : issue(accounts);
  const said = await answer.then(
    (result) => ({ result }),
    (error) => ({ error: String(error?.message ?? error) }),
  );
  process.stdout.write(`${JSON.stringify(said)}\n`);
}

async function run(words, input) {
  const out = [];
  const err = [];
  const status = await runAdmin(words, {
    environment: process.env,
    localDir: tmpdir(),
    readInput: async () => input,
    out: (text) => out.push(text),
    err: (text) => {
      err.push(text);
      process.stderr.write(`${text}\n`);
    },
  });
  if (status !== 0) throw new Error(err.join('\n'));
  return JSON.parse(out.join('\n'));
}

async function issue(accounts) {
  const { accounts: made, close } = await openAdministration(readAdminConfig(process.env));
  try {
    const issued = [];
    for (const { plan, keys } of accounts) {
      const accountId = await made.create({ plan });
      const account = { accountId, keys: [] };
      for (const key of keys) {
        account.keys.push(await made.issueKey({ ...key, accountId, origin: 'operator' }));
      }
      issued.push(account);
    }
    return issued;
  } finally {
    await close();
  }
}
