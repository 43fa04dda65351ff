import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { findRedis, type RedisProgram } from '@vcds/local-stack';
import { testFolder } from '@vcds/test-kit';

let folder: string;
let bin: string;
let announced: string[];

beforeEach(async () => {
  folder = await testFolder('vcds-redis-');
  bin = join(folder, 'bin');
  await mkdir(bin);
  announced = [];
});

/** A fixture program on the PATH of the search. */
async function program(name: string, script: string): Promise<string> {
  const path = join(bin, name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

const printVersion = (version: string) => `echo "Redis server v=${version} sha=0:0 bits=64"`;

/**
 * A fixture distribution, in which the server is a link to a program of the tools package: `apt-get`
 * has `packages` and creates a file for each download, which `dpkg-deb -x` unpacks. `installed` are
 * the packages of the machine.
 */
async function distribution(options: {
  packages: readonly string[];
  installed?: readonly string[];
  version?: string;
  hasLists?: boolean;
}): Promise<void> {
  const log = join(folder, 'apt.log');
  const { packages, installed = [], version = '7.0.15', hasLists = true } = options;
  const isInstalled = `case " ${installed.join(' ')} " in *" $1 "*) true;; *) false;; esac`;
  await program(
    'apt-get',
    `echo "$@" >> ${log}
     lists=${hasLists ? 'yes' : `$(case "$*" in *Dir::State::lists=*) echo yes;; esac)`}
     inst() { ${isInstalled} || echo "Inst $1 (1.0)"; }
     for word in "$@"; do last=$word; done
     case "$*" in *update*) exit 0;; esac
     test -n "$lists" || { echo "E: Unable to locate package $last" >&2; exit 100; }
     case " ${packages.join(' ')} " in
       *" $last "*) true;;
       *) case "$*" in *download*-tools*|*download*libneeded1*) true;;
            *) echo "E: Unable to locate package $last" >&2; exit 100;;
          esac;;
     esac
     case "$*" in
       *--print-uris*) echo "'http://mirror/$last.deb' $last""_5%3a${version}-1_amd64.deb 9 SHA512:0";;
       *install*) inst libneeded1; inst "\${last%-server}-tools"; inst $last;;
       *download*) while [ "$1" != download ]; do shift; done; shift
         for name in "$@"; do touch $name.deb; done;;
     esac`,
  );
  await program(
    'dpkg-deb',
    `mkdir -p "$3/usr/bin" "$3/usr/lib/somewhere"
     case "$2" in
       *libneeded1.deb) touch "$3/usr/lib/somewhere/libneeded.so.1";;
       *-server.deb) ln -s check-rdb "$3/usr/bin/$(basename "$2" .deb)";;
       *-tools.deb) printf '#!/bin/sh\\necho "Redis server v=${version} sha=0"\\n' > "$3/usr/bin/check-rdb"
         chmod +x "$3/usr/bin/check-rdb";;
     esac`,
  );
}

function find(more: NodeJS.ProcessEnv = {}): Promise<RedisProgram> {
  return findRedis({
    environment: { PATH: [bin, '/usr/bin', '/bin'].join(delimiter), ...more },
    tools: join(folder, 'tools'),
    announce: (sentence) => announced.push(sentence),
  });
}

/** Searches with only the basic programs that scripts need on PATH. */
async function findIsolated(): Promise<RedisProgram> {
  for (const name of ['sh', 'touch', 'mkdir', 'chmod', 'printf', 'cat', 'ln', 'basename']) {
    await symlink(`/bin/${name}`, join(bin, name)).catch(() => undefined);
  }
  return find({ PATH: bin });
}

describe('findRedis', () => {
  test('prefers redis-server on PATH', async () => {
    const command = await program('redis-server', printVersion('7.2.4'));
    await program('valkey-server', printVersion('8.0.1'));
    await distribution({ packages: ['redis-server'] });
    expect(await find()).toEqual({ command, env: {}, version: '7.2.4', origin: 'PATH' });
    expect(announced).toEqual([]);
  });

  test('uses valkey-server if there is no redis-server', async () => {
    const command = await program('valkey-server', 'echo "Valkey server v=8.0.1 sha=0:0"');
    expect(await findIsolated()).toMatchObject({ command, version: '8.0.1' });
  });

  test('skips a Redis that is too old', async () => {
    await program('redis-server', printVersion('6.0.16'));
    const command = await program('valkey-server', printVersion('8.0.1'));
    expect(await find()).toMatchObject({ command });
  });

  test("unpacks the distribution's package with its libraries, and reuses it", async () => {
    await distribution({ packages: ['redis-server'] });
    const found = await findIsolated();
    const home = join(folder, 'tools/redis-debian');
    expect(found).toEqual({
      command: join(home, 'usr/bin/redis-server'),
      env: { LD_LIBRARY_PATH: join(home, 'usr/lib/somewhere') },
      version: '7.0.15',
      origin: 'Debian package',
    });
    expect(announced).toEqual([
      "No Redis 7 or newer is installed: downloading the distribution's package (without installing it)",
    ]);
    announced = [];
    expect(await findIsolated()).toEqual(found);
    expect(announced).toEqual([]);
  });

  test('downloads private package lists if the machine has none', async () => {
    await distribution({ packages: ['redis-server'], hasLists: false });
    expect(await findIsolated()).toMatchObject({ origin: 'Debian package' });
    expect(announced).toContain('Downloading private package lists');
  });

  test('uses the Valkey package if the distribution has no Redis', async () => {
    await distribution({ packages: ['valkey-server'] });
    const { command } = await findIsolated();
    expect(command).toMatch(/usr\/bin\/valkey-server$/);
  });

  test('names the package to install if there is none at all', async () => {
    const failure = await findIsolated().catch((error: Error) => error.message);
    expect(failure).toMatch(
      /^Redis 7 or newer is required, and none was found\. Install redis-server .*\n/,
    );
    expect(failure).toContain('no redis-server or valkey-server on PATH');
    expect(failure).toContain('apt-get is not installed');
  });

  test('unpacks the tools package even if it is installed without the server', async () => {
    await distribution({ packages: ['redis-server'], installed: ['redis-tools', 'libneeded1'] });
    expect(await findIsolated()).toMatchObject({ version: '7.0.15', origin: 'Debian package' });
  });

  test('does not download a package that is too old', async () => {
    await program('redis-server', printVersion('6.2.0'));
    await distribution({
      packages: ['redis-server'],
      installed: ['redis-server', 'redis-tools'],
      version: '6.0.16',
    });
    const failure = await findIsolated().catch((error: Error) => error.message);
    expect(failure).toContain('redis-server is version 6.2.0;');
    expect(failure).toContain("the distribution's redis-server is version 6.0.16.");
    const commands = (await readFile(join(folder, 'apt.log'), 'utf8')).trim().split('\n');
    expect(commands.filter((line) => !line.includes('--print-uris'))).toEqual([]);
  });

  test("uses the distribution's Valkey if its Redis is too old", async () => {
    await distribution({ packages: ['redis-server', 'valkey-server'] });
    const apt = await readFile(join(bin, 'apt-get'), 'utf8');
    const older = 'test $last = valkey-server || version=6.0.16;';
    await program(
      'apt-get',
      apt
        .replace(/^#!.*\n/, `version=7.2.5; for word in "$@"; do last=$word; done; ${older}\n`)
        .replace('5%3a7.0.15', '5%3a$version'),
    );
    const { command } = await findIsolated();
    expect(command).toMatch(/usr\/bin\/valkey-server$/);
  });

  test('reports why the package lists cannot be downloaded', async () => {
    const lines = ["E: Failed to fetch http://mirror/  Temporary failure resolving 'mirror'"];
    lines.push('E: Some index files failed to download.');
    await distribution({ packages: [] });
    await program('apt-get', `${lines.map((line) => `echo "${line}" >&2`).join('; ')}; exit 100`);
    const failure = await findIsolated().catch((error: Error) => error.message);
    expect(failure).toContain('package failed (E: Failed to fetch http://mirror/  Temporary');
  });

  test('leaves no incomplete folder after a failed download', async () => {
    await distribution({ packages: ['redis-server'] });
    await program('dpkg-deb', 'echo "dpkg-deb: error: archive is damaged" >&2; exit 2');
    const failure = await findIsolated().catch((error: Error) => error.message);
    expect(failure).toContain('archive is damaged');
    expect(await readdir(join(folder, 'tools'))).toEqual([]);
  });
});
