import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { openSecrets } from '@vcds/local-stack';
import { testFolder } from '@vcds/test-kit';

let folder: string;

beforeEach(async () => {
  folder = await testFolder('vcds-secrets-');
});

describe('the secrets of a local folder', () => {
  test('are created once, all different, and kept', async () => {
    const first = await openSecrets(folder);
    expect(first.isNew).toBe(true);
    expect(new Set(Object.values(first.secrets)).size).toBe(6);
    expect(await openSecrets(folder)).toEqual({ secrets: first.secrets, isNew: false });
  });

  test('are readable only by their owner', async () => {
    await openSecrets(folder);
    expect((await stat(join(folder, 'secrets.json'))).mode & 0o777).toBe(0o600);
  });

  test('keep the existing ones when a new version adds one', async () => {
    const stored = { postgresPassword: 'a', redisPassword: 'b', serviceTokenSecret: 'c' };
    await writeFile(join(folder, 'secrets.json'), JSON.stringify(stored));
    const { secrets, isNew } = await openSecrets(folder);
    expect(isNew).toBe(false);
    expect(secrets).toMatchObject(stored);
    expect(secrets.codeSecret).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8'))).toEqual(secrets);
  });
});
