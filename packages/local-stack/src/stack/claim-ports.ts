import { isPortFree } from '../ports.ts';
import { portHolder } from '../processes/port-holder.ts';
import type { PortSetting } from './settings.ts';
import { StackError } from './stack-error.ts';

/**
 * Checks, before anything is started, that every port is free.
 * @param environment ports that it sets are repeated in the suggested command.
 * @throws StackError with a sentence for each port in use: its purpose and, if known, the process that
 * uses it; then a command with other ports.
 */
export async function claimPorts(
  ports: readonly PortSetting[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const sentences: string[] = [];
  const command: string[] = [];
  const reserved = new Set(ports.map(({ port }) => port));
  for (const { port, purpose, variable } of ports) {
    if (await isPortFree(port)) {
      if ((environment[variable] ?? '') !== '') command.push(`${variable}=${port}`);
      continue;
    }
    const holder = await portHolder(port);
    sentences.push(
      `Port ${port}, for ${purpose}, is in use${holder === undefined ? '' : ` by ${holder}`}.`,
    );
    const other = await nextFree(port, reserved);
    reserved.add(other);
    command.push(`${variable}=${other}`);
  }
  if (sentences.length === 0) return;
  const choice = sentences.length === 1 ? 'another port' : 'other ports';
  const advice = `Stop that process, or use ${choice}: ${command.join(' ')} npm start`;
  throw new StackError(
    sentences.length === 1 ? `${sentences[0]} ${advice}` : [...sentences, advice].join('\n'),
  );
}

async function nextFree(taken: number, reserved: ReadonlySet<number>): Promise<number> {
  for (let port = taken + 10; port <= Math.min(taken + 500, 65_535); port += 10) {
    if (!reserved.has(port) && (await isPortFree(port))) return port;
  }
  return taken + 1;
}
