import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runImport } from '@vcds/importer';
import { atLength } from '@vcds/test-kit';
import type pg from 'pg';

const OCTOBER = 'crunchbase-2013oct-datahoarder';
const VC_FIRMS = 'crunchbase-2013-vcfirms-hernamesbarbara';

const IMPORTS = [
  [`${OCTOBER}/crunchbase-companies.csv`, 'crunchbase-2013oct.json'],
  [`${VC_FIRMS}/investors.csv`, 'vcfirms-investors.json'],
  [`${VC_FIRMS}/investments.csv`, 'vcfirms-investments.json'],
] as const;

/** The files of real data. */
export const REAL_FILES = IMPORTS.map(([file]) => file);

const mappings = fileURLToPath(new URL('../../../mappings/', import.meta.url));

/** Every n-th line of each file is imported; all of them in a soak. */
const STEP = atLength(12, 1);

/** Imports companies of October 2013, and VC firms with their investments, as an operator. */
export async function importRealData(connectionString: string, folder: string): Promise<void> {
  const parts = await mkdtemp(join(tmpdir(), 'vcds-categories-'));
  for (const [file, mapping] of IMPORTS) {
    const lines = (await readFile(join(folder, file), 'latin1')).split(/(?<=\n)|(?<=\r)(?!\n)/);
    const part = join(parts, basename(file));
    await writeFile(part, lines.filter((_, index) => index % STEP === 0).join(''), 'latin1');
    const report = await runImport({
      connectionString,
      files: [part],
      mapping: join(mappings, mapping),
      continueOnRejected: true,
      rejectedFolder: parts,
    });
    if (report.state !== 'applied') throw new Error(`${file}: ${report.state}`);
  }
  await rm(parts, { recursive: true });
}

// About a tenth of the rows, different for each salt.
const tenth = (salt: string, id = 'id') =>
  `get_byte(decode(md5('${salt}' || ${id}::text), 'hex'), 0) < 26`;

/**
 * Adds data that the files of one source lack: several offices, mandates and groups, exits,
 * records without values, names outside the basic plane, deletions with their consequences, and
 * restored records.
 */
export const VARIETY = [
  `UPDATE venture.startup SET next_funding_stage_predicted = last_funding_stage + 1
   WHERE last_funding_stage < 12 AND NOT ${tenth('n')}`,
  `UPDATE venture.fund SET
     investment_types = CASE WHEN ${tenth('t1')} THEN '{Accelerator,Studio}'
       WHEN ${tenth('t2')} THEN '{}' ELSE '{VentureFund}' END::text[],
     investment_stages = CASE WHEN ${tenth('s1')} THEN '{}' WHEN ${tenth('s2')} THEN '{3,4,5}'
       ELSE '{4,5}' END::smallint[],
     groups = CASE WHEN ${tenth('g1')} OR ${tenth('g2')} THEN '{"Top, Tier",Nordics}' ELSE '{}' END::text[],
     members_count = 3 + get_byte(decode(md5(id::text), 'hex'), 1) * 7`,
  `UPDATE venture.startup SET addresses = addresses || '[{"City": "Åre", "Country": "Sweden"},
     {"City": "São Paulo", "Country": "Brazil", "Region": "SP"}]' WHERE ${tenth('offices')}`,
  `UPDATE venture.startup SET tags = '{}', addresses = '[]', founded = NULL
     WHERE ${tenth('nothing')}`,
  `UPDATE venture.startup SET tags = tags || '{"Zebra, striped","zebra","Ωmega","😀 fun","é","e","\uFB01ne"}',
     members_count = get_byte(decode(md5(id::text), 'hex'), 2) * 50 WHERE ${tenth('tags')}`,
  `UPDATE venture.startup SET operating_status_inferred = 'ProbablyClosed',
     operating_status_source = 'inferred', operating_status_stated = NULL WHERE ${tenth('quiet')}`,
  `UPDATE venture.holding SET status = CASE WHEN ${tenth('exit', 'startup_id')} THEN 'Exited'
     ELSE 'Acquired' END WHERE ${tenth('left', "fund_id || '/' || startup_id")}`,
  `UPDATE venture.startup SET deleted_at = now() WHERE ${tenth('gone')}`,
  `UPDATE venture.fund SET deleted_at = now() WHERE ${tenth('closed')}`,
  `UPDATE venture.funding_round SET deleted_at = now() WHERE ${tenth('undone')}`,
  `UPDATE venture.round_investor SET deleted_at = now() WHERE ${tenth('left', "round_id || '/' || investor_id")}`,
  `UPDATE venture.startup SET deleted_at = NULL WHERE ${tenth('back')} AND deleted_at IS NOT NULL`,
  `UPDATE venture.funding_round SET series = 'Série Ω', date = date + interval '400 days'
     WHERE ${tenth('later')}`,
  `UPDATE venture.funding_round r SET startup_id = (
       SELECT s.id FROM venture.startup s WHERE s.id > r.startup_id ORDER BY s.id LIMIT 1)
     WHERE ${tenth('moved')} AND EXISTS (SELECT FROM venture.startup s WHERE s.id > r.startup_id)`,
];

/** Applies {@link VARIETY}. */
export async function addVariety(sql: pg.Pool): Promise<void> {
  for (const each of VARIETY) await sql.query(each);
}

/** Ranges of records in each table that several writers update. */
const SHARED_RANGES = 20;

/**
 * Concurrent writers with small transactions, some of which roll back. They update the same few
 * records.
 */
export async function writeConcurrently(
  sql: pg.Pool,
  writers: number,
  rounds: number,
): Promise<void> {
  const write = async (writer: number) => {
    for (let round = 0; round < rounds; round++) {
      const salt = `${writer}/${round}`;
      const from = `md5('${round % SHARED_RANGES}')::uuid`;
      const of = (table: string, records = 5) =>
        `id IN (SELECT id FROM venture.${table} WHERE id >= ${from} ORDER BY id LIMIT ${records})`;
      const changes = [
        `UPDATE venture.startup SET tags = ARRAY['${salt}', 'Busy'], founded = ${1990 + (round % 30)}
           WHERE ${of('startup')}`,
        `UPDATE venture.fund SET investment_types = ARRAY['${round % 2 ? 'Corporate' : 'Studio'}']
           WHERE ${of('fund', 1)}`,
        `UPDATE venture.startup SET deleted_at = CASE WHEN deleted_at IS NULL THEN now() END
           WHERE ${of('startup')}`,
        `UPDATE venture.funding_round SET series = 'Busy ${round % 7}', stage = ${1 + (round % 9)}
           WHERE ${of('funding_round')}`,
        `UPDATE venture.holding SET status = 'Exited' WHERE (fund_id, startup_id) IN (
           SELECT fund_id, startup_id FROM venture.holding WHERE startup_id >= ${from}
           ORDER BY startup_id LIMIT 3)`,
        `UPDATE venture.fund SET deleted_at = CASE WHEN deleted_at IS NULL THEN now() END
           WHERE ${of('fund', 1)}`,
      ];
      await transact(sql, changes[(writer + round) % changes.length] ?? '', round % 5 === 4);
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
}

// Writers may deadlock; the server rolls one of them back.
async function transact(sql: pg.Pool, change: string, undone: boolean): Promise<void> {
  const client = await sql.connect();
  try {
    await client.query('BEGIN');
    await client.query(change);
    await client.query(undone ? 'ROLLBACK' : 'COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    if (!(error instanceof Error && 'code' in error && error.code === '40P01')) throw error;
  } finally {
    client.release();
  }
}
