/** Replaces the clock of the operating status in a test database by one that a test sets. */
export interface StatusClock {
  set(at: Date): Promise<void>;
}

type Query = (sql: string, values?: readonly unknown[]) => Promise<unknown>;

/** @param query runs a statement as the owner of the schema. */
export async function openStatusClock(query: Query): Promise<StatusClock> {
  await query('CREATE TABLE public.status_clock AS SELECT now() AS at');
  await query('GRANT SELECT ON public.status_clock TO PUBLIC');
  await query(
    `CREATE OR REPLACE FUNCTION venture.status_clock() RETURNS timestamptz
     LANGUAGE sql STABLE PARALLEL SAFE RETURN (SELECT at FROM public.status_clock)`,
  );
  return {
    set: async (at) => {
      await query('UPDATE public.status_clock SET at = $1', [at]);
    },
  };
}
