// Read by any Node that knows modules, so: no syntax younger than those.
const [major, minor] = process.versions.node.split('.').map(Number);

/** Ends the process with one sentence where the product cannot be built at all. */
export function checkMachine() {
  if (major < 20 || (major === 20 && minor < 19)) {
    fail(`Node 20.19 or newer is needed; this is ${process.versions.node}.`);
  }
  if (process.platform === 'win32') {
    fail('Windows is not supported directly; use the Windows Subsystem for Linux.');
  }
}

/**
 * Ends the process with one sentence where the embedded PostgreSQL cannot run. Called before
 * anything is installed, so that nothing is left behind, such as files that belong to root.
 */
export function checkEmbedded() {
  if ((process.env.DATABASE_URL || '').trim() !== '') return;
  if (process.platform === 'darwin' && process.getuid() === 0) {
    fail(
      'PostgreSQL does not run as root: start without sudo, as an ordinary user, or set ' +
        'DATABASE_URL to a PostgreSQL of your own.',
    );
  }
  if (process.platform === 'linux' && isMusl()) {
    fail(
      'The embedded PostgreSQL needs glibc, and this system uses musl (as Alpine does): use a ' +
        'glibc image such as node:22-slim, or set DATABASE_URL and REDIS_URL to servers of your own.',
    );
  }
}

/** Whether Node was linked with musl; then its report names no version of glibc. */
export function isMusl() {
  // Without this the report looks up the names of the peers of open sockets.
  process.report.excludeNetwork = true;
  const report = process.report.getReport();
  return report.header.glibcVersionRuntime === undefined;
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
