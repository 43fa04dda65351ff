import { TOOLS } from '../src/tools/index.ts';
import type { Tool } from '../src/tools/tool.ts';

/** The tool with a name. */
export function toolOf(name: string): Tool {
  const found = TOOLS.find((tool) => tool.name === name);
  if (found === undefined) throw new Error(`There is no tool ${name}.`);
  return found;
}
