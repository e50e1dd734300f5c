import { COMPOSE_SERVICE, type Container } from '../docker/docker-api.js'
import { LIMITS } from '../limits.js'
import { containerRuntimeOf, shortContainerId } from '../listeners/cgroup.js'
import { type ContainerFiles, type ContainerGroup, containerPoints, cpuSeconds, findContainers, isUnified } from './containers.js'
import { counter, gauge, type MetricPoint } from './metric-point.js'

export interface ContainerCollectorOptions {
  readonly files: ContainerFiles
  /** Of a clock that does not jump. */
  readonly elapsedMs: () => number
  /** What the runtime states of its containers. Rejects without one, or without the right to call it. */
  readonly named: () => Promise<readonly Pick<Container, 'id' | 'name' | 'image' | 'labels'>[]>
  /** Called when some containers are left out. */
  readonly onCut: () => void
}

/** Processor time at a moment. */
interface CpuRead {
  readonly seconds: number
  readonly atMs: number
}

/** A container, its labels and its last reading. */
interface KnownContainer {
  readonly group: ContainerGroup
  readonly labels: MetricPoint['labels']
  cpu: CpuRead | null
}

/** Between two searches for containers. */
const FIND_EVERY_MS = 60_000

/** Collects the metrics of containers from their cgroups. They are searched for once a minute. */
export class ContainerCollector {
  readonly #options: ContainerCollectorOptions
  #known: ReadonlyMap<string, KnownContainer> = new Map()
  #named: ReadonlyMap<string, MetricPoint['labels']> = new Map()
  #foundMs = Number.NEGATIVE_INFINITY

  constructor(options: ContainerCollectorOptions) {
    this.#options = options
  }

  async collect(): Promise<readonly MetricPoint[]> {
    const { elapsedMs, files } = this.#options
    const nowMs = elapsedMs()
    if (nowMs - this.#foundMs >= FIND_EVERY_MS) {
      this.#foundMs = nowMs
      await this.#find()
    }
    if (this.#known.size === 0) return []
    const unified = isUnified(files)
    return [...this.#known.values()].flatMap(container => [
      ...this.#cpuPoints(container, unified),
      ...containerPoints(files, container.group, unified, container.labels)
    ])
  }

  async #find(): Promise<void> {
    const { files, onCut } = this.#options
    const { groups, isCut } = findContainers(files, { containers: LIMITS.containers, folders: LIMITS.cgroupFolders })
    if (isCut) onCut()
    if (groups.length > 0) await this.#nameAll()
    this.#known = new Map(
      groups.map(group => [group.id, { group, labels: this.#labelsOf(group), cpu: this.#known.get(group.id)?.cpu ?? null }])
    )
  }

  async #nameAll(): Promise<void> {
    // Names stay while the runtime does not respond: a container would be another series.
    const found = await this.#options.named().catch(() => null)
    if (found === null) return
    this.#named = new Map(
      found.map(({ id, name, image, labels }) => {
        const service = labels[COMPOSE_SERVICE]
        return [id, { container: name, ...(image !== '' && { image }), ...(service !== undefined && { service }) }]
      })
    )
  }

  #labelsOf({ id, path }: ContainerGroup): MetricPoint['labels'] {
    const runtime = containerRuntimeOf(path)
    return { container: shortContainerId(id), ...this.#named.get(id), ...(runtime !== null && { runtime }) }
  }

  /** Time, and its growth since the last reading. */
  #cpuPoints(container: KnownContainer, unified: boolean): readonly MetricPoint[] {
    const { group, labels, cpu: before } = container
    const seconds = cpuSeconds(this.#options.files, group, unified)
    if (seconds === null) return []
    const atMs = this.#options.elapsedMs()
    container.cpu = { seconds, atMs }
    const time = counter('container.cpu.time', seconds, labels)
    // A container that started again counts from zero.
    if (before === null || atMs <= before.atMs || seconds < before.seconds) return [time]
    const used = (seconds - before.seconds) / ((atMs - before.atMs) / 1000)
    return [time, gauge('container.cpu.utilization', used, labels)]
  }
}
