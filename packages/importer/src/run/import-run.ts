import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '../generated/client.ts';
import type { Counts } from '../report/import-report.ts';

/** The row of table `import_run` that shows operators the state of an import. */
export type ImportRun = Awaited<ReturnType<typeof beginRun>>;

/**
 * Creates the row of an import, and marks imports without an end as failed: they were killed. The
 * caller holds the import lock.
 */
export async function beginRun(connectionString: string, file: string, mapping?: string) {
  const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString }) });
  await prisma.importRun.updateMany({
    where: { state: { in: ['staging', 'applying'] } },
    data: { state: 'failed' },
  });
  const { id } = await prisma.importRun.create({ data: { file, mapping: mapping ?? null } });
  return {
    id,
    /** Stores that the import applies lines from now on. */
    beginApplying: async (): Promise<void> => {
      await prisma.importRun.update({ where: { id }, data: { state: 'applying' } });
    },
    /** Stores the end, and closes the connection. */
    end: async (state: 'applied' | 'rejected' | 'failed', total: Counts): Promise<void> => {
      const { read: linesRead, duplicate: duplicates, unapplied: _, ...counts } = total;
      const data = { state, linesRead, duplicates, ...counts, finishedAt: new Date() };
      try {
        await prisma.importRun.update({ where: { id }, data });
      } finally {
        await prisma.$disconnect();
      }
    },
  };
}
