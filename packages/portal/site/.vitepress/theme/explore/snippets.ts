/** A call of `/aggregates` to copy, in each language that the documentation has. */
import type { Call, Parameter } from './calls.ts';
import { readList } from './state.ts';

const ROOT = 'https://api.vcds.example/v2';
const LISTS = new Set(['measures', 'by', 'orderby']);
const OWN = new Set(['entity', 'measures', 'by', 'orderby', 'top', 'skip', '$filter']);

/** Texts by language, in the order of the tabs. */
export function snippetsOf(call: Call): Readonly<Record<string, string>> {
  return { curl: curl(call), TypeScript: typeScript(call), Python: python(call), MCP: mcp(call) };
}

function curl({ path, parameters }: Call): string {
  const options = parameters.map(([name, value]) =>
    /^[\w.,-]+$/.test(`${name}${value}`)
      ? `-d ${name}=${value}`
      : `--data-urlencode ${shellQuoted(`${name}=${value}`)}`,
  );
  return [`curl -sG ${ROOT}${path} -H "X-Api-Key: $VCDS_API_KEY"`, ...options].join(' \\\n  ');
}

function typeScript({ parameters }: Call): string {
  const { entity, options } = grouped(parameters);
  return [
    `import { createClient } from '@vcds/client';`,
    '',
    `const apiKey = process.env.VCDS_API_KEY ?? '';`,
    `const client = createClient({ apiKey, baseUrl: '${ROOT}' });`,
    '',
    `const { data } = await client.aggregate('${entity}', ${JSON.stringify(options, undefined, 2)});`,
    'console.table(data.rows);',
    '',
  ].join('\n');
}

function python({ path, parameters }: Call): string {
  const lines = parameters.map(([name, value]) => {
    return `        ${JSON.stringify(name)}: ${JSON.stringify(value)},`;
  });
  return [
    ...['import os, requests', ''],
    ...['answer = requests.get(', `    "${ROOT}${path}",`],
    '    headers={"X-Api-Key": os.environ["VCDS_API_KEY"]},',
    ...['    params={', ...lines, '    },', ')'],
    'print(answer.json()["rows"])\n',
  ].join('\n');
}

/** The arguments of the tool. */
function mcp({ parameters }: Call): string {
  const { entity, options } = grouped(parameters);
  const { orderby, top, ...rest } = options;
  const order = orderby === undefined ? {} : { orderby: orderby.join(',') };
  const few = { top: Math.min(top ?? MCP_TOP_MAX, MCP_TOP_MAX) };
  return `aggregate_records ${JSON.stringify({ entity, ...rest, ...order, ...few }, undefined, 2)}\n`;
}

const MCP_TOP_MAX = 200;

interface Grouped {
  readonly measures?: readonly string[];
  readonly by?: readonly string[];
  readonly orderby?: readonly string[];
  readonly top?: number;
  readonly filter?: string;
  readonly narrow?: Readonly<Record<string, readonly string[]>>;
}

function grouped(parameters: readonly Parameter[]): { entity: string; options: Grouped } {
  const all = new Map(parameters);
  const lists = parameters.flatMap(([name, value]) =>
    LISTS.has(name) ? [[name, value.split(',')] as const] : [],
  );
  const narrow = parameters.flatMap(([name, value]) =>
    OWN.has(name) ? [] : [[name, readList(value)] as const],
  );
  const [top, filter] = [all.get('top'), all.get('$filter')];
  const options = {
    ...Object.fromEntries(lists),
    ...(top === undefined ? {} : { top: Number(top) }),
    ...(narrow.length === 0 ? {} : { narrow: Object.fromEntries(narrow) }),
    ...(filter === undefined ? {} : { filter }),
  };
  return { entity: all.get('entity') ?? '', options };
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
