import { setTimeout as wait } from 'node:timers/promises'
import { soonerOf } from '../journald/sooner-of.js'
import { ContainerSet, type ContainerSetDeps } from './container-set.js'
import { type DockerApi, dockerApi } from './docker-api.js'

export interface DockerOptions extends Omit<ContainerSetDeps, 'api' | 'firstWaitMs'> {
  readonly api?: DockerApi
  /** Before Docker is connected again, milliseconds. */
  readonly firstWaitMs?: number
}

const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 60_000
/** Between two lists without an event. */
const LIST_MS = 30_000

/** Looks at the containers now, at each event, and from time to time. Ends when the events do. */
async function watch(api: DockerApi, set: ContainerSet, signal: AbortSignal): Promise<void> {
  const ended = new AbortController()
  const events = api.events(AbortSignal.any([signal, ended.signal]))[Symbol.asyncIterator]()
  try {
    // Before the first look: what happens after it is an event.
    for (let next = events.next(); !signal.aborted;) {
      next.catch(() => undefined)
      await set.look()
      const found = await soonerOf(next, LIST_MS, signal)
      if (found === 'late') continue
      if (found.done === true) return
      next = events.next()
    }
  } finally {
    ended.abort()
  }
}

/** Follows the logs of containers until the signal. A daemon that is not there is tried again after 1 to 60 s. */
export async function runDocker(options: DockerOptions): Promise<void> {
  const { source, faults, signal, firstWaitMs = FIRST_WAIT_MS } = options
  const api = options.api ?? dockerApi(source.socket)
  const set = new ContainerSet({ ...options, api, firstWaitMs })
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      await watch(api, set, signal)
      failures = 0
    } catch (error) {
      if (!signal.aborted) faults.report('docker not read', source.socket, { socket: source.socket, err: String(error) })
    }
    const waitMs = Math.min(firstWaitMs * 2 ** Math.min(failures, 6), LONGEST_WAIT_MS)
    await wait(waitMs, undefined, { signal }).catch(() => undefined)
  }
  await set.stop()
}
