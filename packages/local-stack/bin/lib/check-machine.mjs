// Any Node with ES modules must be able to parse this file: no newer syntax.
const [major, minor] = process.versions.node.split('.').map(Number);

/** Exits with one sentence if the product cannot be built on this machine. */
export function checkMachine() {
  if (major < 20 || (major === 20 && minor < 19)) {
    fail(`Node 20.19 or newer is required; this is ${process.versions.node}.`);
  }
  if (process.platform === 'win32') {
    fail('Windows is not supported. Use the Windows Subsystem for Linux.');
  }
}

/**
 * Exits with one sentence if the embedded PostgreSQL cannot run. Called before the installation, so
 * that no files are left behind, such as files of root.
 */
export function checkEmbedded() {
  if ((process.env.DATABASE_URL || '').trim() !== '') return;
  if (process.platform === 'darwin' && process.getuid() === 0) {
    fail(
      'PostgreSQL does not run as root. Start without sudo, as an ordinary user, or set ' +
        'DATABASE_URL to your own PostgreSQL.',
    );
  }
  if (process.platform === 'linux' && isMusl()) {
    fail(
      'The embedded PostgreSQL requires glibc, and this system uses musl (as Alpine does). Use a ' +
        'glibc image such as node:22-slim, or set DATABASE_URL and REDIS_URL to your own servers.',
    );
  }
}

/** Whether Node is linked with musl: then its report has no version of glibc. */
export function isMusl() {
  // Otherwise the report resolves the names of the peers of open sockets.
  process.report.excludeNetwork = true;
  const report = process.report.getReport();
  return report.header.glibcVersionRuntime === undefined;
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
