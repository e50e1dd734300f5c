import { once } from 'node:events'

/** Stops what jest-setup.mjs has started. */
export default async function stopServers() {
  const servers = globalThis.alidadeTestServers
  if (!servers || servers.exitCode !== null) return
  const exit = once(servers, 'exit')
  servers.disconnect()
  await exit
}
