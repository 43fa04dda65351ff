import { type ExecFileOptions, execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RedisSearch } from './discover.ts';
import { onPath } from './path.ts';
import { REDIS_MAJOR_MIN, type RedisProgram, tryProgram, type Unusable } from './program.ts';

/**
 * Packages with a server; the first available one is used. The server is a link to a program of the
 * tools package, so both are unpacked, even if the tools are installed already.
 */
const PACKAGES = [
  { server: 'redis-server', tools: 'redis-tools' },
  { server: 'valkey-server', tools: 'valkey-tools' },
];
const COMMAND_TIMEOUT_MS = 300_000;

/** Runs an apt or dpkg program and returns its output. */
type Apt = (program: string, args: readonly string[], cwd?: string) => Promise<string>;

/**
 * Unpacks the package of Debian or Ubuntu, with the libraries that this machine does not have, into
 * the tools folder. It installs nothing and does not require root. If the machine has no package
 * lists, or outdated ones, it downloads private lists.
 */
export async function debianRedis(search: RedisSearch): Promise<RedisProgram | Unusable> {
  for (const program of ['apt-get', 'dpkg-deb']) {
    const isFound = (await onPath(program, search.environment)) !== undefined;
    if (!isFound) return { unusable: `${program} is not installed` };
  }
  const home = join(search.tools, 'redis-debian');
  const unpackedBefore = await programIn(home);
  if ('command' in unpackedBefore) return unpackedBefore;
  try {
    return await downloadPackage(search, home);
  } catch (error) {
    if (error instanceof TooOld) return { unusable: error.message };
    const { stderr = '' } = error as { stderr?: string };
    const lines = stderr.trim().split('\n');
    // The first error line of apt is the cause; dpkg-deb prints one line.
    const reason = lines.find((line) => line.startsWith('E:')) ?? (lines.at(-1) || String(error));
    return { unusable: `downloading Debian's package failed (${reason})` };
  }
}

async function downloadPackage(
  search: RedisSearch,
  home: string,
): Promise<RedisProgram | Unusable> {
  search.announce(
    `No Redis ${REDIS_MAJOR_MIN} or newer is installed: ` +
      "downloading the distribution's package (without installing it)",
  );
  await mkdir(search.tools, { recursive: true });
  const work = await mkdtemp(join(search.tools, '.redis-'));
  try {
    const unpacked = await unpackWith(aptOver(search, work, false), work).catch(async (error) => {
      if (error instanceof TooOld) throw error;
      search.announce('Downloading private package lists');
      const apt = aptOver(search, work, true);
      await apt('apt-get', ['update']);
      return unpackWith(apt, work);
    });
    const tried = await programIn(unpacked);
    if ('unusable' in tried) return tried;
    // Another process may have unpacked it in the meantime, and use it already.
    const others = await programIn(home);
    if ('command' in others) return others;
    await rm(home, { recursive: true, force: true });
    await rename(unpacked, home);
    return await programIn(home);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Downloads the packages and returns the folder into which they are unpacked. */
async function unpackWith(apt: Apt, work: string): Promise<string> {
  const [downloads, unpacked] = [join(work, 'downloads'), join(work, 'unpacked')];
  for (const folder of [downloads, unpacked]) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder);
  }
  await apt('apt-get', ['download', ...(await missingPackages(apt))], downloads);
  for (const file of await readdir(downloads)) {
    await apt('dpkg-deb', ['-x', join(downloads, file), unpacked]);
  }
  return unpacked;
}

/** Server, tools and the dependencies that this machine does not have. */
async function missingPackages(apt: Apt): Promise<string[]> {
  const failures: unknown[] = [];
  for (const { server, tools } of PACKAGES) {
    try {
      await assertNewEnough(apt, server);
      const options = ['install', '--simulate', '--no-install-recommends', server];
      const plan = await apt('apt-get', options);
      const missing = [...plan.matchAll(/^Inst (\S+)/gm)].map((match) => match[1] ?? '');
      return [...new Set([server, tools, ...missing])];
    } catch (error) {
      failures.push(error);
    }
  }
  throw failures[0];
}

/** The name of apt's file contains the version: `redis-server_5%3a7.0.15-1_amd64.deb`. */
async function assertNewEnough(apt: Apt, server: string): Promise<void> {
  const uris = await apt('apt-get', ['download', '--print-uris', server]);
  const version = /_(?:\d+%3a)?((\d+)[\d.]*)/.exec(uris);
  if (version === null || Number(version[2]) >= REDIS_MAJOR_MIN) return;
  throw new TooOld(`the distribution's ${server} is version ${version[1]}`);
}

/** The distribution has only an old version of the package. */
class TooOld extends Error {}

function aptOver(search: RedisSearch, work: string, privateLists: boolean): Apt {
  const options = [
    `Dir::Cache=${join(work, 'cache')}`,
    ...(privateLists ? [`Dir::State::lists=${join(work, 'lists')}`] : []),
    'Debug::NoLocking=1',
    'Acquire::Retries=2',
    // Otherwise an update without network succeeds, and the cause is lost.
    'APT::Update::Error-Mode=any',
    'Acquire::http::Timeout=30',
    // apt's sandbox user cannot write into our folders.
    'APT::Sandbox::User=root',
  ];
  return async (program, args, cwd = work) => {
    await mkdir(join(work, 'cache/archives/partial'), { recursive: true });
    await mkdir(join(work, 'lists/partial'), { recursive: true });
    const flags = program === 'apt-get' ? options.flatMap((option) => ['-o', option]) : [];
    const settings: ExecFileOptions & { encoding: 'utf8' } = {
      cwd,
      env: { ...search.environment, LC_ALL: 'C' },
      timeout: COMMAND_TIMEOUT_MS,
      maxBuffer: 16 * 1_048_576,
      encoding: 'utf8',
      ...(search.signal === undefined ? {} : { signal: search.signal }),
    };
    return (await promisify(execFile)(program, [...flags, ...args], settings)).stdout;
  };
}

async function programIn(home: string): Promise<RedisProgram | Unusable> {
  const libraries = await libraryFolders(home);
  const env = { LD_LIBRARY_PATH: libraries.join(':') };
  const reasons: string[] = [];
  for (const { server } of PACKAGES) {
    const found = await tryProgram(join(home, 'usr/bin', server), 'Debian package', env);
    if ('command' in found) return found;
    reasons.push(found.unusable);
  }
  return { unusable: reasons.join('; ') };
}

async function libraryFolders(home: string): Promise<string[]> {
  const entries = await readdir(home, { recursive: true, withFileTypes: true }).catch(() => []);
  const libraries = entries.filter((entry) => /\.so(\.|$)/.test(entry.name));
  return [...new Set(libraries.map((entry) => entry.parentPath))];
}
