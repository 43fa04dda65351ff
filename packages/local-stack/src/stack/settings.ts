import { type StateFolders, stateFolders } from '../state.ts';
import { StackError } from './stack-error.ts';

/** A port of the stack. */
export interface PortSetting {
  /** The listener, for messages. */
  readonly purpose: string;
  readonly variable: string;
  readonly port: number;
}

/** The settings of a stack (`docs/configuration.md`). */
export interface StackSettings {
  readonly folders: StateFolders;
  readonly ports: Readonly<Record<PortName, PortSetting>>;
  /** Undefined: the stack starts an embedded one. */
  readonly databaseUrl: string | undefined;
  readonly redisUrl: string | undefined;
  readonly dataApiUrl: string;
  readonly accessApiUrl: string;
  /** `--empty` leaves an empty database empty. */
  readonly fillDemo: boolean;
  /** `--sandbox` serves the sandbox in place of the database. */
  readonly isSandbox: boolean;
  readonly environment: NodeJS.ProcessEnv;
}

export type PortName =
  | 'dataApi'
  | 'accessApi'
  | 'dataApiInternal'
  | 'accessApiInternal'
  | 'workerInternal'
  | 'dataWorkerInternal';

const PORT_TABLE: readonly (readonly [PortName, string, string, number])[] = [
  ['dataApi', 'the data API', 'DATA_API_PORT', 8080],
  ['accessApi', 'the access API', 'ACCESS_API_PORT', 8081],
  ['dataApiInternal', "the data API's probes", 'DATA_API_INTERNAL_PORT', 9080],
  ['accessApiInternal', "the access API's internal listener", 'ACCESS_API_INTERNAL_PORT', 9081],
  ['workerInternal', "the mail worker's probes", 'WORKER_INTERNAL_PORT', 9082],
  ['dataWorkerInternal', "the data worker's probes", 'DATA_WORKER_INTERNAL_PORT', 9083],
];

/**
 * Reads the environment; an empty variable counts as absent, as for the services.
 * @throws StackError with one line per error, which names the variable.
 */
export function readSettings(
  environment: NodeJS.ProcessEnv,
  { empty, sandbox }: { readonly empty: boolean; readonly sandbox?: boolean },
): StackSettings {
  const errors: string[] = [];
  const text = (name: string) => environment[name]?.trim() || undefined;
  const ports = PORT_TABLE.map(([name, purpose, variable, preset]) => {
    const port = Number(text(variable) ?? preset);
    const isPort = Number.isInteger(port) && port >= 1 && port <= 65_535;
    if (!isPort) errors.push(`${variable} must be a port, 1 to 65535.`);
    return [name, { purpose, variable, port }] as const;
  });
  for (const [variable, schemes] of Object.entries(URL_SCHEMES)) {
    const value = text(variable);
    if (value !== undefined && !schemes.some((scheme) => value.startsWith(`${scheme}://`))) {
      errors.push(
        `${variable} must begin with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}.`,
      );
    }
  }
  const settings = Object.fromEntries(ports) as Record<PortName, PortSetting>;
  errors.push(...samePorts(Object.values(settings)));
  if (errors.length > 0) throw new StackError(errors.join('\n'));
  const address = (name: 'dataApi' | 'accessApi') => `http://127.0.0.1:${settings[name].port}`;
  return {
    folders: stateFolders(environment),
    ports: settings,
    databaseUrl: text('DATABASE_URL'),
    redisUrl: text('REDIS_URL'),
    dataApiUrl: text('DATA_API_PUBLIC_URL') ?? address('dataApi'),
    accessApiUrl: text('ACCESS_API_PUBLIC_URL') ?? address('accessApi'),
    fillDemo: !empty,
    isSandbox: sandbox === true,
    environment,
  };
}

const URL_SCHEMES: Readonly<Record<string, readonly string[]>> = {
  DATABASE_URL: ['postgresql', 'postgres'],
  ACCESS_DATABASE_URL: ['postgresql', 'postgres'],
  DATA_WORKER_DATABASE_URL: ['postgresql', 'postgres'],
  REDIS_URL: ['redis', 'rediss', 'redis+sentinel', 'rediss+sentinel'],
  QUEUE_REDIS_URL: ['redis', 'rediss', 'redis+sentinel', 'rediss+sentinel'],
};

function samePorts(ports: readonly PortSetting[]): string[] {
  return ports.flatMap(({ variable, port }, index) => {
    const other = ports.slice(0, index).find((earlier) => earlier.port === port);
    return other === undefined ? [] : [`${variable} and ${other.variable} are both ${port}.`];
  });
}
