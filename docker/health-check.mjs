// Exits with 0 if this container's process is ready (docs/spec/operations.md 16.2).
// HEALTH_PORT names the variable of the internal port and its default: DATA_API_INTERNAL_PORT:9080.
const [name, port] = (process.env.HEALTH_PORT ?? '').split(':');
const response = await fetch(`http://127.0.0.1:${process.env[name]?.trim() || port}/ready`, {
  signal: AbortSignal.timeout(3_500),
}).catch((error) => ({ ok: false, text: () => String(error.cause ?? error) }));
if (!response.ok) process.stdout.write(`${await response.text()}\n`);
process.exit(response.ok ? 0 : 1);
