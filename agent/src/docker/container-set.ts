import type { DockerSource, FileSource } from '../config/config.js'
import { LIMITS } from '../limits.js'
import { ContainerFollower } from './container-follower.js'
import { BEGINNING, timeOf } from './container-place.js'
import {
  type ContainerRecord,
  containerRecord,
  DOCKER,
  newContainerRecord,
  openRecords,
  streamIdOf
} from './container-records.js'
import type { Container, ContainerStarts } from './docker-api.js'
import { type ContainerDeps, FollowedContainer, sourceOf } from './followed-container.js'

/** Dependencies of `ContainerSet`. */
export interface ContainerSetDeps extends ContainerDeps {
  readonly source: DockerSource
}

/** Follows the logs of all containers of a daemon. */
export class ContainerSet {
  readonly #deps: ContainerSetDeps
  readonly #followed = new Map<string, FollowedContainer>()
  /** Streams of containers that are gone, whose ends are being sent. */
  readonly #ending = new Map<string, Promise<void>>()

  constructor(deps: ContainerSetDeps) {
    this.#deps = deps
  }

  /**
   * Compares the containers with those that are followed. @param starts since the last look.
   */
  async look(starts: ContainerStarts): Promise<void> {
    const { api, journal, clock, signal } = this.#deps
    const containers = await api.containers(signal)
    this.#noteStarts(starts)
    this.#endOthers(new Set(containers.map(({ id }) => streamIdOf(id))))
    const isFirst = !journal.patterns.has(DOCKER)
    // Those that run come first: there may be too many.
    for (const container of containers.toSorted((a, b) => Number(b.isRunning) - Number(a.isRunning))) {
      const known = this.#followed.get(streamIdOf(container.id))
      if (known !== undefined) known.seen(container)
      else if (this.#followed.size < LIMITS.knownContainers) await this.#add(container, isFirst)
      else this.#reportTooMany(containers.length, LIMITS.knownContainers)
    }
    await this.#forgetOld()
    await journal.looked(DOCKER, clock.nowMs(), clock.nowMs())
    await journal.sync()
    this.#readDue()
  }

  #noteStarts(starts: ContainerStarts): void {
    if (starts === 'unknown') for (const one of this.#followed.values()) one.started(null)
    else for (const { id, time } of starts) this.#followed.get(streamIdOf(id))?.started(time)
  }

  /** Those that run are read until they stop; of the others a few at a time. */
  #readDue(): void {
    if (this.#deps.signal.aborted) return
    const all = [...this.#followed.values()]
    const free = (isRunning: boolean, limit: number): number =>
      limit - all.filter(one => one.isReading && one.isRunning === isRunning).length
    const running = all.filter(one => one.isDue && one.isRunning)
    const room = free(true, LIMITS.containers)
    if (running.length > room) this.#reportTooMany(running.length - room + LIMITS.containers, LIMITS.containers)
    for (const one of running.slice(0, Math.max(0, room))) one.read()
    const stopped = all.filter(one => one.isDue && !one.isRunning)
    for (const one of stopped.slice(0, Math.max(0, free(false, LIMITS.stoppedContainers)))) one.read()
  }

  #reportTooMany(containers: number, limit: number): void {
    this.#deps.faults.report('too many containers', String(limit), { containers, limit })
  }

  async stop(): Promise<void> {
    await Promise.all([...[...this.#followed.values()].map(one => one.stop()), ...this.#ending.values()])
  }

  /** Forgets streams that ended long ago. */
  async #forgetOld(): Promise<void> {
    const { journal, clock } = this.#deps
    const sinceMs = clock.nowMs() - LIMITS.endedMs
    for (const { id, pattern, endedAtMs } of [...journal.streams.values()])
      if (pattern === DOCKER && endedAtMs !== null && endedAtMs < sinceMs) await journal.forget(id)
  }

  async #add(container: Container, isFirst: boolean): Promise<void> {
    const { journal, clock, source } = this.#deps
    const known = containerRecord(journal, container.id)
    const isAtEnd = isFirst && source.startAt === 'end'
    const place = isAtEnd ? { ...BEGINNING, time: timeOf(clock.nowMs()) } : BEGINNING
    const record = known ?? newContainerRecord(container.id, place)
    // What it writes while the agent is down belongs to its stream.
    if (known === null && isAtEnd) await journal.put(record)
    const deps = { ...this.#deps, idle: () => this.#readDue() }
    this.#followed.set(record.id, new FollowedContainer(deps, container, { ...record, endedAtMs: null }))
  }

  /** Ends the streams of containers that are gone. */
  #endOthers(there: ReadonlySet<string>): void {
    for (const record of openRecords(this.#deps.journal)) {
      if (there.has(record.id) || this.#followed.has(record.id)) continue
      this.#end(record.id, () => new ContainerFollower(this.#deps, goneSource(record), record).end(true))
    }
    for (const [id, one] of this.#followed) {
      if (there.has(id)) continue
      this.#followed.delete(id)
      this.#end(id, () => one.end())
    }
  }

  /** Not waited for: an outage of the service delays no other container. */
  #end(id: string, end: () => Promise<void>): void {
    if (this.#ending.has(id)) return
    const { faults, signal } = this.#deps
    const ended = end()
      .catch((error: unknown) => {
        // It is sent again after the next start.
        if (!signal.aborted) faults.report('end of a container not sent', id, { id, err: String(error) })
      })
      .finally(() => this.#ending.delete(id))
    this.#ending.set(id, ended)
  }
}

/** Of a container of which nothing else is known. */
function goneSource({ path }: ContainerRecord): FileSource {
  const id = path.slice(DOCKER.length + 1)
  return sourceOf({ id, name: id, image: '', labels: {}, isRunning: false, state: '' })
}
