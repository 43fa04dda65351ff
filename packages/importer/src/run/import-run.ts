import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '../generated/client.ts';
import type { Counts } from '../report/import-report.ts';

/** What an import is doing, or has come to. */
export type RunState = 'staging' | 'applying' | 'applied' | 'refused' | 'failed';

/** The row of table `import_run` that tells operators of an import. */
export class ImportRun {
  readonly id: string;
  readonly #prisma: PrismaClient;

  private constructor(prisma: PrismaClient, id: string) {
    this.#prisma = prisma;
    this.id = id;
  }

  /**
   * Notes that an import begins; those that were killed, and therefore never ended, have failed.
   * The caller holds the import lock.
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

  /** Notes a step on the way. */
  async reach(state: RunState): Promise<void> {
    await this.#prisma.importRun.update({ where: { id: this.id }, data: { state } });
  }

  /** Notes the end, and closes the connection. */
  async end(state: 'applied' | 'refused' | 'failed', total: Counts): Promise<void> {
    const { inserted, updated, deleted, unchanged, stale, rejected } = total;
    const counts = { inserted, updated, deleted, unchanged, stale, rejected };
    try {
      await this.#prisma.importRun.update({
        where: { id: this.id },
        data: {
          state,
          linesRead: total.read,
          duplicates: total.duplicate,
          ...counts,
          finishedAt: new Date(),
        },
      });
    } finally {
      await this.#prisma.$disconnect();
    }
  }
}
