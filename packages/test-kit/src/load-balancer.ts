import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

const HOST = '127.0.0.1';
const POLL_MS = 20;
/** The machine has more to do than to answer callers. */
const CALLER_PAUSE_MS = 10;

/** Where an instance of a service listens on this machine. */
export interface InstancePorts {
  readonly public: number;
  readonly internal: number;
}

/**
 * A load balancer without retries: it asks `/ready` of each instance every 20 ms, keeps connections
 * open and takes turns. A call that cannot be passed on is 502.
 */
export class LoadBalancer {
  readonly #ready = new Set<InstancePorts>();
  readonly #agent = new Agent({ keepAlive: true });
  readonly #instances: readonly InstancePorts[];
  readonly #server: Server;
  #isOpen = true;
  #turn = 0;

  constructor(instances: readonly InstancePorts[]) {
    this.#instances = instances;
    this.#server = createServer((request, response) => {
      const ready = [...this.#ready];
      const chosen = ready[this.#turn++ % ready.length];
      const fail = (): void => void response.writeHead(502).end();
      if (chosen === undefined) return fail();
      const { url: path, headers } = request;
      const options = { host: HOST, port: chosen.public, path, headers, agent: this.#agent };
      const call = get(options, (answer) => {
        response.writeHead(answer.statusCode ?? 502, { 'X-Instance': String(chosen.public) });
        answer.on('error', () => response.destroy()).pipe(response);
      });
      call.on('error', fail);
    });
  }

  /** Resolves with its own port once all instances are ready. */
  async open(): Promise<number> {
    for (const ports of this.#instances) void this.#poll(ports);
    this.#server.listen(0, HOST);
    await once(this.#server, 'listening');
    for (const ports of this.#instances) await this.untilReady(ports);
    return (this.#server.address() as AddressInfo).port;
  }

  isReady(instance: InstancePorts): boolean {
    return this.#ready.has(instance);
  }

  async untilReady(instance: InstancePorts): Promise<void> {
    while (!this.isReady(instance)) await delay(POLL_MS);
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    this.#agent.destroy();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #poll(instance: InstancePorts): Promise<void> {
    while (this.#isOpen) {
      const ready = await fetch(`http://${HOST}:${instance.internal}/ready`).catch(() => undefined);
      await ready?.text();
      if (ready?.ok) this.#ready.add(instance);
      else this.#ready.delete(instance);
      await delay(POLL_MS);
    }
  }
}

/** The outcome of a call: its status and who answered, or why there was no answer. */
export interface CallOutcome {
  readonly status: number | undefined;
  readonly instance: string | undefined;
  readonly detail: string;
}

export interface LoadOptions {
  readonly port: number;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** How many calls are under way at the same time. */
  readonly callers: number;
}

/** Callers that each call again a moment after they have an answer, until `stop`. */
export class Load {
  readonly #options: LoadOptions;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #callers: readonly Promise<void>[];
  readonly #served = new Map<string, number>();
  readonly #failures: CallOutcome[] = [];
  #isOver = false;

  constructor(options: LoadOptions) {
    this.#options = options;
    this.#callers = Array.from({ length: options.callers }, async () => {
      while (!this.#isOver) {
        this.#count(await this.#call());
        await delay(CALLER_PAUSE_MS);
      }
    });
  }

  /** How many calls an instance has answered with 200. */
  served({ public: port }: InstancePorts): number {
    return this.#served.get(String(port)) ?? 0;
  }

  /** Everything but 200. */
  get failures(): readonly CallOutcome[] {
    return this.#failures;
  }

  /** Resolves when the calls that are under way have their answers. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#callers);
    this.#agent.destroy();
  }

  #count(outcome: CallOutcome): void {
    const { status, instance = '' } = outcome;
    if (status === 200) this.#served.set(instance, (this.#served.get(instance) ?? 0) + 1);
    else this.#failures.push(outcome);
  }

  async #call(): Promise<CallOutcome> {
    const { port, path, headers = {} } = this.#options;
    try {
      const call = get({ host: HOST, port, path, headers, agent: this.#agent });
      const [answer] = (await once(call, 'response')) as [IncomingMessage];
      const instance = answer.headers['x-instance'];
      return {
        status: answer.statusCode,
        instance: typeof instance === 'string' ? instance : undefined,
        detail: await text(answer),
      };
    } catch (error) {
      return { status: undefined, instance: undefined, detail: String(error) };
    }
  }
}

/**
 * Restarts instances one after another under load, each once it has served, and goes on when the
 * balancer has it again.
 *
 * @param restart stops an instance and starts it again on the same ports.
 */
export async function rollingRestart(
  instances: readonly InstancePorts[],
  balancer: LoadBalancer,
  load: Load,
  restart: (instance: InstancePorts) => Promise<void>,
): Promise<void> {
  for (const instance of instances) {
    const before = load.served(instance);
    while (load.served(instance) === before) await delay(POLL_MS);
    await restart(instance);
    await balancer.untilReady(instance);
  }
}
