import { Arrivals } from '../arrivals.js'
import { Backoff } from '../backoff.js'
import { ContainerSet, type ContainerSetDeps } from './container-set.js'
import { type ContainerStarts, type DockerApi, dockerApi } from './docker-api.js'

/** Dependencies of `runDocker`; tests pass their own API. */
export interface DockerOptions extends Omit<ContainerSetDeps, 'api' | 'firstWaitMs'> {
  readonly api?: DockerApi
  /** Before Docker is connected again, milliseconds. */
  readonly firstWaitMs?: number
}

const FIRST_WAIT_MS = 1_000
/** Between two lists without an event. */
const LIST_MS = 30_000

/** Looks at the containers now, at each event, and from time to time. Ends when the events do. */
async function watch(api: DockerApi, set: ContainerSet, signal: AbortSignal): Promise<void> {
  const ended = new AbortController()
  // Before the first look: what happens after it is an event, and what happened before is unknown.
  const events = new Arrivals(api.events(AbortSignal.any([signal, ended.signal])))
  try {
    for (let starts: ContainerStarts = 'unknown'; !signal.aborted;) {
      await set.look(starts)
      const found = await events.next(LIST_MS, signal)
      if (found !== 'late' && found.done === true) return
      starts = found === 'late' ? [] : found.value
    }
  } finally {
    ended.abort()
  }
}

/** Follows the logs of containers until the signal. A daemon that is not there is tried again after 1 to 60 s. */
export async function runDocker(options: DockerOptions): Promise<void> {
  const { source, faults, signal, clock, firstWaitMs = FIRST_WAIT_MS } = options
  const api = options.api ?? dockerApi(source.socket)
  const set = new ContainerSet({ ...options, api, firstWaitMs })
  const backoff = new Backoff(clock, firstWaitMs)
  while (!signal.aborted) {
    backoff.begin()
    try {
      await watch(api, set, signal)
    } catch (error) {
      if (!signal.aborted) faults.report('docker not read', source.socket, { socket: source.socket, err: String(error) })
    }
    await backoff.wait(signal)
  }
  await set.stop()
}
