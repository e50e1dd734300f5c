import { Backoff } from '../backoff.js'
import type { FileSource } from '../config/config.js'
import type { DeliveryDeps } from '../deliver/delivery-deps.js'
import type { FaultLog } from '../fault-log.js'
import { ContainerFollower, type LogEnd } from './container-follower.js'
import { lineDecoder } from './container-lines.js'
import { isLongAfter } from './container-place.js'
import { type ContainerRecord, DOCKER } from './container-records.js'
import { shortContainerId } from '../listeners/cgroup.js'
import { COMPOSE_SERVICE, type Container, type ContainerLog, type DockerApi } from './docker-api.js'

/** What all followed containers share. */
export interface ContainerDeps extends DeliveryDeps {
  readonly api: DockerApi
  readonly faults: FaultLog
  /** Of the agent. */
  readonly signal: AbortSignal
  /** Before a log that failed is read again, milliseconds. */
  readonly firstWaitMs: number
}

/** Dependencies of one followed container. */
export interface FollowedContainerDeps extends ContainerDeps {
  /** Called when it is not read any more. */
  readonly idle: () => void
}

/** Drivers whose logs the daemon does not return. */
const WITHOUT_LOGS: ReadonlySet<string> = new Set(['none'])

/** What records of a container state. */
export function sourceOf({ id, name, image, labels }: Container): FileSource {
  return {
    path: `${DOCKER}:${shortContainerId(id)}`,
    service: labels[COMPOSE_SERVICE] ?? name,
    format: 'docker',
    startAt: 'end',
    exclude: [],
    level: null,
    tags: { container: shortContainerId(id), 'container.name': name, ...(image !== '' && { 'container.image.name': image }) },
    multiline: null
  }
}

/** Reads one container while it runs, and once after each of its runs. */
export class FollowedContainer {
  readonly #deps: FollowedContainerDeps
  readonly #follower: ContainerFollower
  readonly #id: string
  readonly #stop = new AbortController()
  readonly #backoff: Backoff
  #reading: Promise<void> | null = null
  /** It may have written what was not read. */
  #isDue = true
  #isRunning: boolean
  /** When its latest run began, as far as known; that of the latest log that ended, and of the latest that is surely whole. */
  #run: string | null = null
  #endedRun: string | null = null
  #wholeRun: string | null = null
  /** The daemon has it. */
  #isThere = true

  constructor(deps: FollowedContainerDeps, container: Container, record: ContainerRecord) {
    this.#deps = deps
    this.#id = container.id
    this.#isRunning = container.isRunning
    this.#backoff = new Backoff(deps.clock, deps.firstWaitMs)
    this.#follower = new ContainerFollower(deps, sourceOf(container), record)
  }

  get isRunning(): boolean {
    return this.#isRunning
  }

  get isReading(): boolean {
    return this.#reading !== null
  }

  /** Whether it waits to be read. */
  get isDue(): boolean {
    return this.#isDue && !this.isReading
  }

  /** The daemon has it. */
  seen({ isRunning }: Container): void {
    this.#isRunning = isRunning
    if (isRunning && !this.isReading) this.#isDue = true
  }

  /** It was or may have been started. @param time null: unknown. */
  started(time: string | null): void {
    this.#isDue = true
    // The event is a little later than the time of the run.
    if (time !== null && (this.#run === null || isLongAfter(time, this.#run))) this.#run = time
  }

  read(): void {
    this.#reading ??= this.#follow().finally(() => {
      this.#reading = null
      this.#deps.idle()
    })
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#reading
  }

  /** The container is gone: what is coming of its log is read before its stream ends. */
  async end(): Promise<void> {
    this.#isThere = false
    await this.#reading
    await this.#follower.end(this.#run === null || this.#run !== this.#endedRun)
  }

  async #follow(): Promise<void> {
    const { faults, signal } = this.#deps
    const either = AbortSignal.any([signal, this.#stop.signal])
    while (this.#isDue && !either.aborted) {
      this.#isDue = false
      this.#backoff.begin()
      try {
        await this.#readRuns(either)
      } catch (error) {
        if (either.aborted) return
        faults.report('container not read', this.#id, { container: shortContainerId(this.#id), err: String(error) })
        if (!this.#isThere) return
        this.#isDue = true
        await this.#backoff.wait(either)
      }
    }
  }

  /** Reads what it wrote up to the end of its latest run. */
  async #readRuns(signal: AbortSignal): Promise<void> {
    for (;;) {
      const log = await this.#deps.api.log(this.#id, signal)
      if (log === null) return
      this.#run = log.startedAt
      if (!log.isRunning && log.startedAt === this.#wholeRun) return
      const found = await this.#readLog(log, signal)
      if (found !== 'moved') this.#endedRun = log.startedAt
      if (found !== 'whole') continue
      this.#wholeRun = log.startedAt
      return
    }
  }

  async #readLog({ isTty, driver }: ContainerLog, signal: AbortSignal): Promise<LogEnd> {
    const { api, faults } = this.#deps
    if (WITHOUT_LOGS.has(driver)) {
      faults.report('container has no log', this.#id, { container: shortContainerId(this.#id), driver })
      return 'whole'
    }
    return this.#follower.read((since, until) => api.output(this.#id, since, until), lineDecoder(isTty), signal)
  }
}
