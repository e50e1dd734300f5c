import { setTimeout as wait } from 'node:timers/promises'
import type { FileSource } from '../config/config.js'
import type { FaultLog } from '../fault-log.js'
import { ContainerFollower, type ContainerFollowerDeps, type OpenOutput } from './container-follower.js'
import { lineDecoder } from './container-lines.js'
import { type ContainerRecord, DOCKER, shortId } from './container-records.js'
import type { Container, DockerApi } from './docker-api.js'

export interface FollowedContainerDeps extends ContainerFollowerDeps {
  readonly api: DockerApi
  readonly faults: FaultLog
  /** Of the agent. */
  readonly signal: AbortSignal
  /** Before a log that failed is read again, milliseconds. */
  readonly firstWaitMs: number
}

const LONGEST_WAIT_MS = 60_000
/** Drivers whose logs the daemon does not return. */
const WITHOUT_LOGS: ReadonlySet<string> = new Set(['none'])
const COMPOSE_SERVICE = 'com.docker.compose.service'

/** What records of a container state. */
export function sourceOf({ id, name, image, labels }: Container): FileSource {
  return {
    path: `${DOCKER}:${shortId(id)}`,
    service: labels[COMPOSE_SERVICE] ?? name,
    format: 'docker',
    startAt: 'end',
    exclude: [],
    level: null,
    tags: { container: shortId(id), 'container.name': name, ...(image !== '' && { 'container.image.name': image }) },
    multiline: null
  }
}

/** Reads one container, again and again while it runs. */
export class FollowedContainer {
  readonly #deps: FollowedContainerDeps
  readonly #follower: ContainerFollower
  readonly #id: string
  readonly #stop = new AbortController()
  #running: Promise<void> | null = null
  /** All that it wrote before it stopped was read. */
  #isRead = false
  isRunning: boolean
  /** The daemon has it. */
  isThere = true

  constructor(deps: FollowedContainerDeps, container: Container, record: ContainerRecord) {
    this.#deps = deps
    this.#id = container.id
    this.isRunning = container.isRunning
    this.#follower = new ContainerFollower(deps, sourceOf(container), record)
  }

  /** Begins to read unless it does, or has read all that a stopped container wrote. */
  start(): void {
    if (this.#running !== null || (this.#isRead && !this.isRunning)) return
    this.#isRead = false
    this.#running = this.#follow().finally(() => {
      this.#running = null
    })
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  /** The container is gone: what is coming of its log is read before its stream ends. */
  async end(): Promise<void> {
    await this.#running
    await this.#follower.end(!this.#isRead)
  }

  async #follow(): Promise<void> {
    const { faults, signal, firstWaitMs } = this.#deps
    const either = AbortSignal.any([signal, this.#stop.signal])
    for (let failures = 0; !either.aborted && !this.#isRead; failures++) {
      try {
        this.#isRead = await this.#readOnce(either)
        if (this.#isRead) return
      } catch (error) {
        if (either.aborted) return
        faults.report('container not read', this.#id, { container: shortId(this.#id), err: String(error) })
      }
      if (!this.isThere) return
      await wait(Math.min(firstWaitMs * 2 ** Math.min(failures, 6), LONGEST_WAIT_MS), undefined, { signal: either }).catch(
        () => undefined
      )
    }
  }

  /** Whether all was read: the log of a container that stopped ends. */
  async #readOnce(signal: AbortSignal): Promise<boolean> {
    const { api, faults } = this.#deps
    const log = await api.log(this.#id, signal)
    if (log === null) {
      this.isThere = false
      return false
    }
    if (WITHOUT_LOGS.has(log.driver)) {
      faults.report('container has no log', this.#id, { container: shortId(this.#id), driver: log.driver })
      return true
    }
    const open: OpenOutput = (since, until) => api.output(this.#id, since, until)
    await this.#follower.follow(open, () => lineDecoder(log.isTty), signal)
    return true
  }
}
