// Read by any Node that knows modules, so: no syntax younger than those.
const [major, minor] = process.versions.node.split('.').map(Number);

/** Ends the process with one sentence when Node is too old, or the system is Windows itself. */
export function checkNode() {
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(`Node 20.19 or newer is needed; this is ${process.versions.node}.`);
    process.exit(1);
  }
  if (process.platform === 'win32') {
    console.error('Windows is not supported directly; use the Windows Subsystem for Linux.');
    process.exit(1);
  }
}
