import {
  eventually,
  type ProgramName,
  type ServiceProcess,
  spawnService,
} from '@vcds/test-kit/bench';

/** A process of the product, on ports that it keeps when it is restarted. */
export interface Member {
  /** Its name, which is also that of its server in the load balancer, such as `data-api-1`. */
  readonly name: string;
  readonly program: ProgramName;
  readonly internalUrl: string;
  /** The id of its process; undefined while it does not run. */
  pid(): number | undefined;
  /** Starts it, again if it ended, and resolves once `/ready` answers 200. */
  start(): Promise<void>;
  /** SIGTERM; resolves with the exit status. */
  stop(): Promise<number | null>;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** SIGSTOP. */
  freeze(): void;
  /** SIGCONT. */
  resume(): void;
  readonly output: () => string;
}

const START_MS_MAX = 120_000;

/** @param environment its variables, read at every start. */
export function createMember(
  name: string,
  program: ProgramName,
  internalPort: number,
  environment: () => NodeJS.ProcessEnv,
): Member {
  const internalUrl = `http://127.0.0.1:${internalPort}`;
  const ended: string[] = [];
  let running: ServiceProcess | undefined;
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    const status = (await running?.end(signal)) ?? null;
    ended.push(running?.output() ?? '');
    running = undefined;
    return status;
  };
  return {
    name,
    program,
    internalUrl,
    pid: () => running?.child.pid,
    start: async () => {
      running ??= spawnService(program, environment());
      await running.ports;
      await eventually(() => assertReady(internalUrl), { timeoutMs: START_MS_MAX }).catch(
        (cause) => {
          throw new Error(`${name} is not ready: ${running?.output().slice(-4_000)}`, { cause });
        },
      );
    },
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
    freeze: () => void running?.child.kill('SIGSTOP'),
    resume: () => void running?.child.kill('SIGCONT'),
    output: () => [...ended, running?.output() ?? ''].join(''),
  };
}

async function assertReady(internalUrl: string): Promise<void> {
  const answer = await fetch(`${internalUrl}/ready`);
  if (!answer.ok) throw new Error(await answer.text());
}
