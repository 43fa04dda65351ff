import { isPortFree } from '../ports.ts';
import { portHolder } from '../processes/port-holder.ts';
import type { PortSetting } from './settings.ts';
import { StackError } from './stack-error.ts';

/**
 * Makes sure, before anything is started, that every port can be had.
 * @throws StackError a sentence for each that cannot: the port, what for, who has it if that can
 * be known, and the variable that sets another.
 */
export async function claimPorts(ports: readonly PortSetting[]): Promise<void> {
  const sentences: string[] = [];
  for (const { port, what, variable } of ports) {
    if (await isPortFree(port)) continue;
    const holder = await portHolder(port);
    const who = holder === undefined ? '' : ` by ${holder}`;
    sentences.push(
      `Port ${port}, meant for ${what}, is in use${who}. ` +
        `Stop that, or choose another port: ${variable}=${await nextFree(port)} npm start`,
    );
  }
  if (sentences.length > 0) throw new StackError(sentences.join('\n'));
}

async function nextFree(taken: number): Promise<number> {
  for (let port = taken + 10; port <= Math.min(taken + 500, 65_535); port += 10) {
    if (await isPortFree(port)) return port;
  }
  return taken + 1;
}
