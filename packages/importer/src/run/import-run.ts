import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '../generated/client.ts';
import type { Counts } from '../report/import-report.ts';

/** The row of table `import_run` that shows operators the state of an import. */
export class ImportRun {
  readonly id: string;
  readonly #prisma: PrismaClient;

  private constructor(prisma: PrismaClient, id: string) {
    this.#prisma = prisma;
    this.id = id;
  }

  /**
   * Creates the row, and marks imports without an end as failed: they were killed. The caller holds
   * the import lock.
   */
  static async begin(
    connectionString: string,
    file: string,
    mapping: string | undefined,
  ): Promise<ImportRun> {
    const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString }) });
    await prisma.importRun.updateMany({
      where: { state: { in: ['staging', 'applying'] } },
      data: { state: 'failed' },
    });
    const { id } = await prisma.importRun.create({ data: { file, mapping: mapping ?? null } });
    return new ImportRun(prisma, id);
  }

  /** Stores that the import applies lines from now on. */
  async beginApplying(): Promise<void> {
    await this.#prisma.importRun.update({ where: { id: this.id }, data: { state: 'applying' } });
  }

  /** Stores the end, and closes the connection. */
  async end(state: 'applied' | 'rejected' | 'failed', total: Counts): Promise<void> {
    const { read: linesRead, duplicate: duplicates, unapplied: _, ...counts } = total;
    const data = { state, linesRead, duplicates, ...counts, finishedAt: new Date() };
    try {
      await this.#prisma.importRun.update({ where: { id: this.id }, data });
    } finally {
      await this.#prisma.$disconnect();
    }
  }
}
