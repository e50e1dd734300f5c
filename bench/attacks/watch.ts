import { existsSync, readFileSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { rssMb } from '../service/proc.js'
import type { ServiceProcess } from '../service/service-process.js'

/** What an attack did to the service's processes. */
export interface Watched {
  /** The longest block of the event loop of the gateway, in CPU time of its main thread. */
  readonly blockMs: number
  /** How many blocks took more than 100 ms. */
  readonly longBlocks: number
  /** Peak of the resident memory of the gateway and the store process together. */
  readonly peakRssMb: number
}

const SAMPLE_MS = 25
const POLL_MS = 20
const GIVE_UP_MS = 60_000

/** What the probe in the gateway measured since it was read last. Throws when it does not respond within a minute. */
async function readProbe(pid: number, probe: string): Promise<{ readonly longest: number; readonly over100: number }> {
  const file = `${probe}.${pid}`
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  const startedAt = performance.now()
  while (!existsSync(file)) {
    if (performance.now() - startedAt > GIVE_UP_MS)
      throw new Error(
        `the probe in process ${pid} did not write ${file} within ${GIVE_UP_MS} ms; is the process blocked or gone?`
      )
    await sleep(POLL_MS)
  }
  await sleep(POLL_MS)
  return JSON.parse(readFileSync(file, 'utf8')) as { longest: number; over100: number }
}

/** Watches memory and event loop of a service that runs with `block-probe.mjs`, while `work` goes on. */
export async function watching<T>(
  service: ServiceProcess,
  probe: string,
  work: () => Promise<T>
): Promise<{ readonly result: T; readonly watched: Watched }> {
  let peakRssMb = 0
  const pids = [service.pid, ...(service.storePid === null ? [] : [service.storePid])]
  const sample = (): void => {
    peakRssMb = Math.max(
      peakRssMb,
      pids.reduce((sum, pid) => sum + rssMb(pid), 0)
    )
  }
  await readProbe(service.pid, probe)
  const sampling = setInterval(sample, SAMPLE_MS)
  try {
    const result = await work()
    const { longest, over100 } = await readProbe(service.pid, probe)
    return { result, watched: { blockMs: longest, longBlocks: over100, peakRssMb } }
  } finally {
    clearInterval(sampling)
  }
}
