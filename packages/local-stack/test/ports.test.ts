import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { freePort, isPortFree } from '@vcds/local-stack';

test('a port is not free while a process listens on it', async () => {
  const port = await freePort();
  expect(await isPortFree(port)).toBe(true);
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  expect(await isPortFree(port)).toBe(false);
  await new Promise((resolve) => {
    server.close(resolve);
  });
  expect(await isPortFree(port)).toBe(true);
});

test('a reserved port is not chosen, although no process listens on it', async () => {
  const odd = new Set(Array.from({ length: 32_768 }, (_, half) => 2 * half + 1));
  const chosen = await Promise.all(Array.from({ length: 40 }, () => freePort(odd)));
  expect(chosen.filter((port) => odd.has(port))).toEqual([]);
});
