import { PRODUCT_SECRET, ROTATION, testRsaKey } from '@vcds/test-kit/bench';

const secretsOf = (list: string, ...keys: readonly (0 | 1)[]): NodeJS.ProcessEnv => ({
  SERVICE_TOKEN_SECRET: list,
  CODE_SECRET: list,
  CURSOR_SECRET: list,
  LEGACY_SIGNING_KEY: keys.map((key) => testRsaKey(key).pem).join(''),
});

const { fresh } = ROTATION;

/** The secrets of the processes, and the three steps that replace all of them. */
export const SECRETS = {
  old: secretsOf(PRODUCT_SECRET, 0),
  rotation: [
    secretsOf(`${PRODUCT_SECRET},${fresh}`, 0, 1),
    secretsOf(`${fresh},${PRODUCT_SECRET}`, 1, 0),
    secretsOf(fresh, 1),
  ],
};
