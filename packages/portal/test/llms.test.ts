// Tests docs/spec/addresses.md 1.8.
import { describe, expect, test } from '@jest/globals';
import { RATE_CARD } from '@vcds/metering';
import { DIMENSION_IDS, stages } from '@vcds/venture-model';
import { assets } from '../src/assets.ts';
import { readDescription } from '../src/description.ts';
import { PLACEHOLDER_URLS } from '../src/index.ts';

const files = assets();
const overview = files.get('llms.txt') ?? '';
const full = files.get('llms-full.txt') ?? '';
const BYTES_MAX = 40_000;

describe('llms.txt', () => {
  test('has the form of llmstxt.org: a title, a summary, sections of links with a note', () => {
    const [title, , summary] = overview.split('\n');
    expect(title).toBe('# Venture Capital Data Service');
    expect(summary).toMatch(/^> /);
    const sections = overview.split('\n## ').slice(1);
    expect(sections.length).toBeGreaterThan(2);
    for (const section of sections) {
      const [, ...lines] = section.trim().split('\n');
      for (const line of lines.filter(Boolean)) {
        expect(line).toMatch(/^- \[[^\]]+\]\(https:\/\/[^)]+\): \S/);
      }
    }
  });

  test('links both descriptions, the documentation and the MCP server', () => {
    const { accessPublicUrl, dataPublicUrl } = PLACEHOLDER_URLS;
    for (const url of [
      `${accessPublicUrl}/llms-full.txt`,
      `${accessPublicUrl}/api/v1/openapi.json`,
      `${accessPublicUrl}/api/v1/access-openapi.json`,
      `${accessPublicUrl}/docs/`,
      `${dataPublicUrl}/mcp`,
      `${accessPublicUrl}/auth.md`,
      `${accessPublicUrl}/skills/venture-capital-data/SKILL.md`,
      `${accessPublicUrl}/server.json`,
    ]) {
      expect(overview).toContain(`](${url})`);
    }
  });
});

test('server.json is an entry of a remote server, as the schema of the MCP registry has it', () => {
  const entry = JSON.parse(files.get('server.json') ?? '');
  // The members that the schema of 2025-12-11 demands or bounds, of those that the entry has.
  expect(entry).toEqual({
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: expect.stringMatching(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
    title: expect.stringMatching(/^.{1,100}$/),
    description: expect.stringMatching(/^.{1,100}$/),
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    websiteUrl: expect.stringMatching(/^https:\/\/[^\s]+$/),
    remotes: [
      { type: 'streamable-http', url: `${PLACEHOLDER_URLS.dataPublicUrl}/mcp` },
      {
        type: 'streamable-http',
        url: `${PLACEHOLDER_URLS.dataPublicUrl}/mcp/key`,
        headers: [expect.objectContaining({ name: 'Authorization', isSecret: true })],
      },
    ],
  });
});

test('the skill has a name and a description at its head', () => {
  const [, name = '', description = ''] =
    /^---\nname: ([a-z0-9-]{1,64})\ndescription: (.+)\n---\n/.exec(files.get('SKILL.md') ?? '') ??
    [];
  expect(name).toBe('venture-capital-data');
  expect(description.length).toBeLessThanOrEqual(1_024);
});

describe('llms-full.txt', () => {
  test('fits in a context', () => {
    expect(Buffer.byteLength(full)).toBeLessThan(BYTES_MAX);
    expect(full).not.toMatch(/undefined|\[object|NaN|\n\n\n/);
  });

  test('has every endpoint, dimension and stage', () => {
    const { paths } = readDescription('data-api');
    for (const { path } of RATE_CARD.filter((rate) => paths.includes(rate.path))) {
      expect(full).toContain(`- \`${path}\` (`);
    }
    for (const id of DIMENSION_IDS) expect(full).toContain(`- \`${id}\` (`);
    for (const { value, slug } of stages) expect(full).toContain(`${value} ${slug}`);
  });

  test('has every field of every record with its use', () => {
    const api = readDescription('data-api');
    for (const name of api.schemaNames.filter((each) => each.endsWith('Selection'))) {
      const fields = Object.entries(api.schema(name).properties ?? {});
      for (const [field, schema] of fields.filter(([, each]) => 'x-sortable' in each)) {
        const use = schema['x-filterable'] ? ' F' : '';
        expect(full).toMatch(new RegExp(`- \`${field}\` [^\n]*${use}[^\n]* C`));
      }
    }
    expect(full).toContain('- `Group.Name` text[] F filter only');
    expect(full).toContain('- `TotalRaised` usd F S C');
  });

  test('states the prices of the rate card', () => {
    expect(full).toContain('50 records of `/signals` with 2 expands: 19');
    expect(full).toContain('Free 500 credits a month, `$top` at most 100');
    expect(full).toContain('/signals?types=round.recorded&industry=Fintech');
  });
});
