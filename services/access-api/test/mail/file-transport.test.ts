import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { testClock, testFolder } from '@vcds/test-kit';
import { createFileTransport } from '../../src/mail/file-transport.ts';
import { DeliveryError } from '../../src/mail/transport.ts';

const MESSAGE = {
  to: 'ada@mail.example',
  subject: 'S',
  text: 'T 123456',
  html: '<p>123456</p>',
  headers: { 'Auto-Submitted': 'auto-generated' },
  code: '123456',
};
let parent: string;
let folder: string;
let said: string[];
beforeEach(async () => {
  parent = await testFolder('vcds-mail-');
  folder = join(parent, 'a', 'mail');
  said = [];
});
const transport = (clock = testClock('2026-11-21T14:42:10.123Z')) =>
  createFileTransport({ folder, clock, say: (line) => said.push(line) });

describe('the file transport', () => {
  test('writes one JSON file with exactly these members, for its owner alone', async () => {
    await transport().send(MESSAGE);
    const [name = '', ...others] = await readdir(folder);
    expect(others).toEqual([]);
    expect(name).toMatch(/^2026-11-21T14-42-10-123Z-[0-9a-f]{12}\.json$/);
    const { code, ...written } = MESSAGE;
    const content = JSON.parse(await readFile(join(folder, name), 'utf8'));
    expect(content).toEqual({ ...written, createdAt: '2026-11-21T14:42:10.123Z' });
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  test('says the code on the console, in a line that is no log line', async () => {
    await transport().send(MESSAGE);
    expect(said).toEqual([
      expect.stringMatching(/^Mail to ada@mail\.example: code 123456 \(\S+\.json\)$/),
    ]);
  });

  test('lets no address move the cursor', async () => {
    await transport().send({ ...MESSAGE, to: 'a\u001b[2J\n{"x":1}@mail.example' });
    expect(said.join('')).toContain('Mail to a?[2J?{"x":1}@mail.example: code');
  });

  test('keeps messages of the same instant apart', async () => {
    const files = transport();
    await Promise.all(Array.from({ length: 20 }, () => files.send(MESSAGE)));
    expect(await readdir(folder)).toHaveLength(20);
  });

  test('what cannot be written may be tried again, and leaves nothing behind', async () => {
    await writeFile(join(parent, 'a'), '');
    const outcome = transport().send(MESSAGE);
    await expect(outcome).rejects.toBeInstanceOf(DeliveryError);
    await expect(outcome).rejects.toMatchObject({
      isFinal: false,
      message: expect.stringMatching(/^The message could not be written \(E[A-Z]+\)\.$/),
    });
    expect(said).toEqual([]);
  });
});
