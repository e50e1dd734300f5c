import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that systems give to outgoing connections; one of those may take a port while its service restarts. */
const FIRST_PORT = 20_000
const SLICES = 12
const SLICE_PORTS = 1_000

/** Each worker of the test runner has a slice of its own; the ports of two workers never meet. */
const slice = FIRST_PORT + (Number(process.env.JEST_WORKER_ID ?? 0) % SLICES) * SLICE_PORTS
let next = randomInt(SLICE_PORTS)

/**
 * A TCP port of the loopback interface that is not in use at this moment. A process gets the same one again only
 * after a thousand others, so a service can stop and start on it.
 *
 * @throws Error when the thousand ports of the slice are in use.
 */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < SLICE_PORTS; tried++) {
    const port = slice + next
    next = (next + 1) % SLICE_PORTS
    if (await isFree(port)) return port
  }
  throw new Error(`no port from ${slice} to ${slice + SLICE_PORTS - 1} is free: stop what listens there`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false
    throw error
  }
  server.close()
  await once(server, 'close')
  return true
}
