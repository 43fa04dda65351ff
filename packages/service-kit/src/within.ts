/**
 * The result of `work`.
 *
 * @throws Error with `message` if it takes more than `ms` milliseconds.
 */
export async function within<T>(ms: number, work: T | Promise<T>, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(message)), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
