// Jest's globalTeardown: stops and removes whatever the run has started.
export default async function globalTeardown() {
  await globalThis.vcdsTestBroker?.close();
}
