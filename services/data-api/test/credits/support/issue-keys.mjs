// Makes accounts with keys as the operator's commands do, but many in one process.
// Reads [{plan, keys: [{scopes?, expiresInSeconds?}]}] from standard input, writes [{accountId, keys: [{apiKey, keyId}]}].
import { text } from 'node:stream/consumers';
import { readAdminConfig } from '../../../../access-api/dist/admin/admin-config.js';
import { openAdministration } from '../../../../access-api/dist/admin/open.js';

const wishes = JSON.parse(await text(process.stdin));
const administration = await openAdministration(readAdminConfig(process.env));
const made = [];
for (const { plan, keys } of wishes) {
  const accountId = await administration.accounts.create({ plan });
  const issued = [];
  for (const wish of keys) {
    const key = { ...wish, accountId, origin: 'operator' };
    const { apiKey, keyId } = await administration.accounts.issueKey(key);
    issued.push({ apiKey, keyId });
  }
  made.push({ accountId, keys: issued });
}
await administration.close();
process.stdout.write(JSON.stringify(made));
