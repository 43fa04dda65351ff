/** Errors of the protocol as sentences: the SDK reports a wrong message with the list of its validator. */

interface Issue {
  readonly path?: readonly unknown[];
  readonly message?: string;
}

const LIST = /^([^[]*?)(\[\s*\{.*\]|\[\s*\])$/s;
const ISSUES_MAX = 5;

/** A message whose error, if it has one, says in a sentence what is wrong. */
export function withReadableError<Message>(message: Message): Message {
  if (Array.isArray(message)) return message.map(withReadableError) as Message;
  const { error } = (message ?? {}) as { error?: { code: number; message: string } };
  const [, before = '', list] = LIST.exec(error?.message ?? '') ?? [];
  const issues = list === undefined ? undefined : issuesIn(list);
  if (error === undefined || issues === undefined) return message;
  const said = issues
    .slice(0, ISSUES_MAX)
    .map(({ path = [], message: text = 'invalid' }) => `${path.join('.')}: ${text}`);
  const sentence = `${before.trim() || 'Invalid request:'} ${said.join('; ')}.`;
  return { ...message, error: { ...error, code: INVALID_PARAMS, message: sentence } };
}

const INVALID_PARAMS = -32_602;

function issuesIn(text: string): readonly Issue[] | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
