/** What keeps the stack from running, in sentences for the person who started it. */
export class StackError extends Error {
  override readonly name = 'StackError';
}
