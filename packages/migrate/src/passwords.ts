import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

/** The variables with the connection strings of the roles that own nothing. */
const ROLE_URL_VARIABLES = [
  'DATABASE_URL',
  'IMPORT_DATABASE_URL',
  'DATA_WORKER_DATABASE_URL',
  'ACCESS_DATABASE_URL',
] as const;

const ITERATIONS = 4_096;
const SALT_BYTES = 16;
const KEY_BYTES = 32;

/** Role to password, from the connection strings of the services and commands. */
export function rolePasswords(environment: NodeJS.ProcessEnv): ReadonlyMap<string, string> {
  const urls = ROLE_URL_VARIABLES.map((name) => environment[name]).filter((url) => Boolean(url));
  return new Map(
    urls.map((text) => {
      const { username, password } = new URL(text ?? '');
      return [decodeURIComponent(username), decodeURIComponent(password)];
    }),
  );
}

/**
 * The verifier of a password for SCRAM-SHA-256 (RFC 5803), as PostgreSQL stores it. The server
 * accepts it in place of the password, so that no log of statements contains the password.
 */
export function scramVerifier(password: string, salt = randomBytes(SALT_BYTES)): string {
  const normalized = password.normalize('NFKC');
  const salted = pbkdf2Sync(normalized, salt, ITERATIONS, KEY_BYTES, 'sha256');
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64');
  const serverKey = hmac('Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
