import { isPortFree } from '../ports.ts';
import { portHolder } from '../processes/port-holder.ts';
import type { PortSetting } from './settings.ts';
import { StackError } from './stack-error.ts';

/**
 * Makes sure, before anything is started, that every port can be had.
 * @param environment says which ports the caller had chosen: they are part of the command.
 * @throws StackError a sentence for each that cannot: the port, what for, who has it if that can
 * be known; then one command that starts with other ports in their place.
 */
export async function claimPorts(
  ports: readonly PortSetting[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const sentences: string[] = [];
  const command: string[] = [];
  const spoken = new Set(ports.map(({ port }) => port));
  for (const { port, what, variable } of ports) {
    if (await isPortFree(port)) {
      if ((environment[variable] ?? '') !== '') command.push(`${variable}=${port}`);
      continue;
    }
    const holder = await portHolder(port);
    sentences.push(
      `Port ${port}, meant for ${what}, is in use${holder === undefined ? '' : ` by ${holder}`}.`,
    );
    const other = await nextFree(port, spoken);
    spoken.add(other);
    command.push(`${variable}=${other}`);
  }
  if (sentences.length === 0) return;
  const choice = sentences.length === 1 ? 'another port' : 'other ports';
  const advice = `Stop that, or choose ${choice}: ${command.join(' ')} npm start`;
  throw new StackError(
    sentences.length === 1 ? `${sentences[0]} ${advice}` : [...sentences, advice].join('\n'),
  );
}

async function nextFree(taken: number, spoken: ReadonlySet<number>): Promise<number> {
  for (let port = taken + 10; port <= Math.min(taken + 500, 65_535); port += 10) {
    if (!spoken.has(port) && (await isPortFree(port))) return port;
  }
  return taken + 1;
}
