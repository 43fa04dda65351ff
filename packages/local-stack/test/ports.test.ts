import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { freePort, isPortFree } from '@vcds/local-stack';

test('a free port can be listened on, and is free no more while somebody does', async () => {
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
