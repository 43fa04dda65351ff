/** The stack cannot run; the message is for its user. */
export class StackError extends Error {
  override readonly name = 'StackError';
}
