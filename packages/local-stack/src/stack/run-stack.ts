import { openGuardian } from '../processes/guardian.ts';
import { authUrl, banner, baseUrl, type Running } from './banner.ts';
import { bringUp } from './bring-up.ts';
import { claimPorts } from './claim-ports.ts';
import { lockFolder, type Release } from './lock.ts';
import { ProcessGroup } from './process-group.ts';
import { type Product, product as ventureProduct } from './product.ts';
import type { Progress } from './progress.ts';
import { publishRuntime } from './runtime-file.ts';
import { readSettings } from './settings.ts';
import { StackError } from './stack-error.ts';
import { listenForStop, StopRequested } from './stop-signals.ts';

export interface StackFlags {
  /** Leave an empty database empty. */
  readonly empty: boolean;
  /** Serve the sandbox, without keys. */
  readonly sandbox?: boolean;
  /** Delete all state first. */
  readonly fresh: boolean;
  /** Print only one line of JSON on standard output, when ready. */
  readonly json: boolean;
  /** Rebuild changed sources and restart the services that use them. */
  readonly watch: boolean;
}

export interface StackOptions {
  readonly flags: StackFlags;
  readonly progress: Progress;
  readonly environment: NodeJS.ProcessEnv;
  /** Default: this product. */
  readonly product?: Product;
}

const EXIT_CODES = { stopped: 0, failed: 1, interrupted: 130 };

/**
 * `npm start` in a built workspace: starts all parts, prints the banner, and waits for a signal or
 * until one of the parts exits. Then it stops all parts and returns the exit code.
 */
export async function runStack(options: StackOptions): Promise<number> {
  const { flags, progress, environment, product = ventureProduct } = options;
  const guardian = openGuardian();
  const group = new ProcessGroup();
  const stopListening = listenForStop(
    () => group.halt(new StopRequested()),
    () => group.kill(),
  );
  const cleanUp: Release[] = [];
  let isReady = false;
  try {
    const settings = readSettings(environment, flags);
    cleanUp.push(await lockFolder(settings.folders.local));
    await claimPorts(Object.values(settings.ports), environment);
    const running = await bringUp({ product, settings, flags, progress, guardian, group });
    const urls = { base_url: baseUrl(settings), auth_url: authUrl(settings) };
    cleanUp.push(await publishRuntime(settings.folders.local, urls, running.environment));
    isReady = true;
    announce(running, flags);
    await group.halted;
    throw group.reason;
  } catch (error) {
    return report(group.reason ?? error, isReady, progress);
  } finally {
    await group.stop(progress);
    await guardian.close();
    for (const release of cleanUp.reverse()) await release();
    stopListening();
  }
}

function announce(running: Running, flags: StackFlags): void {
  // The reader may have closed the pipe; the stack continues.
  process.stdout.on('error', () => undefined);
  if (!flags.json) {
    process.stdout.write(banner(running));
    return;
  }
  const { settings, apiKey } = running;
  const line = {
    ready: true,
    base_url: baseUrl(settings),
    auth_url: authUrl(settings),
    api_key: apiKey ?? null,
    mail_dir: settings.folders.mail,
    pid: process.pid,
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function report(error: unknown, isReady: boolean, progress: Progress): number {
  if (error instanceof StopRequested) return isReady ? EXIT_CODES.stopped : EXIT_CODES.interrupted;
  const isExpected = error instanceof StackError || (error instanceof Error && !isBug(error));
  progress.note(isExpected ? `\n${error.message}\n` : String((error as Error).stack ?? error));
  return EXIT_CODES.failed;
}

/** Errors of the program itself are reported with their stack. */
function isBug(error: Error): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
}
