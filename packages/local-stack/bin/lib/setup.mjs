import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isMusl } from './check-machine.mjs';
import { cacheFolder, root } from './root.mjs';
import { CommandFailed, Interrupted, run } from './run.mjs';
import { removeStaleBuilds } from './stale-builds.mjs';
import { packagesWith, workspaceFolders } from './workspace.mjs';

/** Beside the installed packages: it is valid for every LOCAL_DIR and is deleted with them. */
const STAMP_FILE = join(cacheFolder, 'setup.json');

/** Causes of a failed command, recognized by its output, with an advice. */
const CAUSES = [
  {
    pattern:
      /\b(?:ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH)\b/,
    sentence:
      'The packages cannot be downloaded: npm cannot reach its registry. Connect to the network, or ' +
      'check the registry and proxy of `npm config list`, and run this again.',
  },
  {
    pattern: /\b(?:EACCES|EPERM|EROFS)\b|permission denied|read-only file system/i,
    sentence:
      'You cannot write to this clone: it is read-only, or an earlier start ran as another user, ' +
      'such as root. Change its owner with chown, or use your own clone.',
  },
  {
    pattern: /\bENOSPC\b|no space left/i,
    sentence: 'The disk is full. Free some space and run this again.',
  },
];

const REPORT_LINES = 40;
const EXIT_CODE_INTERRUPTED = 130;

/**
 * {@link setUp} for a command: false if it failed or was interrupted; then the reason is on standard
 * error and the exit code is set.
 */
export async function setUpOrReport(progress) {
  try {
    await setUp(progress);
    return true;
  } catch (error) {
    process.exitCode = error instanceof Interrupted ? EXIT_CODE_INTERRUPTED : 1;
    if (!(error instanceof Interrupted)) process.stderr.write(`${reasonOf(error)}\n`);
    return false;
  }
}

/** The line with a known cause and an advice, or the last lines of the output. */
function reasonOf(error) {
  const isFileError = !(error instanceof CommandFailed) && error.syscall !== undefined;
  if (!isFileError && !(error instanceof CommandFailed)) throw error;
  const lines = (error.output ?? error.message).trim().split('\n');
  const cause = CAUSES.find(({ pattern }) => lines.some((line) => pattern.test(line)));
  if (cause !== undefined) {
    return `${lines.find((line) => cause.pattern.test(line)).trim()}\n${cause.sentence}`;
  }
  return [...lines.slice(-REPORT_LINES), `${error.message}.`].join('\n');
}

/**
 * Installs the workspace, generates and builds it. Each step is skipped if its inputs have not
 * changed.
 * @throws CommandFailed, Interrupted
 */
async function setUp(progress) {
  const before = readStamps();
  const stamps = { install: installStamp(), generate: generateStamp() };
  const isInstalled = existsSync(join(root, 'node_modules/.modules.yaml'));
  if (!isInstalled || before.install !== stamps.install) await install(progress);
  const packages = packagesWith('generate');
  if (before.generate !== stamps.generate || packages.some((folder) => !isGenerated(folder))) {
    for (const folder of packages) await generate(folder, progress);
  }
  if (!isSame(before, stamps)) writeStamps(stamps);
  await build(progress);
}

async function install(progress) {
  await reported(progress.step('Installing packages'), async (step) => {
    const command = ['pnpm', 'install', '--frozen-lockfile', '--reporter=append-only'];
    // By default npm waits for 70 s before it reports that there is no network.
    const retries = ['--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=8000'];
    // npm start --silent would also silence this npm, and its error message.
    const packages = `--package=${pinnedPnpm()}`;
    const options = ['exec', '--yes', '--loglevel=error', ...retries, packages, '--', ...command];
    const env = { ...process.env, CI: 'true', npm_config_update_notifier: 'false' };
    await run('npm', options, { step, env });
  });
}

/** `pnpm@12.21.0`: the version in package.json. */
export function pinnedPnpm() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).packageManager;
}

async function generate(folder, progress) {
  await reported(progress.step(`Generating the database client of ${relative(root, folder)}`), () =>
    run('npm', ['run', 'generate', '--silent'], { cwd: folder }),
  );
}

async function build(progress) {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  await reported(progress.step('Building'), () => {
    removeStaleBuilds();
    return run(process.execPath, [compiler, '-b']);
  });
  // One process for the three: each of them only does what has changed.
  const portal = (path) => join(root, 'packages/portal', path);
  const first = [portal('dist/write-assets.js'), portal('bin/downloads.mjs')];
  const imports = first.flatMap((file) => ['--import', pathToFileURL(file).href]);
  await reported(progress.step('Building the documentation'), () =>
    run(process.execPath, [...imports, portal('bin/site.mjs')]),
  );
}

async function reported(step, work) {
  try {
    await work(step);
    step.done();
  } catch (error) {
    step.fail();
    throw error;
  }
}

/** Digest of the inputs of an installation: lockfile, manifests, platform, Node's ABI. */
function installStamp() {
  const files = ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json'];
  const manifests = workspaceFolders().map((folder) => join(folder, 'package.json'));
  const libc = process.platform === 'linux' && isMusl() ? 'musl' : 'libc';
  const { modules } = process.versions;
  const platform = [process.platform, process.arch, libc, modules].join('-');
  return digest(platform, [...files.map((file) => join(root, file)), ...manifests]);
}

/** Digest of the inputs of the generated clients: the Prisma schemas and Prisma's version. */
function generateStamp() {
  const schemas = workspaceFolders().flatMap((folder) => filesIn(join(folder, 'prisma')));
  return digest('', [join(root, 'pnpm-lock.yaml'), ...schemas]);
}

function isGenerated(folder) {
  return existsSync(join(folder, 'src/generated'));
}

function filesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.prisma'))
    .map((name) => join(folder, name));
}

function digest(seed, files) {
  const hash = createHash('sha256').update(seed);
  for (const file of files) hash.update(`\0${relative(root, file)}\0`).update(readFileSync(file));
  return hash.digest('hex');
}

function readStamps() {
  try {
    return JSON.parse(readFileSync(STAMP_FILE, 'utf8'));
  } catch {
    return {};
  }
}

function isSame(before, stamps) {
  return Object.keys(stamps).every((name) => before[name] === stamps[name]);
}

/** Replaces the file atomically: a crash leaves it whole. */
function writeStamps(stamps) {
  mkdirSync(dirname(STAMP_FILE), { recursive: true });
  writeFileSync(`${STAMP_FILE}.new`, `${JSON.stringify(stamps)}\n`);
  renameSync(`${STAMP_FILE}.new`, STAMP_FILE);
}
