// Writes the answers of a running product into the pages of the site, formatted:
// node bin/record-answers.mjs BASE_URL API_KEY [PAGE…]
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { examplesOf, valuesIn, withAnswer } from '../dist/examples.js';

const [baseUrl, apiKey, ...chosen] = process.argv.slice(2);
const site = fileURLToPath(new URL('../site/', import.meta.url));
const isPage = (name) => name.endsWith('.md') && !name.startsWith('spec');
const pages = readdirSync(site, { recursive: true }).filter(isPage);

for (const name of pages.filter((page) => chosen.length === 0 || chosen.includes(page))) {
  let page = readFileSync(join(site, name), 'utf8');
  for (const example of examplesOf(page).filter(({ answer }) => answer !== undefined)) {
    const code = example.code.replaceAll('https://api.vcds.example/v2', baseUrl);
    const env = { ...process.env, VCDS_API_KEY: apiKey };
    const output = execFileSync('bash', ['-c', code], { encoding: 'utf8', env });
    if (output.includes('"error"')) throw new Error(`${name}: ${output}`);
    process.stdout.write(`${name}: ${output.slice(0, 100)}\n`);
    const text = valuesIn(output)
      .map((value) => format(value))
      .join('\n')
      .replaceAll(baseUrl, 'https://api.vcds.example/v2');
    page = withAnswer(page, example, `${text}\n`);
  }
  writeFileSync(join(site, name), page);
}

/** JSON with two spaces; a list of simple values, and an object that fits a line, on one line. */
function format(value, indent = '') {
  const line = JSON.stringify(value, undefined, 1).replaceAll(/\n\s*/g, ' ');
  if (typeof value !== 'object' || value === null || line.length + indent.length <= 76) return line;
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const members = Object.entries(value).map(([name, member]) =>
    Array.isArray(value)
      ? format(member, inner)
      : `${JSON.stringify(name)}: ${format(member, inner)}`,
  );
  return `${open}\n${inner}${members.join(`,\n${inner}`)}\n${indent}${close}`;
}
