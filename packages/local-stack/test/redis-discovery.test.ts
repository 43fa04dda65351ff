import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { findRedis, type RedisProgram } from '@vcds/local-stack';

let folder: string;
let bin: string;
let announced: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vcds-redis-'));
  bin = join(folder, 'bin');
  await mkdir(bin);
  announced = [];
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** A program of our own on the PATH of the search. */
async function program(name: string, script: string): Promise<string> {
  const path = join(bin, name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

const serverSays = (version: string) => `echo "Redis server v=${version} sha=0:0 bits=64"`;

/**
 * A distribution of our own: `apt-get` knows the packages given and leaves a file for each that
 * is downloaded, `dpkg-deb -x` makes the server of it.
 */
async function distribution(options: {
  packages: readonly string[];
  version?: string;
  hasLists?: boolean;
}): Promise<void> {
  const log = join(folder, 'apt.log');
  const { packages, version = '7.0.15', hasLists = true } = options;
  await program(
    'apt-get',
    `echo "$@" >> ${log}
     lists=${hasLists ? 'yes' : `$(case "$*" in *Dir::State::lists=*) echo yes;; esac)`}
     for word in "$@"; do last=$word; done
     case "$*" in
       *install*) test -n "$lists" || { echo "E: Unable to locate package $last" >&2; exit 100; }
         case " ${packages.join(' ')} " in
           *" $last "*) echo "Inst libneeded1 (1.0)"; echo "Inst $last (1.0)";;
           *) echo "E: Unable to locate package $last" >&2; exit 100;;
         esac;;
       *download*) touch package.deb;;
       *update*) true;;
     esac`,
  );
  await program(
    'dpkg-deb',
    `mkdir -p "$3/usr/bin" "$3/usr/lib/somewhere"
     touch "$3/usr/lib/somewhere/libneeded.so.1"
     printf '#!/bin/sh\\necho "Redis server v=${version} sha=0"\\n' > "$3/usr/bin/${packages[0]}"
     chmod +x "$3/usr/bin/${packages[0]}"`,
  );
}

function find(more: NodeJS.ProcessEnv = {}): Promise<RedisProgram> {
  return findRedis({
    environment: { PATH: [bin, '/usr/bin', '/bin'].join(delimiter), ...more },
    tools: join(folder, 'tools'),
    announce: (sentence) => announced.push(sentence),
  });
}

/** The basic programs that scripts need, and nothing else of the machine. */
async function findIsolated(): Promise<RedisProgram> {
  for (const name of ['sh', 'touch', 'mkdir', 'chmod', 'printf', 'cat']) {
    await symlink(`/bin/${name}`, join(bin, name)).catch(() => undefined);
  }
  return find({ PATH: bin });
}

describe('findRedis', () => {
  test('takes redis-server from PATH before anything else', async () => {
    const command = await program('redis-server', serverSays('7.2.4'));
    await program('valkey-server', serverSays('8.0.1'));
    await distribution({ packages: ['redis-server'] });
    expect(await find()).toEqual({ command, env: {}, version: '7.2.4', origin: 'PATH' });
    expect(announced).toEqual([]);
  });

  test('takes valkey-server where there is no redis-server', async () => {
    const command = await program('valkey-server', 'echo "Valkey server v=8.0.1 sha=0:0"');
    expect(await findIsolated()).toMatchObject({ command, version: '8.0.1' });
  });

  test('passes over a Redis that is too old', async () => {
    await program('redis-server', serverSays('6.0.16'));
    const command = await program('valkey-server', serverSays('8.0.1'));
    expect(await find()).toMatchObject({ command });
  });

  test("unpacks the distribution's package with its libraries, says so, and keeps it", async () => {
    await distribution({ packages: ['redis-server'] });
    const found = await findIsolated();
    const home = join(folder, 'tools/redis-debian');
    expect(found).toEqual({
      command: join(home, 'usr/bin/redis-server'),
      env: { LD_LIBRARY_PATH: join(home, 'usr/lib/somewhere') },
      version: '7.0.15',
      origin: 'Debian package',
    });
    expect(announced).toEqual([expect.stringContaining("fetching the distribution's package")]);
    announced = [];
    expect(await findIsolated()).toEqual(found);
    expect(announced).toEqual([]);
  });

  test('fetches private package lists where the machine has none', async () => {
    await distribution({ packages: ['redis-server'], hasLists: false });
    expect(await findIsolated()).toMatchObject({ origin: 'Debian package' });
    expect(announced).toContain('Fetching private package lists');
  });

  test('takes the Valkey package where the distribution has no Redis', async () => {
    await distribution({ packages: ['valkey-server'] });
    const { command } = await findIsolated();
    expect(command).toMatch(/usr\/bin\/valkey-server$/);
  });

  test('says in one sentence what to install when there is nothing at all', async () => {
    const failure = await findIsolated().catch((error: Error) => error.message);
    expect(failure).toMatch(/^Redis 7 or newer is needed and none was found: install it .*\n/);
    expect(failure).toContain('no redis-server or valkey-server on PATH');
    expect(failure).toContain('no apt-get to fetch a package with');
    expect(failure).toContain('cannot be built without make');
  });

  test("tells why the distribution's package was of no use", async () => {
    await program('redis-server', serverSays('6.2.0'));
    await distribution({ packages: ['redis-server'], version: '6.0.16' });
    const failure = await findIsolated().catch((error: Error) => error.message);
    expect(failure).toMatch(/redis-server is version 6\.2\.0, and 7\.0 is needed/);
    expect(failure).toMatch(/usr\/bin\/redis-server is version 6\.0\.16, and 7\.0 is needed/);
  });

  test('leaves no half-made folder behind when a download fails', async () => {
    await distribution({ packages: ['redis-server'] });
    await program('dpkg-deb', 'echo "dpkg-deb: error: archive is damaged" >&2; exit 2');
    const failure = await findIsolated().catch((error: Error) => error.message);
    expect(failure).toContain('archive is damaged');
    expect(await readdir(join(folder, 'tools'))).toEqual([]);
  });
});
