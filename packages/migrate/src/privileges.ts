import { readFile } from 'node:fs/promises';
import { errorCode } from '@vcds/service-kit/error-code';
import pg from 'pg';
import { scramVerifier } from './passwords.ts';

/** Who connects to a schema, and what they may do there. */
export interface SchemaPrivileges {
  /** PostgreSQL roles that the file grants to; they belong to the cluster, not to one database. */
  readonly roles: readonly string[];
  /** Absolute path of SQL that can be run again at any time: it ends in the same privileges. */
  readonly file: string;
  /** Role to password: these of the roles may log in with it. Default: none is changed. */
  readonly passwords?: ReadonlyMap<string, string>;
}

const INSUFFICIENT_PRIVILEGE = '42501';
// Another process created the role in the meantime.
const CREATED_MEANWHILE = new Set(['42710', '23505']);

/**
 * Creates the roles that are missing, without a login, and grants all of them their privileges in
 * one transaction. Where the connection may not create roles and one is missing, nothing is granted.
 *
 * @returns the roles that are missing and could not be created; empty when all is granted.
 */
export async function grantPrivileges(
  client: pg.ClientBase,
  { roles, file, passwords }: SchemaPrivileges,
): Promise<string[]> {
  const missing: string[] = [];
  for (const role of roles) {
    if (!(await ensureRole(client, role))) missing.push(role);
    else await allowLogin(client, role, passwords?.get(role));
  }
  // One simple query is one implicit transaction: a role without privileges is never visible.
  if (missing.length === 0) await client.query(await readFile(file, 'utf8'));
  return missing;
}

async function allowLogin(client: pg.ClientBase, role: string, password = ''): Promise<void> {
  if (password === '') return;
  const verifier = pg.escapeLiteral(scramVerifier(password));
  await client.query(`ALTER ROLE ${pg.escapeIdentifier(role)} LOGIN PASSWORD ${verifier}`);
}

async function ensureRole(client: pg.ClientBase, role: string): Promise<boolean> {
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
  if (rowCount === 1) return true;
  try {
    await client.query(`CREATE ROLE ${pg.escapeIdentifier(role)} NOLOGIN`);
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (typeof code === 'string' && CREATED_MEANWHILE.has(code)) return true;
    if (code === INSUFFICIENT_PRIVILEGE) return false;
    throw error;
  }
}
