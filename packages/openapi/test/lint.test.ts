// Tests docs/spec/addresses.md 1.9.
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { createConfig, lint } from '@redocly/openapi-core';

const fileOf = (name: string) =>
  fileURLToPath(new URL(`../../../docs/openapi/${name}`, import.meta.url));

test.each(['data-api.json', 'access-api.json'].map(fileOf))(
  '%s has no finding of the recommended rules',
  async (ref) => {
    const config = await createConfig({ extends: ['recommended-strict'] });
    const findings = await lint({ ref, config });
    expect(findings.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  },
);
