/** A message of PostgreSQL's protocol: its type, its length, its content. */
function message(letter: string, content: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + content.length);
  return Buffer.concat([Buffer.from(letter), length, Buffer.from(content, 'latin1')]);
}

export const AUTHENTICATED = message('R', '\0\0\0\0');
export const READY = message('Z', 'I');
/** A fatal error. */
export const SHUTTING_DOWN = message('E', 'SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0');
