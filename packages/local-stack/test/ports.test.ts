import { createServer, type Server } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { isPortFree, freePort as portNotReserved } from '@vcds/local-stack';
import { freePort } from '@vcds/test-kit';
import { claimPorts } from '../src/stack/claim-ports.ts';

const servers: Server[] = [];

afterEach(close);

async function close(): Promise<void> {
  for (const server of servers.splice(0)) {
    await new Promise((resolve) => {
      server.close(resolve);
    });
  }
}

async function listen(port: number): Promise<void> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
}

async function taken(): Promise<number> {
  const port = await freePort();
  await listen(port);
  return port;
}

test('a port is not free while a process listens on it', async () => {
  const port = await portNotReserved();
  expect(await isPortFree(port)).toBe(true);
  await listen(port);
  expect(await isPortFree(port)).toBe(false);
  await close();
  expect(await isPortFree(port)).toBe(true);
});

test('a reserved port is not chosen, although no process listens on it', async () => {
  const odd = new Set(Array.from({ length: 32_768 }, (_, half) => 2 * half + 1));
  const chosen = await Promise.all(Array.from({ length: 40 }, () => portNotReserved(odd)));
  expect(chosen.filter((port) => odd.has(port))).toEqual([]);
});

function setting(name: string, port: number) {
  return { variable: `${name}_PORT`, port, purpose: `the ${name.toLowerCase()}` };
}

async function errorOf(...args: Parameters<typeof claimPorts>): Promise<string> {
  const error = await claimPorts(...args).catch((thrown: unknown) => thrown);
  return error instanceof Error ? error.message : 'no error';
}

test('free ports are no error', async () => {
  expect(await errorOf([setting('DATA', await freePort())], {})).toBe('no error');
});

test('for a port in use, the error has a command with another one', async () => {
  const port = await taken();
  expect(await errorOf([setting('DATA', port)], {})).toMatch(
    new RegExp(
      `^Port ${port}, for the data, is in use( by .*)?\\. ` +
        'Stop that process, or use another port: DATA_PORT=\\d+ npm start$',
    ),
  );
});

test('for several, the error has one command with the ports that were set and distinct others', async () => {
  const [data, probes, access] = [await taken(), await taken(), await freePort()];
  const ports = [setting('DATA', data), setting('PROBES', probes), setting('ACCESS', access)];
  const lines = (await errorOf(ports, { ACCESS_PORT: String(access) })).split('\n');
  expect(lines).toEqual([
    expect.stringMatching(`^Port ${data}, for the data, is in use`),
    expect.stringMatching(`^Port ${probes}, for the probes, is in use`),
    expect.stringMatching(/^Stop that process, or use other ports: DATA_PORT=\d+ PROBES_PORT=\d+ /),
  ]);
  const chosen = lines.at(-1)?.match(/\d+/g) ?? [];
  expect(chosen.at(-1)).toBe(String(access));
  expect(new Set([...chosen, String(data), String(probes)]).size).toBe(5);
});
