import { execFile } from 'node:child_process';

/** Runs Node to its end; resolves with its exit code, or the code of its error, and its output. */
export function outcomeOf(args: readonly string[], env: NodeJS.ProcessEnv) {
  return new Promise<{ code: number | string; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, args, { env }, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, stdout, stderr });
    });
  });
}
