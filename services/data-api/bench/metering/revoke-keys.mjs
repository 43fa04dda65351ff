// Revokes keys as the operator's command does, but many in one process: reads a key id a line, and
// writes one line of JSON when the revocation is acknowledged: {keyId, atMs}, by the wall clock.
import { createInterface } from 'node:readline';
import { readAdminConfig } from '../../../access-api/dist/admin/admin-config.js';
import { openAdministration } from '../../../access-api/dist/admin/open.js';

const administration = await openAdministration(readAdminConfig(process.env));
for await (const keyId of createInterface({ input: process.stdin })) {
  await administration.accounts.revokeKey(keyId);
  const atMs = performance.timeOrigin + performance.now();
  process.stdout.write(`${JSON.stringify({ keyId, atMs })}\n`);
}
await administration.close();
