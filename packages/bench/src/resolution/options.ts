/** The value of `--name=value` on the command line. */
export function option(name: string, otherwise: string): string {
  const start = `--${name}=`;
  return process.argv.find((word) => word.startsWith(start))?.slice(start.length) ?? otherwise;
}
