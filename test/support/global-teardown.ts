/** Leaves nothing behind: drops the template database, stops the server that the setup started. */
export default async function globalTeardown(): Promise<void> {
  globalThis.stopTestHosts?.();
  await globalThis.undoTestServer?.();
}
