import { tmpdir } from 'node:os';

/** An account to create. */
export interface AccountSpec {
  readonly plan: string;
  readonly keys: readonly {
    readonly scopes?: readonly string[];
    readonly expiresInSeconds?: number;
  }[];
}

/** A key: its text and its id. */
export interface IssuedKey {
  readonly apiKey: string;
  readonly keyId: string;
}

/** An account and its keys. */
export interface IssuedAccount {
  readonly accountId: string;
  readonly keys: readonly IssuedKey[];
}

/** The operator's commands on one installation, in this process. */
export interface Operator {
  /** Runs a command; its line of JSON. @throws Error with what it printed. */
  admin(words: readonly string[], input?: string): Promise<Record<string, string>>;
  /** Creates accounts and issues their keys. */
  issue<const Specs extends readonly AccountSpec[]>(
    ...accounts: Specs
  ): Promise<{ [Index in keyof Specs]: IssuedAccount }>;
  /** Everything it wrote beside results. */
  readonly output: () => string;
}

/** The functions of access-api that an operator uses. No package depends on access-api by type. */
interface Commands {
  runAdmin(words: readonly string[], terminal: object): Promise<number>;
  readAdminConfig(environment: NodeJS.ProcessEnv): object;
  openAdministration(config: object): Promise<{
    readonly accounts: {
      create(account: { readonly plan: string }): Promise<string>;
      issueKey(key: object): Promise<IssuedKey>;
    };
    close(): Promise<void>;
  }>;
}

/** @param environment DATABASE_URL of access-api's role, and REDIS_URL. */
export function openOperator(environment: NodeJS.ProcessEnv): Operator {
  let output = '';
  const admin: Operator['admin'] = async (words, input = '') => {
    const { runAdmin } = await commands();
    const [out, err]: [string[], string[]] = [[], []];
    const status = await runAdmin(words, {
      environment,
      localDir: tmpdir(),
      readInput: async () => input,
      out: (text: string) => out.push(text),
      err: (text: string) => err.push(text),
    });
    output += err.map((text) => `${text}\n`).join('');
    if (status !== 0) throw new Error(err.join('\n'));
    return JSON.parse(out.join('\n'));
  };
  const issue = async (...accounts: readonly AccountSpec[]): Promise<IssuedAccount[]> => {
    const { openAdministration, readAdminConfig } = await commands();
    const { accounts: made, close } = await openAdministration(readAdminConfig(environment));
    try {
      const issued: IssuedAccount[] = [];
      for (const { plan, keys: specs } of accounts) {
        const accountId = await made.create({ plan });
        const keys: IssuedKey[] = [];
        for (const key of specs) {
          keys.push(await made.issueKey({ ...key, accountId, origin: 'operator' }));
        }
        issued.push({ accountId, keys });
      }
      return issued;
    } finally {
      await close();
    }
  };
  return { admin, issue: issue as Operator['issue'], output: () => output };
}

let loading: Promise<Commands> | undefined;

function commands(): Promise<Commands> {
  loading ??= loadCommands();
  return loading;
}

/** From source as this module, or from the build. */
async function loadCommands(): Promise<Commands> {
  const [folder, ending] = import.meta.url.endsWith('.ts') ? ['src', 'ts'] : ['dist', 'js'];
  const modules: object[] = [];
  // Jest links one graph of modules at a time.
  for (const name of ['run', 'open', 'admin-config']) {
    modules.push(await import(`../../../services/access-api/${folder}/admin/${name}.${ending}`));
  }
  return Object.assign({}, ...modules) as Commands;
}
